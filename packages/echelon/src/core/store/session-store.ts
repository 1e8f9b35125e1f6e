import type { Json } from '../value/json.ts'
import type { StateContainer } from '../state/state.ts'
import type { Message } from '../message/thread.ts'

/** A turn's change to a session. Written with the append that ends the turn. */
export interface SessionChange {
  readonly id: string
  /** Name of the agent. */
  readonly agent: string
  /**
   * Number of stored messages when the turn began. If the number has changed since, another process
   * continued the session, and the change is refused, since it would overwrite that turn.
   */
  readonly from: number
  /** Number of those that stay, fewer if a turn was undone; the new messages follow them. */
  readonly keep: number
  readonly messages: readonly Message[]
  /** All states of its middleware with the scope `session`. */
  readonly states: StateContainer
  /** The agent's reference to the conversation at a provider, if a provider stores it. */
  readonly continues: Json
  readonly at: number
}

/** A stored session. */
export interface StoredSession {
  readonly id: string
  readonly agent: string
  readonly messages: readonly Message[]
  readonly states: StateContainer
  readonly continues: Json
  readonly isDisposable: boolean
  readonly beganAt: number
  readonly changedAt: number
}

/** Summary of a stored session. */
export interface SessionSummary extends Omit<StoredSession, 'messages' | 'states' | 'continues'> {
  readonly length: number
  /** Its stored data is corrupt, and the rest of this summary is unreliable. */
  readonly isDamaged?: true
}

/**
 * Port: sessions that outlive their process. The journal writes a turn in the append that ends it
 * (`Beside.session`), so that a crash can't separate the two. `sessionStoreContract` tests it.
 */
export interface SessionStore {
  /** Returns `undefined` for a session that was never written or was deleted. */
  load(id: string): Promise<StoredSession | undefined>
  /** Writes a session outside of a run, such as an imported one. */
  save(change: SessionChange): Promise<void>
  /** Newest first. */
  list(): Promise<readonly SessionSummary[]>
  /**
   * Marks a session as disposable, even before its first turn. `end` is called when it is over, or by
   * any process that finds it abandoned.
   */
  markDisposable(id: string): Promise<void>
  /** Ends a session. A disposable one is deleted as by `remove`; others are kept. */
  end(id: string): Promise<void>
  /**
   * Deletes a session with all its data: its messages, its runs with their entries, snapshots, events
   * and results, and its cached answers. The bytes are erased from the file too.
   * @throws EchelonError SESSION_BUSY while one of its turns is in progress
   */
  remove(id: string): Promise<void>
}
