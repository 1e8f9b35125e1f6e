import type { Amounts } from '../../core/agent/budget.ts'
import { droppedIn } from '../../core/journal/condensed.ts'
import type { Entry } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import type { Observation } from '../../core/agent/observation.ts'

/** A step of a run as journaled, for any agent. */
export interface RecordedStep {
  /** Its number, the `at` of a fork. */
  readonly seq: number
  /** When it closed, in milliseconds since the epoch; `null` for an open step. */
  readonly at: number | null
  /** Its observation; `null` for an open step. */
  readonly seen: Observation | null
  /** Requests to people in it, by the run or a child run, with the replies. */
  readonly requests: readonly RecordedRequest[]
  /** Total spending by its end. */
  readonly spent: Amounts
}

export interface RecordedRequest {
  readonly id: string
  readonly about: Json
  readonly at: number
  /** `null` without a reply. */
  readonly reply: Json
}

/**
 * Lists the steps of a run in order, an open one last. If its first entries were deleted, it lists the
 * remaining steps.
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

/** The first reply counts. */
const answered = (
  one: RecordedRequest,
  { request, reply }: Extract<Entry, { type: 'replied' }>,
): RecordedRequest => (one.id === request && one.reply === null ? { ...one, reply } : one)
