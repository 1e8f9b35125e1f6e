import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test, type TestContext } from 'node:test'
import { hashedEmbedder, knowledgeBase } from '@echelon/knowledge'
import { type KnowledgeStore, openKnowledge, openStore } from '@echelon/store'
import { Client } from 'pg'
import { processOn, outputOf } from './process-on.ts'
import { postgresServer } from './server.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const QUESTIONS = [
  'How do I resume a run after a crash?',
  'What does a budget refuse?',
  'how are secrets redacted',
  'Which tools may act, and who approves them?',
  'cascade of models, cheapest first',
  'PostgreSQL with several workers',
  'idempotency key',
  'What is deleted when a conversation is removed?',
  'install the packages with npm',
  'verification of an answer',
]

async function opened(t: TestContext, address: string): Promise<KnowledgeStore> {
  const store = await openKnowledge(address)
  t.after(() => store.close())
  return store
}

test('[C-18] the same documents are found in the same order as in a file', async (t) => {
  const server = await postgresServer()
  const stores = [await opened(t, ':memory:'), await opened(t, server.address())]
  const bases = stores.map((store) => knowledgeBase({ store, root: ROOT }))
  for (const base of bases) await base.add('docs/guides')
  const embedder = hashedEmbedder()
  for (const question of QUESTIONS) {
    const [vector] = await embedder.embed([question])
    assert.ok(vector)
    for (const query of [{ text: question }, { text: question, vector }]) {
      const [file, database] = await Promise.all(
        stores.map(async (store) => {
          const found = await store.search({ ...query, limit: 10 })
          return found.map(({ source, nth }) => `${source} ${nth}`)
        }),
      )
      assert.equal(file?.length, 10)
      assert.deepEqual(database, file, question)
    }
  }
  const [again] = await Promise.all(bases.slice(1).map((base) => base.add('docs/guides')))
  assert.deepEqual([again?.added, again?.removed], [[], []])
})

test('[C-18] processes that open new knowledge at once, and write one document at once, leave it whole', async (t) => {
  const address = (await postgresServer()).address()
  const program = (text: string): string => `
    const { openKnowledge } = await import('@echelon/store')
    const knowledge = await openKnowledge(${JSON.stringify(address)})
    for (let time = 0; time < 5; time++) {
      const chunks = Array.from({ length: 30 }, (_, nth) => ({
        nth, text: '${text} ' + nth, headings: [], page: null, tokens: 2, vectors: [Float32Array.of(0.6, 0.8)] }))
      await knowledge.put({ id: 'a.md', title: '', digest: '${text}', addedAt: 1 }, chunks, 'test/2')
      if (time === 2) await knowledge.remove('a.md')
    }
    await knowledge.close()
    await store.close()`
  const texts = ['apple', 'pear', 'plum']
  await Promise.all(texts.map((text) => outputOf(processOn(address, program(text)))))
  const knowledge = await opened(t, address)
  const [source] = await knowledge.sources()
  assert.ok(source)
  const found = await knowledge.search({ text: texts.join(' '), limit: 100 })
  assert.deepEqual(
    found.map(({ text }) => text).toSorted(),
    Array.from({ length: 30 }, (_, nth) => `${source.digest} ${nth}`).toSorted(),
  )
  const beside = await openStore(address)
  assert.deepEqual(await beside.runs.list(), [])
  await beside.close()
})

test('[C-18] what a process holds of the vectors follows changes of others', async (t) => {
  const address = (await postgresServer()).address()
  const [one, other] = [await opened(t, address), await opened(t, address)]
  const put = (id: string, vector: readonly number[]): Promise<void> =>
    other.put(
      { id, title: id, digest: id, addedAt: 1 },
      [
        {
          nth: 0,
          text: id,
          headings: [],
          page: null,
          tokens: 1,
          vectors: [Float32Array.from(vector)],
        },
      ],
      'test/2',
    )
  const near = async (): Promise<readonly (readonly [string, number | undefined])[]> =>
    (await one.search({ text: '', vector: Float32Array.of(0.6, 0.8) })).map(
      ({ source, similarity }) => [source, similarity && Math.round(similarity * 100) / 100],
    )
  await put('a', [0.6, 0.8])
  await put('b', [0.8, 0.6])
  assert.deepEqual(await near(), [
    ['a', 1],
    ['b', 0.96],
  ])
  await other.remove('a')
  await put('b', [1, 0.01])
  await put('c', [0.6, 0.8])
  assert.deepEqual(await near(), [
    ['c', 1],
    ['b', 0.61],
  ])
})

test('[C-18] knowledge of a newer version, and a wrong password, are refused in one sentence', async () => {
  const server = await postgresServer()
  const address = server.address()
  await (await openKnowledge(address)).close()
  const client = new Client({ connectionString: server.url })
  await client.connect()
  const schema = new URL(address).searchParams.get('schema')
  await client.query(`update ${schema}.echelon_versions set version = 9 where part = 'knowledge'`)
  await client.end()
  await assert.rejects(openKnowledge(address), {
    code: 'STORE_UNUSABLE',
    message: /is of version 9 and this Echelon reads up to 1; update Echelon/,
  })
  const wrong = new URL(address)
  wrong.password = 'wrong'
  await assert.rejects(openKnowledge(wrong.href), (error: Error) => {
    assert.match(error.message, /refuses the user or the password/)
    assert.doesNotMatch(error.message, /wrong/)
    return true
  })
})

test('[C-18] a part of any length can be added, and is found by its first words', async (t) => {
  const knowledge = await opened(t, (await postgresServer()).address())
  const words = Array.from({ length: 200_000 }, (_, n) => `${n}${'東'.repeat(5)}`)
  const longs = [0, 1, 2].map((n) => `${'😀'.repeat(n)}${'𝒳'.repeat(3000)}`)
  for (const [id, text] of Object.entries({
    'many.md': words.join(' '),
    'long.md': longs.join(' '),
    'sand.md': 'sand '.repeat(300_000),
  })) {
    const chunk = {
      nth: 0,
      text,
      headings: [],
      page: null,
      tokens: 1,
      vectors: [Float32Array.of(1, 0)],
    }
    await knowledge.put({ id, title: '', digest: '', addedAt: 1 }, [chunk], 'test/2')
  }
  const found = async (text: string): Promise<readonly string[]> =>
    (await knowledge.search({ text })).map(({ source }) => source)
  assert.deepEqual(await found(words[7] ?? ''), ['many.md'])
  assert.deepEqual(await found('sand'), ['sand.md'])
  assert.deepEqual(await found('𝒳'.repeat(3000)), ['long.md'])
})
