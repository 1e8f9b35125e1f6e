import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { StaticMemoryStore } from '../../packages/echelon/src/core/knowledge/knowledge.ts'
import { staticMemoryStoreContract } from '../../packages/echelon/src/testing/contract/store/static-memory-store-contract.ts'
import { openKnowledge } from '../../packages/store/src/compose/open-knowledge.ts'
import { knowledgeCases } from '../../packages/store/src/knowledge/knowledge-cases-in-tests.ts'
import { copiedValue } from '../../packages/store/src/copy/copied-tables.ts'
import { deriveFromRows } from '../../packages/store/src/copy/derived-knowledge.ts'
import type { KnowledgeStore } from '../../packages/store/src/knowledge/knowledge-store.ts'
import { extensionSchema } from '../../packages/store/src/postgres/knowledge/vector-extension.ts'
import { withVectors } from './with-vectors.ts'
import { postgresServer } from './server.ts'

const addresses = new Map<StaticMemoryStore, string>()
const opened: KnowledgeStore[] = []
after(async () => {
  for (const store of opened) await store.close()
})

async function openAt(address: string): Promise<KnowledgeStore> {
  const store = await openKnowledge(address)
  addresses.set(store, address)
  opened.push(store)
  return store
}

describe('[C-18] [C-26] knowledge in PostgreSQL', () => {
  const open = async (): Promise<KnowledgeStore> => openAt((await postgresServer()).address())
  const another = (store: StaticMemoryStore): Promise<KnowledgeStore> =>
    openAt(addresses.get(store) ?? '')
  for (const { name, holds } of staticMemoryStoreContract(open, { another })) test(name, holds)
  for (const { name, holds } of knowledgeCases(open)) test(name, holds)
})

describe('[C-18] [C-26] knowledge in PostgreSQL with the extension vector', () => {
  const { open, another, databaseOf } = withVectors()
  for (const { name, holds } of staticMemoryStoreContract(open, { another })) test(name, holds)
  for (const { name, holds } of knowledgeCases(open)) test(name, holds)

  test('the vectors of copied rows are compared as those of added ones', async () => {
    const store = await open()
    const vectors = [
      [Float32Array.of(0.6, 0.8), Float32Array.of(0.8, -0.6)],
      [Float32Array.of(1, 0)],
      [Float32Array.of(-0.6, -0.8)],
    ]
    const chunks = vectors.map((each, nth) => ({
      nth,
      text: `part ${nth}`,
      headings: [],
      page: null,
      tokens: 2,
      vectors: each,
    }))
    await store.put({ id: 'a.md', title: '', digest: '', addedAt: 1 }, chunks, 'test/2')
    const search = () => store.search({ text: '', vector: Float32Array.of(0.8, -0.6) })
    const before = await search()
    assert.deepEqual(
      before.map(({ nth }) => nth),
      [0, 1],
    )
    const db = await databaseOf(store)
    await db.run('delete from chunk_vectors')
    const rows = await db.all('select n, places, weights from vectors')
    await deriveFromRows(
      db,
      'vectors',
      rows.map((row) => [row['n'], row['places'], row['weights']].map(copiedValue)),
      await extensionSchema(db),
    )
    assert.deepEqual(await search(), before)
  })
})
