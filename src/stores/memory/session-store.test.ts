import { test } from 'node:test'
import { artifactIndexContract } from '../../testing/artifact-index-contract.ts'
import { sessionStoreContract } from '../../testing/session-store-contract.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { MemoryArtifactIndex } from './artifact-index.ts'
import { MemoryDisk } from './disk.ts'
import { MemoryRunStore } from './run-store.ts'
import { MemorySessionStore } from './session-store.ts'

function open() {
  const disk = new MemoryDisk()
  const runs = new MemoryRunStore(disk, new SetClock())
  return {
    runs,
    sessions: new MemorySessionStore(disk),
    artifacts: new MemoryArtifactIndex(disk),
  }
}

for (const { name, holds } of sessionStoreContract(open)) {
  test(`[C-26] conversations in memory: ${name}`, holds)
}

for (const { name, holds } of artifactIndexContract(open)) {
  test(`[C-26] files of runs in memory: ${name}`, holds)
}
