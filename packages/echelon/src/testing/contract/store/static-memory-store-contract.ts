import assert from 'node:assert/strict'
import type {
  EmbeddedChunk,
  FoundChunk,
  KnowledgeQuery,
  StaticMemoryStore,
} from '../../../core/knowledge/knowledge.ts'
import { casesOf, type ContractCase, ODD_NAMES } from '../../contract.ts'

/** Options for a store that outlives its process. */
export interface LastingKnowledge {
  /** The same knowledge, opened by another process. Adds cases. */
  readonly another?: (store: StaticMemoryStore) => StaticMemoryStore | Promise<StaticMemoryStore>
}

type Open = () => StaticMemoryStore | Promise<StaticMemoryStore>

/**
 * The requirements of every `StaticMemoryStore`: `for (const { name, holds } of
 * staticMemoryStoreContract(open)) test(name, holds)`.
 * @param open a new, empty store for each case
 */
export function staticMemoryStoreContract(
  open: Open,
  { another }: LastingKnowledge = {},
): readonly ContractCase[] {
  return [
    ...keeping(open),
    ...holding(open),
    ...finding(open),
    ...ranking(open),
    ...placing(open),
    ...(another === undefined ? [] : sharing(open, another)),
  ]
}

const E = 'test/4'

function keeping(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('an empty store lists nothing, finds nothing and has no embedder', async (store) => {
      assert.deepEqual(await store.sources(), [])
      assert.deepEqual(await store.search({ text: 'apple', vector: NORTH }), [])
      assert.equal(await store.embedder(), null)
    }),
    caseOf('documents are listed by id, as they were added', async (store) => {
      await put(store, 'b.md', [chunk('pear')])
      await put(store, 'a.md', [chunk('apple'), chunk('plum')])
      assert.deepEqual(await store.sources(), [
        { ...about('a.md'), chunks: 2 },
        { ...about('b.md'), chunks: 1 },
      ])
      assert.equal(await store.embedder(), E)
    }),
    caseOf('a document replaces the one with its id, including all chunks', async (store) => {
      await put(store, 'a.md', [chunk('apple'), chunk('plum', { vector: EAST })])
      await store.put({ ...about('a.md'), digest: 'other' }, [chunk('quince')], E)
      assert.deepEqual(await store.sources(), [{ ...about('a.md'), digest: 'other', chunks: 1 }])
      assert.deepEqual(await texts(store, { text: 'apple plum quince' }), ['quince'])
      assert.deepEqual(await texts(store, { text: '', vector: EAST }), [])
    }),
    caseOf(
      'a removed document is not found, and removing reports whether it existed',
      async (store) => {
        await put(store, 'a.md', [chunk('apple', { vector: EAST })])
        await put(store, 'b.md', [chunk('apple pie')])
        assert.equal(await store.remove('a.md'), true)
        assert.equal(await store.remove('a.md'), false)
        assert.deepEqual(await texts(store, { text: 'apple', vector: EAST }), ['apple pie'])
      },
    ),
    caseOf('documents with any name are distinct', async (store) => {
      for (const name of ODD_NAMES) await put(store, name, [chunk(`about ${name.slice(0, 30)}`)])
      assert.equal((await store.sources()).length, ODD_NAMES.length)
      for (const name of ODD_NAMES) assert.equal(await store.remove(name), true)
      assert.deepEqual(await store.sources(), [])
    }),
  ]
}

function holding(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('vectors of a different embedder are refused', async (store) => {
      await put(store, 'a.md', [chunk('apple')])
      await assert.rejects(store.put(about('b.md'), [chunk('pear')], 'other/4'), {
        code: 'INVALID_INPUT',
      })
      assert.deepEqual(await texts(store, { text: 'apple pear' }), ['apple'])
      await store.put(about('a.md'), [chunk('apple')], 'other/4')
      assert.equal(await store.embedder(), 'other/4')
    }),
    caseOf('a chunk is returned unchanged', async (store) => {
      const given = chunk('Ein “Satz” — 東京 <b>\n\n§', {
        headings: ['Über', 'B'],
        page: 7,
        tokens: 12,
      })
      await put(store, 'a.md', [chunk('other'), given])
      const [found] = await store.search({ text: 'Satz' })
      assert.ok(found !== undefined)
      const { score, similarity: _, ...rest } = found
      const { vectors: __, ...kept } = given
      assert.deepEqual(rest, { ...kept, nth: 1, source: 'a.md', title: 'Title of a.md' })
      assert.ok(score > 0)
    }),
  ]
}

function finding(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('search ignores case and accents', async (store) => {
      await put(store, 'a.md', [chunk('Crème BRÛLÉE'), chunk('apple')])
      assert.deepEqual(await texts(store, { text: 'creme brulee' }), ['Crème BRÛLÉE'])
      assert.deepEqual(await texts(store, { text: 'ÁPPLE' }), ['apple'])
    }),
    caseOf('any word matches, and more matches rank higher', async (store) => {
      await put(store, 'a.md', [chunk('red wine'), chunk('red apple cake'), chunk('blue')])
      assert.deepEqual(await texts(store, { text: 'red apple' }), ['red apple cake', 'red wine'])
    }),
    caseOf('headings and titles are searched too', async (store) => {
      await put(store, 'a.md', [chunk('one', { headings: ['Refunds'] }), chunk('two')])
      assert.deepEqual(await texts(store, { text: 'refunds', limit: 1 }), ['one'])
      assert.equal((await store.search({ text: 'Title' })).length, 2)
    }),
    caseOf('query text is never parsed as operators', async (store) => {
      await put(store, 'a.md', [chunk('apple AND pear'), chunk('near')])
      for (const text of ODD_TEXTS) await store.search({ text, vector: NORTH })
      assert.deepEqual(await texts(store, { text: 'NOT apple' }), ['apple AND pear'])
      assert.deepEqual(await texts(store, { text: 'text:apple*' }), ['apple AND pear'])
    }),
  ]
}

function ranking(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('vectors find texts without shared words, nearest first', async (store) => {
      await put(store, 'a.md', [
        chunk('south', { vector: SOUTH }),
        chunk('between', { vector: unit(1, 1, 0, 0) }),
        chunk('north', { vector: NORTH }),
      ])
      assert.deepEqual(await texts(store, { text: '', vector: NORTH }), ['north', 'between'])
      const [nearest] = await store.search({ text: '', vector: NORTH })
      assert.ok(Math.abs((nearest?.similarity ?? 0) - 1) < 1e-3)
    }),
    caseOf('of several vectors of a chunk the nearest counts', async (store) => {
      await put(store, 'a.md', [
        chunk('both', { vectors: [SOUTH, unit(1, 0.2, 0, 0), EAST] }),
        chunk('between', { vector: unit(1, 1, 0, 0) }),
      ])
      assert.deepEqual(await texts(store, { text: '', vector: NORTH }), ['both', 'between'])
      const [nearest] = await store.search({ text: '', vector: EAST })
      assert.equal(nearest?.text, 'both')
      assert.ok(Math.abs((nearest?.similarity ?? 0) - 1) < 1e-3)
    }),
    caseOf('matches of both words and vectors rank above matches of one', async (store) => {
      await put(store, 'a.md', [
        chunk('apple', { vector: SOUTH }),
        chunk('apple tree', { vector: unit(1, 0.2, 0, 0) }),
        chunk('tower', { vector: NORTH }),
      ])
      const [first] = await texts(store, { text: 'apple', vector: NORTH })
      assert.equal(first, 'apple tree')
    }),
    caseOf(
      'scores decrease, and at most the requested number is returned, 5 by default',
      async (store) => {
        const many = Array.from({ length: 12 }, (_, n) => chunk(`apple ${'pie '.repeat(n)}`))
        await put(store, 'a.md', many)
        const found = await store.search({ text: 'apple', vector: NORTH })
        assert.equal(found.length, 5)
        const scores = found.map(({ score }) => score)
        assert.deepEqual(
          scores,
          scores.toSorted((a, b) => b - a),
        )
        assert.equal((await store.search({ text: 'apple', limit: 9 })).length, 9)
      },
    ),
  ]
}

function placing(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf(
      'a path filter matches the path and its content, not names that share its prefix',
      async (store) => {
        for (const id of [
          'docs/a.md',
          'docs',
          'docs2/a.md',
          'Docs/a.md',
          'x/docs/a.md',
          'do_s/a.md',
        ]) {
          await put(store, id, [chunk('apple', { vector: NORTH })])
        }
        const within = async (query: Partial<KnowledgeQuery>): Promise<readonly string[]> => {
          const found = await store.search({ text: '', limit: 10, below: 'docs', ...query })
          return found.map(({ source }) => source).toSorted()
        }
        assert.deepEqual(await within({ text: 'apple' }), ['docs', 'docs/a.md'])
        assert.deepEqual(await within({ vector: NORTH }), ['docs', 'docs/a.md'])
      },
    ),
  ]
}

const sharing = (
  open: Open,
  another: NonNullable<LastingKnowledge['another']>,
): readonly ContractCase[] => [
  casesOf(open)('another process sees additions and removals at once', async (store) => {
    const other = await another(store)
    await put(store, 'a.md', [chunk('apple')])
    assert.deepEqual(await texts(other, { text: 'apple', vector: NORTH }), ['apple'])
    await put(other, 'b.md', [chunk('pear', { vector: EAST })])
    assert.deepEqual(await texts(store, { text: '', vector: EAST }), ['pear'])
    await store.remove('b.md')
    assert.deepEqual(await texts(other, { text: 'pear', vector: EAST }), [])
  }),
]

const ODD_TEXTS = [
  '"',
  '""',
  "'",
  '*',
  '(',
  'a OR',
  'AND',
  'NEAR(a b)',
  'text : a',
  '-',
  '^a',
  '{a b}',
  '\0',
  '%',
  ';',
  '…',
  '',
]

function unit(...values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

const NORTH = unit(1, 0, 0, 0)
const SOUTH = unit(-1, 0, 0, 0)
const EAST = unit(0, 0, 1, 0)

/** Four dimensions, one of which is never zero, as in a model's vectors. */
const chunk = (
  text: string,
  { vector = NORTH, ...more }: Partial<EmbeddedChunk> & { readonly vector?: Float32Array } = {},
): EmbeddedChunk => ({
  nth: 0,
  text,
  headings: [],
  page: null,
  tokens: 3,
  vectors: [vector],
  ...more,
})

const about = (id: string) => ({
  id,
  title: `Title of ${id}`,
  digest: `digest of ${id}`,
  addedAt: 1_700_000_000_000,
})

const put = (
  store: StaticMemoryStore,
  id: string,
  chunks: readonly EmbeddedChunk[],
): Promise<void> =>
  store.put(
    about(id),
    chunks.map((each, nth) => ({ ...each, nth })),
    E,
  )

const texts = async (
  store: StaticMemoryStore,
  query: KnowledgeQuery,
): Promise<readonly FoundChunk['text'][]> => (await store.search(query)).map(({ text }) => text)
