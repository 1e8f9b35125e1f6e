import assert from 'node:assert/strict'
import type { StaticMemoryStore } from 'echelon/internal/knowledge'

const SOURCE = { id: 'a.md', title: 'A', digest: 'd', addedAt: 1 }
const CHUNK = { nth: 0, text: 'apple', headings: [], page: null, tokens: 1 }

interface KnowledgeCase {
  readonly name: string
  readonly holds: () => Promise<void>
}

type Open = () => Promise<StaticMemoryStore>

/**
 * Cases for our own stores, in addition to the contract of every store. Only tests import it.
 * @param open a new, empty store, which the caller closes
 */
export const knowledgeCases = (open: Open): readonly KnowledgeCase[] => [
  ...wholeCases(open),
  ...vectorCases(open),
  ...wordCases(open),
]

const wholeCases = (open: Open): readonly KnowledgeCase[] => [
  {
    name: 'a document that cannot be added whole changes nothing',
    holds: async () => {
      const store = await open()
      const vector = Float32Array.of(1, 0)
      await store.put(SOURCE, [{ ...CHUNK, vectors: [vector] }], 'test/2')
      const broken = {
        ...CHUNK,
        vectors: [vector],
        get text(): string {
          throw new Error('the disk is full')
        },
      }
      const added = store.put(
        SOURCE,
        [{ ...CHUNK, text: 'pear', vectors: [vector] }, broken],
        'test/2',
      )
      await assert.rejects(added, /full/)
      assert.deepEqual(await textsOf(store, 'apple pear', vector), ['apple'])
    },
  },
]

const vectorCases = (open: Open): readonly KnowledgeCase[] => [
  {
    name: 'rare dimensions weigh more than common ones, and dense vectors are not weighted',
    holds: async () => {
      const store = await open()
      const put = (id: string, vector: Float32Array): Promise<void> =>
        store.put({ ...SOURCE, id }, [{ ...CHUNK, text: id, vectors: [vector] }], 'test/8')
      // The first dimension occurs in every row, the second in only one.
      await put('rare', Float32Array.of(0.6, 0.8, 0, 0, 0, 0, 0, 0))
      for (const nth of [1, 2, 3, 4])
        await put(`common ${nth}`, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0))
      const query = Float32Array.of(Math.SQRT1_2, Math.SQRT1_2, 0, 0, 0, 0, 0, 0)
      const [first, second] = await store.search({ text: '', vector: query })
      assert.equal(first?.text, 'rare')
      // Unweighted it would be 0.99 and 0.71.
      assert.ok((second?.similarity ?? 1) < 0.45)
      const dense = await open()
      await dense.put(SOURCE, [{ ...CHUNK, vectors: [Float32Array.of(0.6, 0.8)] }], 'test/2')
      const [only] = await dense.search({ text: '', vector: Float32Array.of(0.8, 0.6) })
      assert.ok(Math.abs((only?.similarity ?? 0) - 0.96) < 1e-6)
    },
  },
  {
    name: 'sparse and dense vectors are compared alike',
    holds: async () => {
      const store = await open()
      const few = (place: number) => Float32Array.from({ length: 256 }, (_, at) => +(at === place))
      const many = new Float32Array(256).fill(1 / 16)
      for (const [id, vector] of Object.entries({ a: few(3), b: many, c: few(200) })) {
        await store.put({ ...SOURCE, id }, [{ ...CHUNK, text: id, vectors: [vector] }], 'test/256')
      }
      const found = await store.search({ text: '', vector: few(200) })
      assert.deepEqual(
        found.map(({ source, similarity }) => [source, similarity]),
        [
          ['c', 1],
          ['b', 1 / 16],
        ],
      )
    },
  },
]

const wordCases = (open: Open): readonly KnowledgeCase[] => [
  {
    name: 'related words and beginnings of words count where vectors are of meaning',
    holds: async () => {
      const store = await open()
      const put = (id: string): Promise<void> =>
        store.put({ ...SOURCE, id }, [{ ...CHUNK, text: id, vectors: [VECTOR] }], 'test/2')
      for (const id of ['a warranty of years', 'guarantees', 'nothing of it']) await put(id)
      const related = new Map([['guaranteed', [{ word: 'warranty', near: 0.5 }]]])
      const found = await store.search({ text: 'is it guaranteed', vector: VECTOR, related })
      assert.deepEqual(
        found.map(({ text }) => text),
        ['guarantees', 'a warranty of years', 'nothing of it'],
      )
    },
  },
  {
    name: 'words are found in any script, whatever signs stand between them',
    holds: async () => {
      const store = await open()
      for (const [id, text] of Object.entries(TEXTS)) {
        await store.put({ ...SOURCE, id }, [{ ...CHUNK, text, vectors: [VECTOR] }], 'test/2')
      }
      for (const [word, id] of Object.entries(WORDS)) {
        const found = await store.search({ text: word })
        assert.deepEqual(
          found.map(({ source }) => source),
          [id],
          word,
        )
      }
    },
  },
]

const VECTOR = Float32Array.of(0.6, 0.8)

const TEXTS = {
  mail: 'Write to ada.lovelace@mail.example/inbox, or call +49-89-1234567.',
  code: "it's in a\\b/c_name.ts 'quoted' -12.75 x=7890;",
  other: 'Привет Мир, 東京タワー, ẞtraße, Ελλάδα\0null',
}

/** Each is in one text only. */
const WORDS = {
  lovelace: 'mail',
  inbox: 'mail',
  1234567: 'mail',
  quoted: 'code',
  7890: 'code',
  привет: 'other',
  東京タワー: 'other',
  ελλάδα: 'other',
}

const textsOf = async (
  store: StaticMemoryStore,
  text: string,
  vector: Float32Array,
): Promise<readonly string[]> => (await store.search({ text, vector })).map((found) => found.text)
