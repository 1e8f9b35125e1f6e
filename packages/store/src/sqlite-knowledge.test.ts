import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { StaticMemoryStore } from '../../echelon/src/core/knowledge/knowledge.ts'
import { staticMemoryStoreContract } from '../../echelon/src/testing/contract/store/static-memory-store-contract.ts'
import { openKnowledge } from './compose/open-knowledge.ts'
import type { KnowledgeStore } from './knowledge/knowledge-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-knowledge-'))
const opened = new Map<StaticMemoryStore, KnowledgeStore>()
let files = 0

after(async () => {
  for (const store of opened.values()) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openAt(path: string): Promise<KnowledgeStore> {
  const store = await openKnowledge(path)
  opened.set(store, store)
  return store
}

const another = (store: StaticMemoryStore): Promise<KnowledgeStore> =>
  openAt(opened.get(store)?.path ?? '')

const newFile = (): string => join(folder, `${files++}.db`)

for (const { name, holds } of staticMemoryStoreContract(() => openAt(newFile()), { another })) {
  test(`[C-18] [C-26] knowledge in a file: ${name}`, holds)
}
for (const { name, holds } of staticMemoryStoreContract(() => openKnowledge(':memory:'))) {
  test(`[C-26] knowledge in memory: ${name}`, holds)
}

const SOURCE = { id: 'a.md', title: 'A', digest: 'd', addedAt: 1 }
const CHUNK = { nth: 0, text: 'apple', headings: [], page: null, tokens: 1 }

test('[C-18] a knowledge file belongs to its owner alone, and survives the process', async () => {
  const path = join(folder, 'own', 'knowledge.db')
  const store = await openAt(path)
  const vector = Float32Array.from({ length: 4096 }, (_, at) => (at % 1000 === 7 ? 0.4472 : 0))
  await store.put(SOURCE, [{ ...CHUNK, vectors: [vector] }], 'test/4096')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'own')).mode & 0o777, 0o700)
  const before = await store.search({ text: 'apple', vector })
  await store.close()
  opened.delete(store)
  const again = await openAt(path)
  assert.deepEqual(await again.search({ text: 'apple', vector }), before)
  assert.ok(Math.abs((before[0]?.similarity ?? 0) - 1) < 1e-3)
})

test('makes a file private that others could read', async () => {
  const path = newFile()
  writeFileSync(path, '')
  chmodSync(path, 0o644)
  await openAt(path)
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('[C-18] refuses a newer file, one of another program, and anything but a database', async () => {
  const path = newFile()
  const store = await openAt(path)
  await store.close()
  opened.delete(store)
  const db = new DatabaseSync(path)
  db.exec('pragma user_version = 9')
  db.close()
  await assert.rejects(openKnowledge(path), {
    code: 'STORE_UNUSABLE',
    message: `${path} is of version 9 and this Echelon reads up to 2; update Echelon, or name another file`,
  })
  const other = newFile()
  const theirs = new DatabaseSync(other)
  theirs.exec('create table t (a); pragma application_id = 7')
  theirs.close()
  await assert.rejects(openKnowledge(other), /is a database of another program/)
  const text = newFile()
  writeFileSync(text, 'Dear diary,\n'.repeat(500))
  await assert.rejects(openKnowledge(text), { code: 'STORE_UNUSABLE' })
})

test('[C-18] a document that cannot be added whole changes nothing', async () => {
  const store = await openKnowledge(':memory:')
  const vector = Float32Array.of(1, 0)
  await store.put(SOURCE, [{ ...CHUNK, vectors: [vector] }], 'test/2')
  const broken = {
    ...CHUNK,
    vectors: [vector],
    get text(): string {
      throw new Error('the disk is full')
    },
  }
  await assert.rejects(
    store.put(SOURCE, [{ ...CHUNK, text: 'pear', vectors: [vector] }, broken], 'test/2'),
    /full/,
  )
  const found = await store.search({ text: 'apple pear', vector })
  assert.deepEqual(
    found.map(({ text }) => text),
    ['apple'],
  )
  await store.close()
})

test('[C-18] rare dimensions weigh more than common ones; dense vectors are not weighted', async () => {
  const store = await openKnowledge(':memory:')
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
  await store.close()
  const dense = await openKnowledge(':memory:')
  await dense.put(SOURCE, [{ ...CHUNK, vectors: [Float32Array.of(0.6, 0.8)] }], 'test/2')
  const [only] = await dense.search({ text: '', vector: Float32Array.of(0.8, 0.6) })
  assert.ok(Math.abs((only?.similarity ?? 0) - 0.96) < 1e-6)
  await dense.close()
})

test('[C-18] compares sparse and dense vectors alike', async () => {
  const store = await openAt(newFile())
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
})
