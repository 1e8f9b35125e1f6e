import type { ChatRunOptions } from 'echelon/chat'
import type { ChatEnd } from 'echelon/chat'
import type { RunEvent } from 'echelon/runtime'
import type { Json } from 'echelon/runtime'
import type { Message } from 'echelon/runtime'

/** What came of a turn, as far as adapters look at it: a `ChatEnd` is one. */
export type ConversingEnd = Pick<
  ChatEnd<unknown>,
  'text' | 'status' | 'reason' | 'detail' | 'usage' | 'cost'
>

/** What an adapter may ask of a turn. */
export type ConversingOptions = Omit<ChatRunOptions, 'session' | 'use'>

/**
 * A turn under way, as far as adapters look at it: a `ChatRun` is one. Its events say what it does
 * meanwhile; an answer that is in none of them is told at the end.
 */
export interface ConversingRun extends AsyncIterable<RunEvent> {
  readonly id: string
  readonly result: Promise<ConversingEnd>
  /** How it ended where `result` rejects because its model failed. Default: `result`. */
  readonly outcome?: Promise<ConversingEnd>
  cancel(): void
  /** @throws EchelonError UNKNOWN_REQUEST, or INVALID_INPUT for a reply that cannot be one: it waits on */
  respond(request: string, reply: Json): void
  /** Says something while it works. Without it, nothing can be said beside a reply. */
  hear?(text: string): void
}

/** An agent that takes turns: a chat agent is one, and so is whatever has its shape. */
export interface ConversingAgent {
  readonly name: string
  run(input: string | readonly Message[], options?: ConversingOptions): ConversingRun
}

/** How a turn ended, also where its model failed. */
export const outcomeOf = (run: ConversingRun): Promise<ConversingEnd> => run.outcome ?? run.result
