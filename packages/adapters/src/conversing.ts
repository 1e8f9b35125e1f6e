import type { ChatRunOptions, ChatEnd } from 'echelon/chat'
import type { RunEvent, Json, Message } from 'echelon/runtime'

/** The end of a turn, as far as adapters use it, such as a `ChatEnd`. */
export type ConversingEnd = Pick<
  ChatEnd<unknown>,
  'text' | 'status' | 'reason' | 'detail' | 'usage' | 'cost'
>

/** Options that an adapter can pass to a turn. */
export type ConversingOptions = Omit<ChatRunOptions, 'session' | 'use'>

/**
 * A turn in progress, as far as adapters use it, such as a `ChatRun`. Its events report progress; an
 * answer that is in none of them comes with the end.
 */
export interface ConversingRun extends AsyncIterable<RunEvent> {
  readonly id: string
  readonly result: Promise<ConversingEnd>
  /** The end of a turn even if its model failed and `result` rejects. Default: `result`. */
  readonly outcome?: Promise<ConversingEnd>
  cancel(): void
  /** @throws EchelonError UNKNOWN_REQUEST, or INVALID_INPUT for an invalid reply; the run keeps waiting */
  respond(request: string, reply: Json): void
  /** Sends a message to a working run. Without it, nothing can be said along with a reply. */
  hear?(text: string): void
}

/** An agent that takes turns: a chat agent, or anything of this shape. */
export interface ConversingAgent {
  readonly name: string
  run(input: string | readonly Message[], options?: ConversingOptions): ConversingRun
}

/** The end of a turn, even if its model failed. */
export const outcomeOf = (run: ConversingRun): Promise<ConversingEnd> => run.outcome ?? run.result
