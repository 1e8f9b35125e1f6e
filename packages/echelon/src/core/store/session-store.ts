import type { Json } from '../value/json.ts'
import type { StateContainer } from '../state/state.ts'
import type { Message } from '../message/thread.ts'

/** What a turn changed in a conversation. Written with the append that ends the turn. */
export interface SessionChange {
  readonly id: string
  /** Whose conversation it is. */
  readonly agent: string
  /**
   * How many messages were kept when the turn began. Where there are others by now, somebody else
   * went on with the conversation, and the change is refused: it would take theirs away.
   */
  readonly from: number
  /** How many of those stay, fewer where a turn was undone; the new ones follow them. */
  readonly keep: number
  readonly messages: readonly Message[]
  /** What its middleware keeps, as a whole. */
  readonly states: StateContainer
  /** Where a provider keeps it, if one does: as the agent wrote it. */
  readonly continues: Json
  readonly at: number
}

/** A conversation as it is kept. */
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

/** A conversation in a list. */
export interface SessionSummary extends Omit<StoredSession, 'messages' | 'states' | 'continues'> {
  readonly length: number
  /** What is kept of it is not as it was written: nothing else that stands here can be relied on. */
  readonly isDamaged?: true
}

/**
 * Port: conversations that outlive their process. Turns are written by the journal, in the append
 * that ends them (`Beside.session`), so that no crash can part the two. `sessionStoreContract`
 * tests it.
 */
export interface SessionStore {
  /** Nothing for one that was never written, or was deleted. */
  load(id: string): Promise<StoredSession | undefined>
  /** Writes a conversation outside of a run, such as one that was brought along. */
  save(change: SessionChange): Promise<void>
  /** Newest first. */
  list(): Promise<readonly SessionSummary[]>
  /**
   * Marks a conversation, also one that has no turn yet, as one of which nothing is to stay: `end`
   * is then called when it is over, and by whatever process finds it abandoned.
   */
  markDisposable(id: string): Promise<void>
  /** The conversation is over. Of a disposable one everything goes, as by `remove`; of others nothing. */
  end(id: string): Promise<void>
  /**
   * Deletes a conversation with all that the store keeps of it: its messages, its runs with their
   * entries, snapshots, events and results, and what was cached for it. The bytes are gone from the
   * file too.
   * @throws EchelonError SESSION_BUSY while a turn of it is under way
   */
  remove(id: string): Promise<void>
}
