import type { Journal } from '../journal/journal.ts'
import type { Json } from '../value/json.ts'

/**
 * How a run stands. `running`: a live process works on it. `waiting`: for a reply, whether a process
 * waits with it or none, or until its time comes. `interrupted`: the process that worked on it has
 * died or failed, and any other may go on. `damaged`: what is kept of it is not as it was written, so
 * that nobody goes on with it; nothing else that its summary says can be relied on.
 */
export type RunStatus = 'running' | 'waiting' | 'interrupted' | 'finished' | 'canceled' | 'damaged'

/** What a run asked and nobody has answered. */
export interface OpenRequest {
  readonly id: string
  readonly about: Json
  readonly at: number
  /** Until when it waits; `null` for as long as it takes. */
  readonly until: number | null
}

/** A run as it stands, without what happened in it. */
export interface RunSummary {
  readonly id: string
  readonly agent: string
  readonly version: number
  readonly status: RunStatus
  /** Why it ended; `null` before. Of a damaged one what is damaged. */
  readonly reason: string | null
  /** What it was begun with. Holds personal data as the user gave it. */
  readonly input: Json
  /** What whoever began it said about how (`RunOptions.made`); `null` where they said nothing. */
  readonly made: Json
  readonly session: string | null
  /** The run that it was forked from. */
  readonly forkedFrom: string | null
  readonly beganAt: number
  readonly changedAt: number
  /** When it goes on without a reply; `null` where it does not. */
  readonly wakeAt: number | null
  /** Open requests, oldest first. */
  readonly requests: readonly OpenRequest[]
  /** Whether somebody asked for its end, and it has not ended yet. */
  readonly isCancelAsked: boolean
}

export interface RunFilter {
  readonly status?: readonly RunStatus[]
  readonly agent?: string
  readonly session?: string
  /** Default 100; newest first. */
  readonly limit?: number
}

/**
 * What goes of what has ended: whatever both of the first two let go, and nothing where neither is
 * given. What can be resumed stays, however old.
 */
export interface Retention {
  /** Runs that ended longer ago, in milliseconds. */
  readonly endedBeforeMs?: number
  /** Of those that ended, the newest so many stay. */
  readonly keep?: number
  /**
   * Whether conversations go too that nobody went on with for `endedBeforeMs`, and of which no run
   * stays; without that age none goes. Default false: a conversation can go on, however old.
   */
  readonly conversations?: boolean
  /**
   * Whether runs without an end, on which nobody works, keep what they need to go on and no more: how
   * they began, where they stood, and what came since. Steps before that can no longer be listed,
   * looked at or forked. Forks, and runs that were forked, stay whole: a fork answers from their
   * record. Default false.
   */
  readonly condense?: boolean
  /** Only counts what would go. Default false. */
  readonly dryRun?: boolean
}

/** What went, or would. */
export interface Pruned {
  readonly runs: number
  readonly sessions: number
  readonly results: number
  readonly cached: number
  /** Runs that go on, and whose first steps went. */
  readonly condensed: number
}

/**
 * Port: the runs of all processes that share a store. It is their journal, and knows how each
 * stands. `runStoreContract` tests it.
 */
export interface RunStore extends Journal {
  /** Newest first. */
  list(filter?: RunFilter): Promise<readonly RunSummary[]>
  find(runId: string): Promise<RunSummary | undefined>
  /**
   * Answers a request, whether a live process works on the run (it hears of it), or it waits (any
   * process may then take it up). The first answer holds.
   * @throws EchelonError UNKNOWN_RUN; UNKNOWN_REQUEST for one that does not wait; INVALID_INPUT for a
   * reply that cannot be one to it
   */
  reply(runId: string, request: string, reply: Json, by?: string): Promise<void>
  /**
   * Asks for the end of a run. A live process obeys soon; one that waits is `due` at once. It is put
   * on record once, however often it is asked.
   * @returns false where it had ended already
   * @throws EchelonError UNKNOWN_RUN
   */
  askToCancel(runId: string, by?: 'user' | 'shutdown'): Promise<boolean>
  /**
   * Runs that any process may take up now, oldest first: answered, woken, asked to end, or left by
   * a process that died. One that failed is not tried again by itself: it is due once somebody
   * answers it or asks for its end. @param limit default 100
   */
  due(limit?: number): Promise<readonly RunSummary[]>
  /**
   * Deletes a run with all that is kept of it.
   * @throws EchelonError RUN_BUSY while a live process works on it
   */
  remove(runId: string): Promise<void>
  prune(retention: Retention): Promise<Pruned>
}
