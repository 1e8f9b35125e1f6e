import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RunStore } from '../core/run-store.ts'
import { runStoreContract } from '../testing/run-store-contract.ts'
import { SetClock } from '../testing/set-clock.ts'
import { Database } from './sqlite/database.ts'
import { LEASE_MS, Leases } from './sqlite/leases.ts'
import { SqliteRuns } from './sqlite/run-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-runs-'))
const closers: (() => void)[] = []
after(() => {
  for (const close of closers) close()
  rmSync(folder, { recursive: true, force: true })
})

const clock = new SetClock()
const paths = new WeakMap<RunStore, string>()
let files = 0

async function openAt(path: string): Promise<SqliteRuns> {
  const db = await Database.open(path)
  // As fast as it goes: what a power cut would leave is not tested here.
  db.exec('pragma synchronous = off')
  const leases = new Leases(db, clock)
  const runs = new SqliteRuns(db, clock, leases)
  closers.push(() => {
    runs.close()
    leases.close()
    db.close()
  })
  paths.set(runs, path)
  return runs
}

const trial = {
  another: (store: RunStore) => openAt(paths.get(store) ?? ''),
  lapse: () => clock.advance(LEASE_MS + 1),
  now: () => clock.now(),
  pass: (ms: number) => clock.advance(ms),
}

const open = () => openAt(join(folder, `${files++}.db`))

for (const { name, holds } of runStoreContract(open, trial)) {
  test(`[C-26] runs in a file: ${name}`, holds)
}
