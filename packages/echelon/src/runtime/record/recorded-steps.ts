import type { Amounts } from '../../core/agent/budget.ts'
import { droppedIn } from '../../core/journal/condensed.ts'
import type { Entry } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import type { Observation } from '../../core/agent/observation.ts'

/** One step of a run as its journal has it, whatever agent it was. */
export interface RecordedStep {
  /** Its number: what a fork calls `at`. */
  readonly seq: number
  /** When it was closed, in milliseconds since the epoch; `null` for one that is open. */
  readonly at: number | null
  /** What came of it; `null` for one that is open. */
  readonly seen: Observation | null
  /** What was asked of people in it, by the run or one within it, with the replies. */
  readonly requests: readonly RecordedRequest[]
  /** All that was spent by its end. */
  readonly spent: Amounts
}

export interface RecordedRequest {
  readonly id: string
  readonly about: Json
  readonly at: number
  /** `null` where nobody replied. */
  readonly reply: Json
}

/**
 * The steps of a run in their order, the one that is open last. Of a run whose first entries are kept
 * no more, those that are left.
 */
export function listSteps(entries: readonly Entry[]): readonly RecordedStep[] {
  const steps: RecordedStep[] = []
  let spent: Amounts = {}
  let asked: RecordedRequest[] = []
  for (const entry of entries) {
    switch (entry.type) {
      case 'dropped':
        spent = entry.snapshot.spent
        break
      case 'requested': {
        const { request: id, about, at } = entry
        if (!asked.some((one) => one.id === id)) asked.push({ id, about, at, reply: null })
        break
      }
      case 'replied':
        asked = asked.map((one) => answered(one, entry))
        break
      case 'closed': {
        spent = { ...spent, ...entry.spent }
        if (entry.path !== '') break
        const { seq, at, seen } = entry
        steps.push({ seq, at, seen, requests: asked, spent })
        asked = []
        break
      }
      case 'started':
      case 'opened':
      case 'intended':
      case 'settled':
      case 'cancel-asked':
      case 'bound':
      case 'resumed':
      case 'ended':
        break
    }
  }
  const isOver = entries.some((entry) => entry.type === 'ended' && entry.path === '')
  if (isOver || entries.length === 0) return steps
  const seq = (steps.at(-1)?.seq ?? (droppedIn(entries)?.snapshot.seq ?? 0) - 1) + 1
  return [...steps, { seq, at: null, seen: null, requests: asked, spent }]
}

/** The first reply holds. */
const answered = (
  one: RecordedRequest,
  { request, reply }: Extract<Entry, { type: 'replied' }>,
): RecordedRequest => (one.id === request && one.reply === null ? { ...one, reply } : one)
