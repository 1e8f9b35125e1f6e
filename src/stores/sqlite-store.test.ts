import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Journal } from '../core/journal.ts'
import type { RunStore } from '../core/run-store.ts'
import { artifactIndexContract } from '../testing/artifact-index-contract.ts'
import { journalContract } from '../testing/journal-contract.ts'
import { runStoreContract } from '../testing/run-store-contract.ts'
import { sessionStoreContract } from '../testing/session-store-contract.ts'
import { SetClock } from '../testing/set-clock.ts'
import { SqliteStore } from './sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-runs-'))
const LEASE_MS = 30_000
const clock = new SetClock()
const opened = new Map<Journal, SqliteStore>()
let files = 0

after(async () => {
  for (const store of opened.values()) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openAt(path: string): Promise<SqliteStore> {
  const store = await SqliteStore.open(path, { clock, auditLines: () => [], leaseMs: LEASE_MS })
  opened.set(store.runs, store)
  return store
}

const open = (): Promise<SqliteStore> => openAt(join(folder, `${files++}.db`))

const openRuns = async (): Promise<RunStore> => (await open()).runs

function storeOf(runs: Journal): SqliteStore {
  const store = opened.get(runs)
  assert.ok(store !== undefined)
  return store
}

const contract = runStoreContract(openRuns, {
  another: async (runs) => (await openAt(storeOf(runs).path)).runs,
  lapse: () => clock.advance(LEASE_MS + 1),
  now: () => clock.now(),
  pass: (ms) => clock.advance(ms),
})

for (const { name, holds } of contract) test(`[C-26] runs in a file: ${name}`, holds)

const journal = journalContract(openRuns, {
  reopen: async (runs) => {
    const store = storeOf(runs)
    opened.delete(runs)
    await store.close()
    return (await openAt(store.path)).runs
  },
})

for (const { name, holds } of journal) test(`[C-26] runs in a file, as a journal: ${name}`, holds)

for (const { name, holds } of sessionStoreContract(open)) {
  test(`[C-26] conversations in a file: ${name}`, holds)
}

for (const { name, holds } of artifactIndexContract(open)) {
  test(`[C-26] files of runs in a file: ${name}`, holds)
}
