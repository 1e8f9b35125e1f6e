import type { Journal } from '../journal/journal.ts'
import type { Json } from '../value/json.ts'

/**
 * Status of a run. `running`: a live process works on it. `waiting`: it waits for a reply or a time,
 * with or without a process. `interrupted`: its process died or failed, and any other can resume it.
 * `failed`: it ended without a result, since it was given up (`reason` is a sentence). `damaged`: its
 * stored data is corrupt, so it cannot be resumed, and the rest of its summary is unreliable.
 */
export type RunStatus =
  | 'running'
  | 'waiting'
  | 'interrupted'
  | 'finished'
  | 'canceled'
  | 'failed'
  | 'damaged'

/** An unanswered request of a run. */
export interface OpenRequest {
  readonly id: string
  readonly about: Json
  readonly at: number
  /** When it expires; `null` for never. */
  readonly until: number | null
}

/** Summary of a run, without its entries. */
export interface RunSummary {
  readonly id: string
  readonly agent: string
  readonly version: number
  readonly status: RunStatus
  /** Why it ended; `null` before the end. For a damaged run, what is damaged. */
  readonly reason: string | null
  /** Its input. May hold personal data as the user gave it. */
  readonly input: Json
  /** `RunOptions.made` of the run; `null` if absent. */
  readonly made: Json
  readonly session: string | null
  /** The run that it was forked from. */
  readonly forkedFrom: string | null
  readonly beganAt: number
  readonly changedAt: number
  /** When it continues without a reply, in milliseconds since the epoch; `null` for never. */
  readonly wakeAt: number | null
  /** Open requests, oldest first. */
  readonly requests: readonly OpenRequest[]
  /** Whether a cancel was requested and the run has not ended yet. */
  readonly isCancelAsked: boolean
}

export interface RunFilter {
  readonly status?: readonly RunStatus[]
  readonly agent?: string
  readonly session?: string
  /**
   * Only runs of this user of a server. `served.by` in `made` names the user; if it is missing, the id of the
   * conversation begins with the user's name and a slash.
   */
  readonly owner?: string
  /** Only runs that are listed after this one; none if it is not there. */
  readonly before?: string
  /** Default 100; newest first. */
  readonly limit?: number
}

/**
 * Which ended runs to delete: those that match both `endedBeforeMs` and `keep`, as far as given, and
 * none if neither is given. Runs that can be resumed stay, however old.
 */
export interface Retention {
  /** Runs that ended longer ago, in milliseconds. */
  readonly endedBeforeMs?: number
  /** Number of newest ended runs that stay. */
  readonly keep?: number
  /**
   * Whether to delete sessions too that were not continued for `endedBeforeMs` and of which no run
   * stays; without that age, none is deleted. Default false: a session can continue, however old.
   */
  readonly conversations?: boolean
  /**
   * Whether to reduce unfinished runs that no process works on to what a resume needs: their start,
   * their last snapshot and later entries. Earlier steps can no longer be listed, inspected or forked.
   * Forks and runs that were forked stay whole, since a fork answers from their record. Default false.
   */
  readonly condense?: boolean
  /** Only counts what would be deleted. Default false. */
  readonly dryRun?: boolean
}

/** Numbers of deleted items, or of items that would be deleted. */
export interface Pruned {
  readonly runs: number
  readonly sessions: number
  readonly results: number
  readonly cached: number
  /** Unfinished runs whose first steps were deleted. */
  readonly condensed: number
}

/**
 * Port: the journal and status of the runs of all processes that share a store. `runStoreContract`
 * tests it.
 */
export interface RunStore extends Journal {
  /** Newest first. */
  list(filter?: RunFilter): Promise<readonly RunSummary[]>
  find(runId: string): Promise<RunSummary | undefined>
  /**
   * Answers a request. A live process of the run is notified; a waiting run can then be resumed by
   * any process. The first answer counts.
   * @throws EchelonError UNKNOWN_RUN; UNKNOWN_REQUEST if the request is not open; INVALID_INPUT for an
   * invalid reply
   */
  reply(runId: string, request: string, reply: Json, by?: string): Promise<void>
  /**
   * Requests a cancel. A live process cancels soon; a waiting run is `due` at once. Repeated requests
   * are recorded once.
   * @returns false if the run had already ended
   * @throws EchelonError UNKNOWN_RUN
   */
  askToCancel(runId: string, by?: 'user' | 'shutdown'): Promise<boolean>
  /**
   * Lists runs that any process may resume now, oldest first: answered, woken, asked to cancel, or
   * interrupted by the death of their process. A failed run is due only after a reply or a request
   * to cancel. @param limit default 100
   */
  due(limit?: number): Promise<readonly RunSummary[]>
  /**
   * Deletes a run with all its data.
   * @throws EchelonError RUN_BUSY while a live process works on it
   */
  remove(runId: string): Promise<void>
  prune(retention: Retention): Promise<Pruned>
}
