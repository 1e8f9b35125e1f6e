import { test } from 'node:test'
import type { RunStore } from '../../core/run-store.ts'
import { journalContract } from '../../testing/journal-contract.ts'
import { runStoreContract } from '../../testing/run-store-contract.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { MemoryDisk } from './disk.ts'
import { MemoryRunStore } from './run-store.ts'

const clock = new SetClock()
const disks = new WeakMap<RunStore, MemoryDisk>()

function storeOn(disk: MemoryDisk): MemoryRunStore {
  const store = new MemoryRunStore(disk, clock)
  disks.set(store, disk)
  return store
}

const trial = {
  another: (store: RunStore) => storeOn(disks.get(store) ?? new MemoryDisk()),
  lapse: (store: RunStore) => {
    if (store instanceof MemoryRunStore) store.lapse()
  },
  now: () => clock.now(),
  pass: (ms: number) => clock.advance(ms),
}

for (const { name, holds } of runStoreContract(() => storeOn(new MemoryDisk()), trial)) {
  test(`[C-26] runs in memory: ${name}`, holds)
}

for (const { name, holds } of journalContract(() => storeOn(new MemoryDisk()))) {
  test(`[C-26] runs in memory, as a journal: ${name}`, holds)
}
