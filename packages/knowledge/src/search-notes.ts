import type { DynamicMemoryStore, MemoryNote, NoteScope } from 'echelon/internal/knowledge'
import type { CachedVectors } from './embedders/cached-vectors.ts'
import { nearTexts } from './embedders/near-texts.ts'

interface NotesToSearch {
  readonly store: DynamicMemoryStore
  readonly embedder: CachedVectors
  readonly maxNotes: number
}

/**
 * The notes that contain all words of a query, last changed first, then those near it by meaning and
 * words, nearest first. An empty query finds the latest notes.
 */
export async function searchNotes(
  { store, embedder, maxNotes }: NotesToSearch,
  scopes: readonly NoteScope[],
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<readonly MemoryNote[]> {
  const holding = await store.find(scopes, query, limit)
  if (query.trim() === '' || holding.length >= limit) return holding
  const found = new Set(holding.map(({ id }) => id))
  const all = await store.find(scopes, undefined, maxNotes * scopes.length)
  const others = all.filter(({ id, damaged }) => damaged !== true && !found.has(id))
  const near = await nearTexts(others, query, {
    embedder,
    limit: limit - holding.length,
    textOf: ({ title, text }) => `${title}: ${text}`,
  })
  return [...holding, ...near]
}
