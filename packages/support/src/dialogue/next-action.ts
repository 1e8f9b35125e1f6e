import { isAskUser } from '../plan.ts'
import type { Intent } from '../intent.ts'
import { CONFIRMATION } from '../turn/dialogue.ts'
import { missingParams, planFor } from '../turn/planning/planner.ts'

/** What follows for a task: a question for parameters, a confirmation, the call, or none of these. */
export type NextAction =
  | { readonly type: 'ask'; readonly params: readonly string[] }
  | { readonly type: 'confirm' | 'call' | 'other' }

/** The parameters known of a task, each in the wordings in which it was said. */
export type Wordings = ReadonlyMap<string, readonly string[]>

/** How far a task has come. */
export interface TaskProgress {
  /** Values last confirmed or called with; undefined before that. */
  readonly settled: Wordings | undefined
  /** A confirmation of these values is open. */
  readonly isConfirming: boolean
  /** What was offered since then, by parameter: another flight, another time. */
  readonly offered: Wordings
  /** The call with the settled values failed. */
  readonly hasFailed: boolean
  /** Results of the last call that were not offered yet; `null` if it is not known. */
  readonly left: number | null
}

export const NO_PROGRESS: TaskProgress = {
  settled: undefined,
  isConfirming: false,
  offered: new Map(),
  hasFailed: false,
  left: null,
}

/** What the customer did for the task in a message. */
export interface TaskMessage {
  readonly known: Wordings
  /** Parameters that the message itself gives; `null` if that is not known. */
  readonly informed: ReadonlySet<string> | null
  /** Agrees to what was asked or offered. */
  readonly affirms: boolean
  /** Asks for the task, or for it once more. */
  readonly requests: boolean
  /** Asks for another result than those offered. */
  readonly wantsOthers: boolean
}

/**
 * Decides what follows for a task. A task that was confirmed or called rests until the customer changes a value,
 * asks for it again, or accepts another value that was offered because the call failed.
 */
export function nextAction(
  intent: Intent,
  message: TaskMessage,
  progress: TaskProgress = NO_PROGRESS,
): NextAction {
  const isAccepted = acceptsOther(message, progress)
  const isSettled =
    progress.settled !== undefined && !isAccepted && !hasNews(intent, message, progress)
  const isAnswered = isSettled && progress.isConfirming && message.affirms
  const params = Object.fromEntries([...message.known].map(([name, [value = '']]) => [name, value]))
  // The offer was the confirmation's question, for the values that it changes.
  const isConfirmed = isAnswered || isAccepted
  const [first] = planFor({ intent, params, isConfirmed }).steps
  if (first !== undefined && isAskUser(first) && first.param !== CONFIRMATION) {
    return { type: 'ask', params: missingParams(intent, params) }
  }
  if (isSettled && !isAnswered) return { type: 'other' }
  return { type: first !== undefined && isAskUser(first) ? 'confirm' : 'call' }
}

/** Whether a message accepts what was offered in place of a call that failed. */
function acceptsOther(
  { known, affirms, informed }: TaskMessage,
  { settled, offered, hasFailed }: TaskProgress,
): boolean {
  if (!hasFailed || settled === undefined || !affirms) return false
  if (informed !== null && informed.size > 0) return false
  return [...known].some(
    ([name, values]) => isAmong(values, offered.get(name)) && !isAmong(values, settled.get(name)),
  )
}

/** Whether it is requested again, or a parameter was changed by the customer rather than accepted. */
function hasNews(
  { requiredParams, optionalParams }: Intent,
  { known, informed, requests, wantsOthers }: TaskMessage,
  { settled, offered, left }: TaskProgress,
): boolean {
  // With nothing left to offer, only another search can tell.
  if (requests || (wantsOthers && left === 0)) return true
  return [...requiredParams, ...optionalParams].some((name) => {
    const values = known.get(name)
    if (values === undefined || isAmong(values, settled?.get(name))) return false
    return informed === null ? !isAmong(values, offered.get(name)) : informed.has(name)
  })
}

const isAmong = (values: readonly string[], known: readonly string[] = []): boolean =>
  values.some((value) => known.includes(value))
