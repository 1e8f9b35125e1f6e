import type { Amounts } from '../agent/budget.ts'
import type { SessionChange } from '../store/session-store.ts'
import type { Snapshot } from './snapshot.ts'
import type { Json, JsonObject } from '../value/json.ts'
import type { Observation } from '../agent/observation.ts'
import type { StateContainer } from '../state/state.ts'
import type { ToolOutcome } from '../tool/tool-call.ts'

/** Path of a run in its tree; `''` is the root run. */
export type Path = string

/**
 * An entry of a run's journal, in this order for each step. `closed(n)` and the start of step n+1
 * share one append, since `next` is pure. A run is the fold of its entries.
 */
export type Entry =
  | Started
  | Opened
  | Intended
  | Settled
  | Requested
  | Replied
  | CancelAsked
  | Closed
  | Bound
  | Resumed
  | Ended
  | Dropped

export interface Started {
  readonly type: 'started'
  readonly path: Path
  readonly runId: string
  readonly agent: string
  readonly version: number
  readonly input: Json
  readonly at: number
  readonly seed: number
  readonly timeZone: string
  /** Role to model, as `provider/model`. */
  readonly models: Readonly<Record<string, string>>
  readonly limits: Amounts
  /** The session that the run is a turn of, and its position in it. */
  readonly session?: {
    readonly id: string
    readonly length: number
    readonly digest: number
    /**
     * The number of messages in the store when the run started, if the session is stored: a resume finds
     * the session there. A store with other messages by now rejects the turn.
     */
    readonly kept?: number
  }
  readonly caller?: string
  /**
   * Data for rebuilding the agent in another process, such as the options of a command. The runtime
   * does not read it. Do not put keys here.
   */
  readonly made?: Json
  readonly forkedFrom?: ForkedFrom
  /** W3C `traceparent` of the run's span, if it was traced; later work is linked to it. */
  readonly traceparent?: string
  /** The states of the session when the run started. */
  readonly states?: StateContainer
}

/** The run that this one was forked from. */
export interface ForkedFrom {
  readonly run: string
  /** The first step that was run again. */
  readonly at: number
  /** When it was forked, in milliseconds since the epoch; copied entries have the original's times. */
  readonly forkedAt?: number
  /** Tools that may act again; others answer from the record or are denied. */
  readonly act?: readonly string[]
  /** Memories that may be written again. */
  readonly memories?: readonly string[]
  /** The session of the original run: the fork knows its messages but is not a turn of it. */
  readonly session?: Started['session']
}

/** A role uses another model from the next call on. */
export interface Bound {
  readonly type: 'bound'
  readonly path: Path
  readonly role: string
  /** As `provider/model`. */
  readonly model: string
  readonly at: number
}

/** The states that an entry changed, each complete, by key. */
export type StateChanges = JsonObject

/** Recorded before each attempt: its maximum cost. */
export interface Opened {
  readonly type: 'opened'
  readonly path: Path
  readonly seq: number
  readonly hold: Amounts
}

/** Recorded before a tool that acts or is idempotent runs: from here on it may have acted. */
export interface Intended {
  readonly type: 'intended'
  readonly path: Path
  readonly seq: number
  /** Number of the call within its step. */
  readonly call: number
  readonly key: string
}

/** A call of a batch has finished. */
export interface Settled {
  readonly type: 'settled'
  readonly path: Path
  readonly seq: number
  readonly call: number
  /** As the agent sees it, after all middleware. */
  readonly outcome: ToolOutcome
  readonly states?: StateChanges
}

export interface Requested {
  readonly type: 'requested'
  readonly path: Path
  readonly seq: number
  /** The call that waits for the reply; absent for a question of the agent. */
  readonly call?: number
  readonly request: string
  readonly about: Json
  /** Hash of the call to approve: the reply applies only to it. */
  readonly hash?: string
  readonly at: number
  /** When it expires, in milliseconds since the epoch; absent for never. */
  readonly until?: number
}

/** The reply to a request. Any process may record it, even one that does not execute the run. */
export interface Replied {
  readonly type: 'replied'
  readonly request: string
  readonly reply: Json
  readonly at: number
  /** The person who answered, if known. */
  readonly by?: string
}

/** A request to cancel. Any process may record it; the process that executes the run obeys it. */
export interface CancelAsked {
  readonly type: 'cancel-asked'
  readonly by: 'user' | 'shutdown'
  readonly at: number
}

/** Entries that other processes may record while one executes the run. */
export type FromOutside = Replied | CancelAsked

export interface Closed {
  readonly type: 'closed'
  readonly path: Path
  readonly seq: number
  /** Digest of the effect; 0 for an observation without an effect (`heard`, `canceled`). */
  readonly digest: number
  readonly seen: Observation
  readonly at: number
  /** Counters that changed since they were last recorded, with their current values. */
  readonly spent: Amounts
  readonly states?: StateChanges
  /** Set only if filters changed the prompt. */
  readonly prompt?: SentPrompt
}

/** Digests of what a model was sent besides the conversation: filters are not run again. */
export interface SentPrompt {
  readonly digest: number
  readonly head: number
  readonly tail: number
}

/** Another process continues the run: open attempts are charged at their reserved amount. */
export interface Resumed {
  readonly type: 'resumed'
  /** Path of a child run whose states were stored by other code; absent for the whole tree. */
  readonly path?: Path
  readonly charged: Amounts
  readonly at: number
  /**
   * Number of entries that the resuming process had read. If there are more by now, its view is outdated,
   * and a shared store refuses the resume.
   */
  readonly after?: number
  /** Set if the process before died at work (`interruptions.ts`). */
  readonly interrupted?: true
  /**
   * All states after migration, if other code had stored them. Later entries hold states of these
   * versions, which must not be migrated again.
   */
  readonly states?: StateContainer
}

export interface Ended {
  readonly type: 'ended'
  readonly path: Path
  /** `failed`: the run was given up. It has no result. */
  readonly status: 'finished' | 'canceled' | 'failed'
  /** For a failed run, a sentence for a person. */
  readonly reason: string
  readonly at: number
  readonly states?: StateChanges
  /** The answer, if middleware changed the agent's. */
  readonly text?: string
}

/**
 * Replaces deleted entries, right after `started`, by the state to which they were folded. Created
 * only by `condensed`, so that the next entry is of the step `snapshot.seq`.
 */
export interface Dropped {
  readonly type: 'dropped'
  /** Number of entries that it replaces. */
  readonly count: number
  readonly snapshot: Snapshot
}

/** Data that becomes durable together with an append, or not at all. */
export interface Beside {
  /** The turn's change to its session. */
  readonly session?: SessionChange
  /** The state of the run after the entries of the append. */
  readonly snapshot?: Snapshot
}

/** The state in which a process leaves a run. */
export type Leaving =
  /** It ended, or failed in a way that a resume may fix. */
  | { readonly type: 'over' }
  /** It waits without a process. */
  | {
      readonly type: 'suspended'
      /** When it continues without a reply, in milliseconds since the epoch; absent for never. */
      readonly wakeAt?: number
    }

/**
 * Port: stores the entries of runs. A journal is not a log: runs are resumed from it, so entries are
 * not redacted and may hold secrets and personal data. Protect and delete it like that data.
 * Contract: the entries of one append become durable together or not at all, before it returns. It
 * throws when it could not write, and the run then performs no more effects. `journalContract` tests
 * it.
 *
 * A journal that several processes share (`RunStore`) has one writer for each run and for each
 * session: the process that appends `started` or `resumed`, until it calls `leave` or counts as dead.
 * An append of any other process is refused, and so is a `resumed` that has not read all entries.
 * A new turn of a session is refused while the previous one runs, waits, or was interrupted by the
 * death of its process: that turn must end first. A turn that was left as failed does not block.
 */
export interface Journal {
  /**
   * Whether entries carry digests, with which later code checks that it makes the same decisions. Default
   * true; a journal in memory needs none.
   */
  readonly digests?: boolean
  /** Interruptions without progress after which a run is given up. Default 10. */
  readonly giveUpAfter?: number
  /**
   * Returns whether the last process that worked on a run died, rather than left it. Without this, no interruption
   * is counted.
   */
  isCutOff?(runId: string): boolean | Promise<boolean>
  append(runId: string, entries: readonly Entry[], beside?: Beside): void | Promise<void>
  /**
   * Returns all entries of a run in the order of their appends; empty for an unknown run. A store
   * that has deleted the first ones returns the result of `condensed`.
   */
  read(runId: string): readonly Entry[] | Promise<readonly Entry[]>
  /** Returns the newest snapshot of a run; `undefined` if there is none. */
  snapshot?(runId: string): Snapshot | undefined | Promise<Snapshot | undefined>
  /**
   * Calls `hear` with entries that others record for a run of this process, soon after they do.
   * Entries that were not delivered before the run is left make it due at once.
   * @returns stops following
   */
  follow?(runId: string, hear: (entry: FromOutside) => void): () => void
  /**
   * Releases a run, so that another process can continue it at once. Called once for each run with an
   * append by this process. Never throws.
   */
  leave?(runId: string, how: Leaving): void
}
