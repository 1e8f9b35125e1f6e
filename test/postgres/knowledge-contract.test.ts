import { after, describe, test } from 'node:test'
import type { StaticMemoryStore } from '../../packages/echelon/src/core/knowledge/knowledge.ts'
import { staticMemoryStoreContract } from '../../packages/echelon/src/testing/contract/store/static-memory-store-contract.ts'
import { openKnowledge } from '../../packages/store/src/compose/open-knowledge.ts'
import { knowledgeCases } from '../../packages/store/src/knowledge/knowledge-cases-in-tests.ts'
import type { KnowledgeStore } from '../../packages/store/src/knowledge/knowledge-store.ts'
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
  const { open, another } = withVectors()
  for (const { name, holds } of staticMemoryStoreContract(open, { another })) test(name, holds)
  for (const { name, holds } of knowledgeCases(open)) test(name, holds)
})
