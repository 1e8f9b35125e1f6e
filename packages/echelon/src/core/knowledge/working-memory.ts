/** Whose a note is: of a user in all conversations, of one conversation, or of an agent for all. */
export interface NoteScope {
  readonly kind: 'user' | 'session' | 'agent'
  readonly id: string
}

/** Something that an agent keeps in mind. */
export interface MemoryNote {
  readonly id: string
  readonly scope: NoteScope
  readonly title: string
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly changedAt: number
  /** Counts from 1; an update may be bound to it. */
  readonly version: number
  /** The store cannot read it anymore: title and text say so. It can be deleted, and not updated. */
  readonly damaged?: true
}

export type NoteChange =
  | {
      readonly type: 'create'
      readonly scope: NoteScope
      readonly title: string
      readonly text: string
    }
  | {
      readonly type: 'update'
      readonly scope: NoteScope
      readonly id: string
      readonly title?: string
      readonly text?: string
      readonly ifVersion?: number
    }
  | { readonly type: 'delete'; readonly scope: NoteScope; readonly id: string }

/**
 * Port: working memory that agents read and write. A note is seen in its own scope alone.
 * `dynamicMemoryStoreContract` tests it.
 */
export interface DynamicMemoryStore {
  /**
   * Notes of these scopes, those changed last first; damaged ones come after all others.
   * @param query words that they are to hold; without one all
   * @param limit default 100
   */
  find(scopes: readonly NoteScope[], query?: string, limit?: number): Promise<readonly MemoryNote[]>
  /**
   * Contract: done once under a key, and the same answer again. `null` for a note that is not there in
   * this scope, `conflict` for one of another version.
   */
  write(change: NoteChange, key: string): Promise<MemoryNote | null | 'conflict'>
  /** Deletes all notes of a scope; returns how many there were. */
  erase(scope: NoteScope): Promise<number>
}
