import type { ChatEnd } from '../agents/chat/chat-run.ts'
import type { ChatRunOptions } from '../agents/chat/chat-agent.ts'
import type { RunEvent } from '../core/event.ts'
import type { Json } from '../core/json.ts'
import type { Message } from '../core/thread.ts'

/** A turn under way, as far as adapters look at it: a `ChatRun` is one. */
export interface ConversingRun extends AsyncIterable<RunEvent> {
  readonly id: string
  readonly result: Promise<ChatEnd<unknown>>
  cancel(): void
  respond(request: string, reply: Json): void
}

/** An agent that takes turns: a chat agent is one, and so is whatever has its shape. */
export interface ConversingAgent {
  readonly name: string
  run(input: string | readonly Message[], options?: ChatRunOptions): ConversingRun
}
