import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { share } from '../share.ts'

/** Number of cases of one attack that `npm test` tries. */
const FAST_SHARE = 12

export interface Attack<Case> {
  readonly cases: readonly Case[]
  /** Names the failed case. */
  readonly named: (one: Case) => string
  /** Throws, or rejects, when the protection fails. */
  readonly hold: (one: Case) => void | Promise<void>
  /** Cases that `npm test` tries, evenly spread; default 12. The long tests try all. */
  readonly fast?: number
}

/**
 * Tries each case of an attack and reports how many were tried and how many got through, for the table
 * of `npm run attacks`.
 * @throws AssertionError that names the cases that got through
 */
export async function tried<Case>(t: TestContext, attack: Attack<Case>): Promise<void> {
  const { cases, named, hold, fast = FAST_SHARE } = attack
  assert.ok(cases.length > 0, 'an attack without a case proves nothing')
  const through: string[] = []
  const chosen = share(cases, fast)
  for (const one of chosen) {
    try {
      // One after another: cases share the machine, and often a folder.
      // oxlint-disable-next-line no-await-in-loop
      await hold(one)
    } catch (error) {
      through.push(`${named(one)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  t.diagnostic(`tried ${chosen.length}, failed ${through.length}`)
  assert.deepEqual(through, [])
}
