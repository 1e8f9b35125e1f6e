import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import { openStore, SqliteStore } from '@echelon/store'
import { verifyAuditLines } from '../../packages/telemetry/src/audit-verify.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { storeContract } from '../../packages/echelon/src/testing/contract/store/store-contract.ts'

const clock = new SetClock()
const LEASE_MS = 30_000
const folder = mkdtempSync(join(tmpdir(), 'echelon-whole-'))
const opened: Store[] = []

after(async () => {
  for (const store of opened) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

let files = 0

/** The place of a new store. */
const PLACES = {
  'a file': () => join(folder, `${files++}.db`),
  memory: () => ':memory:',
}

async function openAt(path: string): Promise<Store> {
  const store = await openStore(path, { clock, leaseMs: LEASE_MS })
  opened.push(store)
  return store
}

for (const [place, path] of Object.entries(PLACES)) {
  const contract = storeContract(() => openAt(path()), {
    another: (store) => {
      assert.ok(store instanceof SqliteStore)
      return openAt(store.path)
    },
    lapse: () => clock.advance(LEASE_MS + 1),
    now: () => clock.now(),
    pass: (ms) => clock.advance(ms),
    verify: (lines) => assert.deepEqual(verifyAuditLines(lines).broken, null),
  })
  void describe(`[C-26] [C-31] a store in ${place}`, () => {
    for (const { name, holds } of contract) void test(name, holds)
  })
}

test('a store in memory writes no file, and is gone when it is closed', async () => {
  const before = readdirSync('.')
  const [one, other] = [await openStore(':memory:'), await openStore(':memory:')]
  await one.memories.write('notes', 'mine', { key: 'k' })
  assert.equal((await other.memories.read('notes')).version, 0)
  assert.deepEqual(readdirSync('.'), before)
  const { path } = one
  await one.close()
  const again = await openStore(path)
  assert.equal((await again.memories.read('notes')).version, 0)
  await Promise.all([other.close(), again.close()])
})

test('a store in memory rejects a backup', async () => {
  const store = await openStore(':memory:')
  await assert.rejects(store.backup(join(folder, 'copy.db')), {
    code: 'INVALID_INPUT',
    message: /in memory cannot be backed up; open one in a file/,
  })
  await store.close()
})
