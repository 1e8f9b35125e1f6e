import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { StaticMemoryStore } from '../core/knowledge.ts'
import { staticMemoryStoreContract } from '../testing/static-memory-store-contract.ts'
import { type KnowledgeStore, memoryKnowledge, openKnowledge } from './sqlite-knowledge.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-knowledge-'))
const opened = new Map<StaticMemoryStore, KnowledgeStore>()
let files = 0

after(() => {
  for (const store of opened.values()) store.close()
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
for (const { name, holds } of staticMemoryStoreContract(memoryKnowledge)) {
  test(`[C-26] knowledge in memory: ${name}`, holds)
}
