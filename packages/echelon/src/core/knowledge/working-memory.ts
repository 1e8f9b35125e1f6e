/** The scope of a note: a user in all sessions, one session, or an agent for everybody. */
export interface NoteScope {
  readonly kind: 'user' | 'session' | 'agent'
  readonly id: string
}

/** A note that an agent remembers. */
export interface MemoryNote {
  readonly id: string
  readonly scope: NoteScope
  readonly title: string
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly changedAt: number
  /** Counts from 1; an update may require a version. */
  readonly version: number
  /** Whether the store can no longer read it, as title and text say. It can be deleted but not updated. */
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
 * Port: working memory that agents read and write. A note is visible only in its own scope.
 * `dynamicMemoryStoreContract` tests it.
 */
export interface DynamicMemoryStore {
  /**
   * Notes of these scopes, the most recently changed first; damaged ones come last.
   * @param query words that they must contain; default: all notes
   * @param limit default 100
   */
  find(scopes: readonly NoteScope[], query?: string, limit?: number): Promise<readonly MemoryNote[]>
  /**
   * Contract: runs once per key and returns the same result again. `null` for a note that does not exist
   * in this scope, `conflict` for a different version.
   */
  write(change: NoteChange, key: string): Promise<MemoryNote | null | 'conflict'>
  /** Deletes all notes of a scope; returns their number. */
  erase(scope: NoteScope): Promise<number>
}
