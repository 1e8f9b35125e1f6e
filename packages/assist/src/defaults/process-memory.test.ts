import { test } from 'node:test'
import { memoryStoreContract } from '../../../echelon/src/testing/contract/store/memory-store-contract.ts'
import { ProcessMemory } from './process-memory.ts'

for (const { name, holds } of memoryStoreContract(() => new ProcessMemory())) {
  test(`[C-26] memories of a process: ${name}`, holds)
}
