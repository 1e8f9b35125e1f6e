import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ContractCase } from './contract.ts'

/** Tests a contract with a correct subject, and for each rule with one that breaks it. */
export function holdsAndFails<Open>(
  port: string,
  contract: (open: Open) => readonly ContractCase[],
  open: Open,
  mutants: Readonly<Record<string, Open>>,
): void {
  void describe(`[C-26] the contract of ${port}`, () => {
    for (const { name, holds } of contract(open)) void test(name, holds)
    void test('has a rule for each mutant, and a mutant for each rule', () => {
      assert.deepEqual(
        Object.keys(mutants).toSorted(),
        contract(open)
          .map(({ name }) => name)
          .toSorted(),
      )
    })
    for (const [rule, mutant] of Object.entries(mutants)) {
      void test(`fails when it must: ${rule}`, async () => {
        const one = contract(mutant).find(({ name }) => name === rule)
        assert.ok(one !== undefined)
        await assert.rejects(one.holds)
      })
    }
  })
}
