import type { Embedder } from '../core/model/embedder.ts'
import type { StaticMemoryStore } from '../core/knowledge/knowledge.ts'
import { openKnowledge } from '../../../store/src/sqlite-knowledge.ts'
import { embedderContract } from './contract/embedder-contract.ts'
import { holdsAndFails } from './holds-and-fails.ts'
import { staticMemoryStoreContract } from './contract/static-memory-store-contract.ts'

// --- embedders

/** Counts letters: as simple as an embedder can be. */
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
  'it has a name, and a number of dimensions': embedder({ id: ' ' }),
  'there is one vector a text, in order, of that many dimensions': embedder({
    embed: async (texts) => texts.map(letters).toReversed(),
  }),
  'each has the length 1, also of a text without words': embedder({
    embed: async (texts) => texts.map((text) => letters(text).map((value) => value * 2)),
  }),
  'no texts have no vectors': embedder({
    embed: async (texts) => (texts.length === 0 ? [letters('')] : texts.map(letters)),
  }),
  'the same text has the same vector again': embedder({
    embed: async (texts) => texts.map(() => letters(String.fromCodePoint(100 + calls++))),
  }),
  'whoever gave it up waits for nothing': embedder({
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
    'what is empty lists nothing, finds nothing, and has no embedder': store(() => ({
      embedder: async () => 'test/4',
    })),
    'documents are listed by their ids, as they were put in': store((good) => ({
      sources: async () => (await good.sources()).toReversed(),
    })),
    'a document takes the place of the one of its id, with all of its pieces': store((good) => ({
      put: async (source, chunks, by) => {
        const before = await good.search({ text: 'plum' })
        const kept = before.map((chunk) => ({ ...chunk, vector: Float32Array.of(0, 0, 1, 0) }))
        await good.put(source, [...chunks, ...kept], by)
      },
    })),
    'what is removed is found no more, and only what was there was removed': store((good) => ({
      remove: async (id) => {
        await good.remove(id)
        return true
      },
    })),
    'documents of any name are told apart': store((good) => ({
      put: (source, ...more) => good.put({ ...source, id: source.id.trim() }, ...more),
      remove: (id) => good.remove(id.trim()),
    })),
    'vectors of another embedder are refused beside those there are': store((good) => ({
      put: (source, chunks) => good.put(source, chunks, 'test/4'),
    })),
    'a piece comes back as it was': store((good) => ({
      search: async (query) =>
        (await good.search(query)).map((chunk) => ({
          ...chunk,
          text: chunk.text.trim(),
          page: null,
        })),
    })),
    'words are found without regard to case and accents': store((good) => ({
      search: async (query) =>
        (await good.search(query)).filter(({ text }) => text.includes(query.text)),
    })),
    'any word will do, and who has more of them comes first': store((good) => ({
      search: async (query) => (await good.search(query)).toReversed(),
    })),
    'headings and titles are words too': store((good) => ({
      search: async (query) =>
        (await good.search(query)).filter(({ text }) => !/one|two/.test(text)),
    })),
    'nothing in a text is taken for an operator': store((good) => ({
      search: async (query) => (query.text.startsWith('NOT ') ? [] : await good.search(query)),
    })),
    'vectors find what no word does, the nearest first': store((good) => ({
      search: ({ text, limit = 5 }) => good.search({ text, limit }),
    })),
    'what words and vectors both find comes before what one of them does': store((good) => ({
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
    'scores fall, and no more is given than was asked for, 5 by default': store((good) => ({
      search: ({ limit = 10, ...query }) => good.search({ ...query, limit }),
    })),
    'below a path is itself and what is in it, and nothing that only begins so': store((good) => ({
      search: async ({ below = '', ...query }) =>
        (await good.search({ ...query, limit: 50 })).filter(({ source }) =>
          source.startsWith(below),
        ),
    })),
    'what one process puts in and takes out another finds and misses at once': store(() => ({
      put: async () => undefined,
    })),
  },
)

/** What is in memory is had by this process alone: two hands on the same. */
function copyWhenBroken(one: StaticMemoryStore): StaticMemoryStore {
  return { ...one }
}
