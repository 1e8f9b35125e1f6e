import type { DynamicMemoryStore, MemoryNote } from 'echelon/internal/knowledge'

/** Exports all notes of a user, last changed first. */
export const exportNotes = (
  store: DynamicMemoryStore,
  user: string,
): Promise<readonly MemoryNote[]> =>
  store.find([{ kind: 'user', id: user }], undefined, Number.MAX_SAFE_INTEGER)

/**
 * Deletes all notes of a user, in a file down to the bytes. Conversations in which they were written
 * are deleted separately (`sessions.remove`), with their session notes.
 * @returns the number of deleted notes
 */
export const eraseNotes = (store: DynamicMemoryStore, user: string): Promise<number> =>
  store.erase({ kind: 'user', id: user })
