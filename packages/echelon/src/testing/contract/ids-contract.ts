import assert from 'node:assert/strict'
import type { Ids } from '../../core/agent/ports.ts'
import { casesOf, type ContractCase } from '../contract.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * The requirements of every `Ids`: `for (const { name, holds } of idsContract(open)) test(name,
 * holds)`.
 */
export function idsContract(open: () => Ids | Promise<Ids>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('every id is a lower-case UUID', (ids) => {
      for (let nth = 0; nth < 100; nth++) assert.match(ids.next(), UUID)
    }),
    caseOf('ids are unique', (ids) => {
      assert.equal(new Set(Array.from({ length: 10_000 }, () => ids.next())).size, 10_000)
    }),
  ]
}
