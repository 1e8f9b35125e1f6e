import type { DynamicMemoryStore, MemoryNote } from 'echelon/internal/knowledge'

/** All notes of a user, those changed last first: for whoever asks what is kept about them. */
export const exportNotes = (
  store: DynamicMemoryStore,
  user: string,
): Promise<readonly MemoryNote[]> =>
  store.find([{ kind: 'user', id: user }], undefined, Number.MAX_SAFE_INTEGER)

/**
 * Deletes all notes of a user; in a file down to the bytes. Conversations in which they were written
 * are deleted on their own (`sessions.remove`), with the notes of these conversations.
 * @returns how many there were
 */
export const eraseNotes = (store: DynamicMemoryStore, user: string): Promise<number> =>
  store.erase({ kind: 'user', id: user })
