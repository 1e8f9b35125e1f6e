import type { Moved, Note } from 'echelon/runtime'
import { timestampIn } from 'echelon/internal/value'
import { answerIn } from './kept-history.ts'
import type { Message } from '../message.ts'
import { failed } from './planning/plan-execution.ts'
import { responded } from './stages.ts'
import type { SupportInput } from './support-input.ts'
import type { Outcome, SupportState, ActiveIntent } from './support-state.ts'
import { inOrder, MODEL_FAILED, SYMPATHY, WITH_A_PERSON } from '../wording/sentences.ts'
import { isUpset } from '../wording/upset.ts'

/** Adds earlier notes to those of a step. */
export const noting = (
  notes: readonly Note[],
  moved: Moved<SupportState>,
): Moved<SupportState> => ({
  state: moved.state,
  notes: [...notes, ...(moved.notes ?? [])],
})

/** Ends the turn's work: everything asked for is done or waits, and remains to be stored. */
export function conclude(state: SupportState): Moved<SupportState> {
  const texts = withSympathy(state, inOrder([...new Set(state.texts)], state.outcome === 'asked'))
  const concluded: SupportState = { ...state, texts, phase: 'keeping', task: null }
  return { state: concluded, notes: [responded(concluded, textOf(concluded))] }
}

/** A word of sympathy first, where the customer is plainly upset; not twice in a row, and not over a model's words. */
function withSympathy(
  { text, history, wordedBy }: SupportState,
  texts: readonly string[],
): readonly string[] {
  const [first, ...others] = texts
  const before = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const isSaid = before.startsWith(SYMPATHY) || /\bsorry\b/iu.test(first ?? '')
  return first === undefined ||
    first === WITH_A_PERSON ||
    wordedBy === 'model' ||
    isSaid ||
    !isUpset(text)
    ? texts
    : [`${SYMPATHY} ${first}`, ...others]
}

/** Adds an answer; it is the turn's last unless more was asked for. What was said in the turn is not said again. */
export const answered = (state: SupportState, text: string, outcome: Outcome): SupportState => ({
  ...state,
  texts: state.texts.includes(text) ? state.texts : [...state.texts, text],
  outcome,
})

/** Ends the turn after a failure of a model or memory, without undoing anything. */
export function failTurn(state: SupportState, problem: string): Moved<SupportState> {
  const { task } = state
  const open = task === null ? state : leftOver(state, task, problem)
  return conclude({ ...answered(open, MODEL_FAILED, 'failed'), problem })
}

/** Fails the current plan, so that no later turn resumes it. */
const leftOver = (
  state: SupportState,
  { execution }: ActiveIntent,
  problem: string,
): SupportState => ({
  ...state,
  executions: [...state.executions, failed(execution, problem, utc(state.at))],
})

/** The text for the customer. */
export const textOf = ({ texts }: Pick<SupportState, 'texts'>): string => texts.join('\n\n')

/** The earlier answer to a message that is delivered again; its work is not repeated. Undefined for a new message. */
export function answeredBefore(state: SupportState): Moved<SupportState> | undefined {
  const id = answerId(state.input)
  const kept = state.history.find(({ role, metadata }) => role === 'agent' && metadata['id'] === id)
  if (kept === undefined) return undefined
  const { outcome, dialogue, executions, calls } = answerIn(kept)
  const again: SupportState = {
    ...answered(state, kept.text, outcome),
    dialogue,
    executions,
    calls,
    result: calls.at(-1)?.result ?? null,
    phase: 'done',
  }
  return { state: again, notes: [responded(again, kept.text)] }
}

/** The conversation's id for a message and its answer. */
export const messageId = ({ interaction }: SupportInput): string => `${interaction.id}:user`
export const answerId = ({ interaction }: SupportInput): string => `${interaction.id}:agent`

/** The stored answer, from which a later turn knows the open task. */
export function answerMessage(state: SupportState): Message {
  const { executions, calls, outcome } = state
  const { about, ...rest } = state.dialogue
  // Journals of earlier versions do not know `about`: without an order the message stays as theirs.
  const dialogue = about === null ? rest : state.dialogue
  return {
    role: 'agent',
    text: textOf(state),
    timestamp: utc(state.at),
    metadata: { id: answerId(state.input), outcome, dialogue, executions, calls },
  }
}

/** The stored customer message, with its sender and channel. */
export function customerMessage({ input, at }: SupportState): Message {
  const { text, customerId, context } = input.interaction
  const metadata = { id: messageId(input), customerId, context }
  return { role: 'user', text, timestamp: utc(at), metadata }
}

export const utc = (at: number): string => timestampIn('UTC', at)
