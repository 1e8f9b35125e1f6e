import { EchelonError } from 'echelon/internal/value'
import { NO_DIALOGUE, type QueuedIntent } from './dialogue.ts'
import { isSupportState, type SupportState } from './support-state.ts'

/** The state at the start of a turn, without what the message brings. */
export const FRESH: Omit<SupportState, 'input' | 'at' | 'startedAt'> = {
  phase: 'recalling',
  history: [],
  version: 0,
  customer: null,
  orders: null,
  eligible: [],
  rung: 0,
  text: '',
  reading: null,
  reprompt: null,
  queue: [],
  task: null,
  executions: [],
  plans: 0,
  texts: [],
  result: null,
  calls: [],
  dialogue: NO_DIALOGUE,
  outcome: 'answered',
  wordedBy: 'template',
  problem: null,
}

/**
 * Reads a stored state, of this version or an earlier one.
 * @throws EchelonError STATE_REFUSED
 */
export function loadState(snapshot: unknown): SupportState {
  if (isSupportState(snapshot) && !isOfOlderWeighing(snapshot)) return loaded(snapshot)
  throw new EchelonError(
    'STATE_REFUSED',
    'this is not a stored state of a support agent; send the message again',
  )
}

/** A turn that was asking the rules about several requests, stored before all of these were weighed in one way. */
const isOfOlderWeighing = ({ task, queue }: SupportState): boolean =>
  [task?.weighing, ...queue.filter((work) => work.do === 'weigh')].some(
    (weighing) => weighing !== undefined && !('weighed' in weighing),
  )

/** A state of an earlier version lacks what came later. */
function loaded(snapshot: SupportState): SupportState {
  const { input } = snapshot
  const defaults = { ...FRESH, text: input.interaction.text }
  const queue = snapshot.queue.map((work) => ('do' in work ? work : beginning(work)))
  return { ...defaults, ...snapshot, queue, dialogue: { ...NO_DIALOGUE, ...snapshot.dialogue } }
}

/** Version 2 kept the waiting requests without a word for what is done with them. */
const beginning = (request: QueuedIntent): SupportState['queue'][number] => ({
  do: 'begin',
  ...request,
})
