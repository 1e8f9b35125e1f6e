import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Store } from '../../src/core/store.ts'
import { openStore, SqliteStore } from '../../src/stores.ts'
import {
  memoryStore,
  type MemoryProcess,
  sharedMemory,
  type SharedMemory,
} from '../../src/stores/memory-store.ts'
import { auditLines } from '../../src/telemetry/audit-lines.ts'
import { verifyAuditLines } from '../../src/telemetry/audit-verify.ts'
import { SetClock } from '../../src/testing/set-clock.ts'
import { storeContract } from '../../src/testing/store-contract.ts'

const clock = new SetClock()
const LEASE_MS = 30_000
const folder = mkdtempSync(join(tmpdir(), 'echelon-whole-'))
const opened: Store[] = []

after(async () => {
  for (const store of opened) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const common = {
  now: () => clock.now(),
  pass: async (ms: number) => clock.advance(ms),
  verify: (lines: readonly string[]) => assert.deepEqual(verifyAuditLines(lines).broken, null),
}

// --- a file

let files = 0

async function openAt(path: string): Promise<Store> {
  const store = await openStore(path, { clock, leaseMs: LEASE_MS })
  opened.push(store)
  return store
}

const inFile = storeContract(async () => openAt(join(folder, `${files++}.db`)), {
  ...common,
  another: async (store) => {
    assert.ok(store instanceof SqliteStore)
    return openAt(store.path)
  },
  lapse: async () => clock.advance(LEASE_MS + 1),
})

void describe('[C-26] [C-31] a store in a file', () => {
  for (const { name, holds } of inFile) void test(name, holds)
})

// --- memory

const processes = new WeakMap<
  Store,
  { readonly one: MemoryProcess; readonly shared: SharedMemory }
>()
const options = { clock, auditLines }

function processOn(shared: SharedMemory): Store {
  const one = memoryStore(options, shared)
  processes.set(one, { one, shared })
  return one
}

function processOf(store: Store) {
  const found = processes.get(store)
  assert.ok(found !== undefined)
  return found
}

const inMemory = storeContract(() => processOn(sharedMemory(options)), {
  ...common,
  another: (store) => processOn(processOf(store).shared),
  lapse: (store) => processOf(store).one.lapse(),
})

void describe('[C-26] [C-31] a store in memory', () => {
  for (const { name, holds } of inMemory) void test(name, holds)
})
