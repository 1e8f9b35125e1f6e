import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { AuditLines } from '../../packages/echelon/src/core/observability/audit-lines.ts'
import type { RunRecord } from '../../packages/echelon/src/core/observability/run-record.ts'
import type { AuditStore } from '../../packages/echelon/src/core/store/store.ts'
import { SqliteAudit } from '../../packages/store/src/sqlite/audit.ts'
import { Database } from '../../packages/store/src/sqlite/file/database.ts'
import { addSums } from '../../packages/store/src/sqlite/checksum/row-sum.ts'
import { auditLines } from '../../packages/echelon/src/audit/audit-lines.ts'
import { readAuditLines } from '../../packages/telemetry/src/audit-read.ts'
import { verifyAuditLines } from '../../packages/telemetry/src/audit-verify.ts'
import { auditStoreContract } from '../../packages/echelon/src/testing/contract/store/audit-store-contract.ts'
import { holdsAndFails } from '../../packages/echelon/src/testing/holds-and-fails.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-audit-'))
const opened = new Map<AuditStore, Database>()
after(() => {
  for (const db of opened.values()) db.close()
  rmSync(folder, { recursive: true })
})

let files = 0

async function openAt(path = join(folder, `${files++}.db`)): Promise<SqliteAudit> {
  const db = await Database.open(path)
  const store = new SqliteAudit(db, auditLines)
  opened.set(store, db)
  return store
}

function verify(lines: readonly string[]): void {
  assert.deepEqual(verifyAuditLines(lines).broken, null)
}

const contract = auditStoreContract(() => openAt(), {
  verify,
  another: (store) => openAt(opened.get(store)?.path),
  obstruct: (store) => opened.get(store)?.close(),
})
for (const { name, holds } of contract) test(`[DD-28] the audit log in a file: ${name}`, holds)

const acted = (runId: string, action = 'plan'): RunRecord => ({
  type: 'run-acted',
  ts: '2026-11-22T00:00:00.000+00:00',
  runId,
  taskId: 't1',
  actor: 'planner',
  action,
  details: {},
})

test('[DD-28] a change in the file is detected, and reported by later records', async () => {
  const store = await openAt()
  for (const run of ['r1', 'r2', 'r3']) store.record(acted(run))
  const { path } = opened.get(store) ?? { path: '' }
  // With the triggers removed, as anybody with the file can do.
  const theirs = new DatabaseSync(path)
  addSums(theirs, path, {})
  theirs.exec('drop trigger audit_no_update')
  theirs.exec(`update audit set line = replace(line, 'planner', 'nobody') where n = 3`)
  theirs.close()
  assert.equal(verifyAuditLines(await store.read()).broken?.what, 'changed')
  store.record(acted('r4'))
  const lines = await store.read()
  assert.equal(verifyAuditLines(lines).broken?.line, 3)
  const { entries, unreadable } = readAuditLines(lines, { last: 2 })
  assert.deepEqual(
    entries.map(({ action, run_id: run }) => [action, run]),
    [
      ['damage', null],
      ['plan', 'r4'],
    ],
  )
  assert.equal(unreadable, 1)
})

test('[DD-28] the next record counts records that could not be stored', async () => {
  const db = await Database.open(join(folder, `${files++}.db`))
  let isFull = false
  const lines: AuditLines = (record, end) => {
    if (isFull) throw new Error('the disk is full')
    return auditLines(record, end)
  }
  const store = new SqliteAudit(db, lines)
  store.record(acted('r1'))
  isFull = true
  for (const run of ['r2', 'r3']) store.record(acted(run))
  isFull = false
  store.record(acted('r4'))
  const { entries } = readAuditLines(await store.read())
  assert.deepEqual(
    entries.map(({ action, details }) => [action, details]),
    [
      ['plan', {}],
      ['entries_lost', { entries: 2 }],
      ['plan', {}],
    ],
  )
  verify(await store.read())
  db.close()
})

test('[DD-28] four processes at once write one chain', async () => {
  const store = await openAt()
  const { path } = opened.get(store) ?? { path: '' }
  const url = (file: string): string =>
    JSON.stringify(new URL(`../../packages/${file}`, import.meta.url))
  const program = `
    const { Database } = await import(${url('store/src/sqlite/file/database.ts')})
    const { SqliteAudit } = await import(${url('store/src/sqlite/audit.ts')})
    const { auditLines } = await import(${url('echelon/src/audit/audit-lines.ts')})
    const db = await Database.open(${JSON.stringify(path)})
    const store = new SqliteAudit(db, auditLines)
    const record = ${JSON.stringify(acted('r'))}
    for (let nth = 0; nth < 50; nth++) store.record({ ...record, runId: process.pid + '-' + nth })
    db.close()`
  const args = ['--conditions=echelon-source', '--input-type=module', '--eval', program]
  const run = promisify(execFile)
  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, args)))
  const lines = await store.read()
  assert.equal(lines.length, 200)
  verify(lines)
})

// --- the contract itself

type Broken = (good: AuditStore) => Partial<AuditStore>

const audit =
  (broken: Broken = () => ({})) =>
  async (): Promise<AuditStore> => {
    const good = new SqliteAudit(await Database.open(':memory:'), auditLines)
    return {
      record: (record) => good.record(record),
      read: () => good.read(),
      ...broken(good),
    }
  }

holdsAndFails<() => Promise<AuditStore>>(
  'an audit log',
  (open) => auditStoreContract(open, { verify }),
  audit(),
  {
    'keeps a run’s records without the user’s text': audit(() => {
      const kept: string[] = []
      return {
        record: (record) => void kept.push(JSON.stringify(record)),
        read: async () => kept,
      }
    }),
    'never throws, for any records in any order': audit((good) => ({
      record(record) {
        if (record.type === 'run-ended' && !JSON.stringify(good).includes('started')) {
          throw new Error('it never began')
        }
      },
    })),
    'never throws, even if writing fails': audit(() => ({
      record() {
        throw new Error('the disk is full')
      },
    })),
    'a new log has no lines': audit((good) => ({
      read: async () => ['{}', ...(await good.read())],
    })),
    'each record adds lines and keeps the earlier ones unchanged': audit((good) => ({
      read: async () => (await good.read()).slice(-3),
    })),
  },
)
