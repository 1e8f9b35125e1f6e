import type { Embedder } from '../core/model/embedder.ts'
import type { StaticMemoryStore } from '../core/knowledge/knowledge.ts'
import { openKnowledge } from '../../../store/src/compose/open-knowledge.ts'
import { embedderContract } from './contract/embedder-contract.ts'
import { holdsAndFails } from './holds-and-fails.ts'
import { staticMemoryStoreContract } from './contract/store/static-memory-store-contract.ts'

// --- embedders

/** Counts letters: a minimal embedder. */
function letters(text: string): Float32Array {
  const vector = new Float32Array(64)
  for (const letter of text) {
    const place = (letter.codePointAt(0) ?? 0) % 63
    vector[place] = (vector[place] ?? 0) + 1
  }
  vector[63] = 1
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const embedder =
  (broken: Partial<Embedder> = {}) =>
  (): Embedder => ({
    id: 'letters/64',
    dimensions: 64,
    embed: async (texts, signal) => {
      signal?.throwIfAborted()
      return texts.map(letters)
    },
    ...broken,
  })

let calls = 0

holdsAndFails<() => Embedder>('an embedder', embedderContract, embedder(), {
  'has an id and a number of dimensions': embedder({ id: ' ' }),
  'returns one vector per text, in order, with that many dimensions': embedder({
    embed: async (texts) => texts.map(letters).toReversed(),
  }),
  'every vector has length 1, also for a text without words': embedder({
    embed: async (texts) => texts.map((text) => letters(text).map((value) => value * 2)),
  }),
  'returns no vectors for no texts': embedder({
    embed: async (texts) => (texts.length === 0 ? [letters('')] : texts.map(letters)),
  }),
  'returns the same vector for the same text': embedder({
    embed: async (texts) => texts.map(() => letters(String.fromCodePoint(100 + calls++))),
  }),
  'an aborted call ends at once': embedder({
    embed: async (texts) => texts.map(letters),
  }),
})

// --- stores

type Broken = (good: StaticMemoryStore) => Partial<StaticMemoryStore>

const store =
  (broken: Broken = () => ({})) =>
  async (): Promise<StaticMemoryStore> => {
    const good = await openKnowledge(':memory:')
    return {
      put: (...asked) => good.put(...asked),
      remove: (id) => good.remove(id),
      sources: () => good.sources(),
      embedder: () => good.embedder(),
      search: (query) => good.search(query),
      ...broken(good),
    }
  }

holdsAndFails<() => Promise<StaticMemoryStore>>(
  'a store of knowledge',
  (open) => staticMemoryStoreContract(open, { another: copyWhenBroken }),
  store(),
  {
    'an empty store lists nothing, finds nothing and has no embedder': store(() => ({
      embedder: async () => 'test/4',
    })),
    'documents are listed by id, as they were added': store((good) => ({
      sources: async () => (await good.sources()).toReversed(),
    })),
    'a document replaces the one with its id, including all chunks': store((good) => ({
      put: async (source, chunks, by) => {
        const before = await good.search({ text: 'plum' })
        const kept = before.map((chunk) => ({ ...chunk, vectors: [Float32Array.of(0, 0, 1, 0)] }))
        await good.put(source, [...chunks, ...kept], by)
      },
    })),
    'a removed document is not found, and removing reports whether it existed': store((good) => ({
      remove: async (id) => {
        await good.remove(id)
        return true
      },
    })),
    'documents with any name are distinct': store((good) => ({
      put: (source, ...more) => good.put({ ...source, id: source.id.trim() }, ...more),
      remove: (id) => good.remove(id.trim()),
    })),
    'vectors of a different embedder are refused': store((good) => ({
      put: (source, chunks) => good.put(source, chunks, 'test/4'),
    })),
    'of several vectors of a chunk the nearest counts': store((good) => ({
      put: (source, chunks, by) =>
        good.put(
          source,
          chunks.map((chunk) => ({ ...chunk, vectors: chunk.vectors.slice(0, 1) })),
          by,
        ),
    })),
    'a chunk is returned unchanged': store((good) => ({
      search: async (query) =>
        (await good.search(query)).map((chunk) => ({
          ...chunk,
          text: chunk.text.trim(),
          page: null,
        })),
    })),
    'search ignores case and accents': store((good) => ({
      search: async (query) =>
        (await good.search(query)).filter(({ text }) => text.includes(query.text)),
    })),
    'any word matches, and more matches rank higher': store((good) => ({
      search: async (query) => (await good.search(query)).toReversed(),
    })),
    'headings and titles are searched too': store((good) => ({
      search: async (query) =>
        (await good.search(query)).filter(({ text }) => !/one|two/.test(text)),
    })),
    'query text is never parsed as operators': store((good) => ({
      search: async (query) => (query.text.startsWith('NOT ') ? [] : await good.search(query)),
    })),
    'vectors find texts without shared words, nearest first': store((good) => ({
      search: ({ text, limit = 5 }) => good.search({ text, limit }),
    })),
    'matches of both words and vectors rank above matches of one': store((good) => ({
      search: async (query) => {
        const { vector, ...words } = query
        const byWord = await good.search(words)
        return vector === undefined
          ? byWord
          : [...byWord.toReversed(), ...(await good.search(query))].toSorted(
              (a, b) => a.text.length - b.text.length,
            )
      },
    })),
    'scores decrease, and at most the requested number is returned, 5 by default': store(
      (good) => ({
        search: ({ limit = 10, ...query }) => good.search({ ...query, limit }),
      }),
    ),
    'a path filter matches the path and its content, not names that share its prefix': store(
      (good) => ({
        search: async ({ below = '', ...query }) =>
          (await good.search({ ...query, limit: 50 })).filter(({ source }) =>
            source.startsWith(below),
          ),
      }),
    ),
    'another process sees additions and removals at once': store(() => ({
      put: async () => undefined,
    })),
  },
)

/** In-memory data belongs to this process, so the second handle is the same store. */
function copyWhenBroken(one: StaticMemoryStore): StaticMemoryStore {
  return { ...one }
}
