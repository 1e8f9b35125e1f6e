import assert from 'node:assert/strict'
import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { AT_ONCE } from './chat-scenario.ts'
import type { Ended } from './lives.ts'
import { type Deed, Outside } from './outside.ts'
import { ACTS } from './scenarios.ts'

/** A run that reached its end, over any number of crashes. */
export interface Judged {
  readonly run: string
  readonly scenario: string
  readonly limits: Amounts
  readonly entries: readonly Entry[]
  readonly lived: Ended
  readonly deeds: readonly Deed[]
}

export const deedsOf = (folder: string, run: string): readonly Deed[] =>
  new Outside(folder, run).deeds

const isModel = ({ tool }: Deed): boolean => tool.startsWith('model:')

/** Actions that may happen at most once, by their call. */
const actsOf = ({ scenario, run, deeds }: Pick<Judged, 'scenario' | 'run' | 'deeds'>): string[] =>
  deeds
    .filter(({ tool }) => ACTS[scenario]?.includes(tool))
    .map(({ tool, key }) => `${tool} ${key.replace(run, '')}`)
    .toSorted()

/** Asserts the rules for every run under any limits: it ended once, did not overspend, and acted once. */
export function judgeAny(judged: Judged, where: string): void {
  const { entries, lived, limits } = judged
  const { end, again } = lived
  const own = entries.filter((entry) => 'path' in entry && entry.path === '')
  assert.equal(own.filter(({ type }) => type === 'started').length, 1, `${where}: it began once`)
  assert.equal(own.filter(({ type }) => type === 'ended').length, 1, `${where}: it ended once`)
  const steps = own.flatMap((entry) => (entry.type === 'closed' ? [entry.seq] : []))
  assert.deepEqual(steps, [...steps.keys()], `${where}: each step is on record once`)
  assert.deepEqual(again, end, `${where}: what has ended gives its end again`)
  for (const [counter, limit] of Object.entries(limits)) {
    const spent = spentOf(end.spent, counter)
    // Sums of fractions may differ in the last digit.
    assert.ok(spent <= limit + 1e-9, `${where}: ${counter} ${spent} of ${limit}`)
  }
  judgeCalls(judged, where)
  const acts = actsOf(judged)
  assert.deepEqual(acts, [...new Set(acts)], `${where}: each act was done once`)
}

/** Each model call is charged once; one that was not made is charged only if a crash interrupted it. */
function judgeCalls({ entries, lived, deeds }: Judged, where: string): void {
  const made = deeds.filter(isModel).length
  const charged = spentOf(lived.end.spent, 'calls')
  assert.ok(charged >= made, `${where}: ${charged} calls are charged and ${made} were made`)
  // The decision agent's models run inside the process and leave no trace outside.
  if (made === 0) return
  const cutOff = entries.reduce(
    (sum, entry) => (entry.type === 'resumed' ? sum + spentOf(entry.charged, 'calls') : sum),
    0,
  )
  assert.ok(
    charged <= made + cutOff,
    `${where}: ${charged} calls are charged, ${made} were made and ${cutOff} may have been`,
  )
}

/**
 * Whether a limit restricted the run: it refused an effect, or the next attempt of a failed model call. A
 * crash uses up calls, and so does a provider that fails once in each process.
 */
export function ranShort({ limits, entries, lived }: Judged): boolean {
  if (Object.keys(limits).length === 0) return false
  if (lived.end.reason.startsWith('budget:')) return true
  if (JSON.stringify(entries).includes('"refused"')) return true
  return entries.some((entry) => entry.type === 'closed' && wasNotRepeated(entry.seen))
}

/** The policy would have retried it, and only the budget prevents that. */
function wasNotRepeated(seen: Observation): boolean {
  if (seen.type === 'together') return seen.observations.some(wasNotRepeated)
  return seen.type === 'failed' && seen.error.retryable && seen.error.attempts <= AT_ONCE.retries
}

/** `calls` are those of all roles; tests of a role name it. */
const spentOf = (spent: Amounts, counter: string): number =>
  counter === 'calls'
    ? Object.entries(spent).reduce((sum, [key, n]) => (key.startsWith('calls.') ? sum + n : sum), 0)
    : (spent[counter] ?? 0)

/** An interrupted run with room for lost work: its result is that of the uninterrupted run. */
export function judgeSame(judged: Judged, whole: Judged, where: string): void {
  const { status, reason, result } = judged.lived.end
  const expected = whole.lived.end
  const isUnknown = JSON.stringify(result).includes('is unknown')
  const told = (said: Json): string =>
    isUnknown ? JSON.stringify(said).replace(/the letter is \w+/, '') : JSON.stringify(said)
  assert.deepEqual(
    { status, reason, result: told(result) },
    { status: expected.status, reason: expected.reason, result: told(expected.result) },
    where,
  )
  // An action with an unknown outcome is not reported as done.
  const sure = (acts: readonly string[]): readonly string[] =>
    isUnknown ? acts.filter((act) => !act.startsWith('post ')) : acts
  assert.deepEqual(sure(actsOf(judged)), sure(actsOf(whole)), `${where}: nothing is left undone`)
}
