import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auditLines } from '../../packages/echelon/src/audit/audit-lines.ts'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import { storeContract } from '../../packages/echelon/src/testing/contract/store/store-contract.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { PostgresStore } from '../../packages/store/src/postgres-store.ts'
import { verifyAuditLines } from '../../packages/telemetry/src/audit-verify.ts'
import { postgresServer } from './server.ts'

const clock = new SetClock()
const LEASE_MS = 30_000
const opened = new Map<Store, string>()

async function openAt(address: string): Promise<Store> {
  const store = await PostgresStore.open(address, { clock, auditLines, leaseMs: LEASE_MS })
  opened.set(store, address)
  return store
}

const contract = storeContract(async () => openAt((await postgresServer()).address()), {
  another: (store) => openAt(opened.get(store) ?? ''),
  lapse: () => clock.advance(LEASE_MS + 1),
  now: () => clock.now(),
  pass: (ms) => clock.advance(ms),
  verify: (lines) => assert.deepEqual(verifyAuditLines(lines).broken, null),
})

void describe('[C-26] [C-31] a store in PostgreSQL', () => {
  for (const { name, holds } of contract) {
    void test(name, async () => {
      try {
        await holds()
      } finally {
        for (const store of opened.keys()) await store.close()
        opened.clear()
      }
    })
  }
})
