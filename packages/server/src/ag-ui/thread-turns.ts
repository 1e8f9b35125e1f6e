import type { Json } from 'echelon/runtime'
import type { ClientResult } from '../agents/client-tools.ts'
import type { ServedAgent, TurnInput } from '../agents/served-agent.ts'
import type { TurnPart } from '../runs/turn-part.ts'

/** The runs of one agent for one user, as AG-UI needs them: on a server, or in this process alone. */
export interface ThreadTurns {
  readonly agent: ServedAgent
  /** Whose they are. */
  readonly owner: string
  /** @returns the id of the run */
  start(input: TurnInput, thread: string): Promise<string>
  /** Whether a conversation of the thread is kept. */
  isKept(thread: string): Promise<boolean>
  /** The parts of a run from its begin, until it is over here. @throws for a run that is not theirs */
  follow(run: string, signal: AbortSignal): AsyncIterable<TurnPart>
  /** Ids of its requests that wait; empty for a run that is over. @throws for a run that is not of this thread */
  openRequests(run: string, thread: string): Promise<readonly string[]>
  /** @throws EchelonError UNKNOWN_REQUEST, INVALID_INPUT */
  answer(run: string, request: string, reply: Json): Promise<void>
  giveResults(run: string, request: string, results: ReadonlyMap<number, ClientResult>): void
  /** Resolves when it is over. */
  cancel(run: string): Promise<void>
}
