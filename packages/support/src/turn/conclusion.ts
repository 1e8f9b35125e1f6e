import type { Moved, Note } from 'echelon/runtime'
import { timestampIn } from 'echelon/internal/value'
import { answerIn } from './kept-history.ts'
import type { Message } from '../message.ts'
import { failed } from './plan-execution.ts'
import { responded } from './stages.ts'
import type { SupportInput } from './support-input.ts'
import type { Outcome, SupportState, Task } from './support-state.ts'
import { MODEL_FAILED } from '../wording/sentences.ts'

/** Adds what came before to what a step is told. */
export const noting = (
  notes: readonly Note[],
  moved: Moved<SupportState>,
): Moved<SupportState> => ({
  state: moved.state,
  notes: [...notes, ...(moved.notes ?? [])],
})

/** All is done that this message asked for, or it waits: what is left is to write it down. */
export function conclude(state: SupportState): Moved<SupportState> {
  const concluded: SupportState = { ...state, phase: 'keeping', task: null }
  return { state: concluded, notes: [responded(concluded, textOf(concluded))] }
}

/** One more answer; it is the turn's last unless more was asked for. */
export const answered = (state: SupportState, text: string, outcome: Outcome): SupportState => ({
  ...state,
  texts: [...state.texts, text],
  outcome,
})

/** What a model or a memory could not do ends the turn, and takes nothing back. */
export function failTurn(state: SupportState, problem: string): Moved<SupportState> {
  const { task } = state
  const open = task === null ? state : leftOver(state, task, problem)
  return conclude({ ...answered(open, MODEL_FAILED, 'failed'), problem })
}

/** The plan that was under way comes to nothing: no later turn goes on with it. */
const leftOver = (state: SupportState, { execution }: Task, problem: string): SupportState => ({
  ...state,
  executions: [...state.executions, failed(execution, problem, utc(state.at))],
})

/** What the customer reads. */
export const textOf = ({ texts }: Pick<SupportState, 'texts'>): string => texts.join('\n\n')

/**
 * The answer that this message was given when it came before: what was done for it is not done again.
 * Nothing where it is new.
 */
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

/** What the conversation knows a message, and its answer, by. */
export const messageId = ({ interaction }: SupportInput): string => `${interaction.id}:user`
export const answerId = ({ interaction }: SupportInput): string => `${interaction.id}:agent`

/** What the conversation keeps of the answer: with it a later turn knows what is open. */
export function answerMessage(state: SupportState): Message {
  const { dialogue, executions, calls, outcome } = state
  return {
    role: 'agent',
    text: textOf(state),
    timestamp: utc(state.at),
    metadata: { id: answerId(state.input), outcome, dialogue, executions, calls },
  }
}

/** What the customer said, and as whom, and where. */
export function customerMessage({ input, at }: SupportState): Message {
  const { text, customerId, context } = input.interaction
  const metadata = { id: messageId(input), customerId, context }
  return { role: 'user', text, timestamp: utc(at), metadata }
}

export const utc = (at: number): string => timestampIn('UTC', at)
