import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { StaticMemoryStore } from '../../echelon/src/core/knowledge/knowledge.ts'
import { staticMemoryStoreContract } from '../../echelon/src/testing/contract/store/static-memory-store-contract.ts'
import { openKnowledge } from './compose/open-knowledge.ts'
import { knowledgeCases } from './knowledge/knowledge-cases-in-tests.ts'
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
for (const { name, holds } of knowledgeCases(() => openAt(newFile()))) {
  test(`[C-18] knowledge in a file: ${name}`, holds)
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
