import type { Json, RunEvent } from 'echelon/runtime'
import type { AgentChoice } from '../chat/agent-choice.ts'

/** Reply to a question that stays open, to be answered in another process. */
export const LATER: unique symbol = Symbol('later')

/** Reply of a person who pressed Ctrl-C at a question. */
export const AWAY: unique symbol = Symbol('away')

/** A reply to a question; undefined cancels the turn. */
export type Reply = Json | typeof LATER | typeof AWAY | undefined

/** How a turn ended; `waiting` if it is suspended until a person answers. */
export type Ended = 'answered' | 'failed' | 'canceled' | 'waiting'

/** A turn that has ended, as a display shows it. */
export interface ShownTurn {
  /** The answer; an empty string without one. */
  readonly text: string
  /** The reason if the answer is incomplete or missing. */
  readonly problem?: string | undefined
  /** The next possible actions of the person; shown on a terminal only. */
  readonly hint?: string | undefined
  /** The turn for a program; printed instead of the text with `--json`. */
  readonly json: object
}

/** Shows turns and asks what they ask. */
export interface TurnDisplay {
  show(event: RunEvent): void
  /** @param allOfIt the command that shows the question in full, if there is one */
  ask(about: Json, signal: AbortSignal, allOfIt?: string): Promise<Reply>
  end(turn: ShownTurn): void
  /** Shows a problem. */
  complain(text: string): void
}

/** One side of a conversation: a person at a terminal, or a program behind pipes. */
export interface Display extends TurnDisplay {
  readonly isTerminal: boolean
  /** Shows an answer, or a complete part of one. */
  answer(text: string): void
  /** Shows the output of a slash command. */
  say(text: string): void
  /**
   * Yields the lines that are typed or piped, except empty ones.
   * @param history what the Up key brings back, oldest first
   * @param commands what the Tab key completes
   */
  lines(history: readonly string[], commands: readonly string[]): AsyncIterable<string>
}

/** The answer to every approval; with `later`, all questions stay open. */
export type Approve = NonNullable<AgentChoice['approve']>

/** Options of a display. */
export interface DisplayOptions {
  readonly json?: boolean | undefined
  readonly approve?: Approve | undefined
}
