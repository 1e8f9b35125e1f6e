import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Beside, Entry } from '../../../../echelon/src/core/journal/journal.ts'
import { userMessage } from '../../../../echelon/src/core/message/thread.ts'
import { SetClock } from '../../../../echelon/src/testing/set-clock.ts'
import type { Database } from '../file/database.ts'
import { openFile } from '../in-tests.ts'
import { Leases } from './leases.ts'
import { SqliteResults } from '../results.ts'
import { SqliteRuns } from './run-store.ts'

const AT = 1

function storeOn(db: Database, { clock = new SetClock(), leaseMs = 30_000 } = {}) {
  const leases = new Leases(db, clock, leaseMs)
  const runs = new SqliteRuns(db, clock, leases)
  return { runs, leases, results: new SqliteResults(db, leases, clock) }
}

const begun = (runId: string, session?: string): Entry => ({
  type: 'started',
  path: '',
  runId,
  agent: 'chat',
  version: 1,
  input: 'hi',
  at: AT,
  seed: 1,
  timeZone: 'UTC',
  models: {},
  limits: {},
  ...(session !== undefined && { session: { id: session, length: 0, digest: 0 } }),
})

const over: Entry = { type: 'ended', path: '', status: 'finished', reason: 'stop', at: AT }

const step = (text: string): readonly Entry[] => [
  { type: 'requested', path: '', seq: 1, request: 'q', about: text, at: AT },
  {
    type: 'settled',
    path: '',
    seq: 0,
    call: 0,
    outcome: {
      type: 'ok',
      value: text,
      artifacts: [{ name: 'a', path: '/a', mediaType: 'text/plain', bytes: 1, sha256: '' }],
    },
  },
]

const SNAPSHOT = {
  agent: 'chat',
  version: 1,
  seq: 1,
  after: 3,
  state: null,
  spent: {},
  models: {},
  at: AT,
} as const

const beside = (session: string, text: string): Beside => ({
  session: {
    id: session,
    agent: 'chat',
    from: 0,
    keep: 0,
    messages: [userMessage('hi'), userMessage(text)],
    states: { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null },
    continues: null,
    at: AT,
  },
  snapshot: { ...SNAPSHOT, state: text },
})

const TABLES = ['runs', 'requests', 'journal', 'snapshots', 'sessions', 'messages', 'artifacts']

/** All rows but those of leases. */
const rowsOf = (db: Database): unknown =>
  TABLES.map((table) => db.prepare(`select * from ${table}`).all())

const leasesOf = (db: Database): unknown => db.prepare('select * from leases').all()

for (const [what, table] of [
  ['insert', 'journal'],
  ['insert', 'requests'],
  ['insert', 'artifacts'],
  ['insert', 'messages'],
  ['insert', 'sessions'],
  ['insert', 'snapshots'],
  ['update', 'runs'],
  ['update', 'leases'],
] as const) {
  test(`an append that fails at the ${what} of ${table} leaves nothing, and can be retried`, async (t) => {
    const db = await openFile(t)
    const { runs } = storeOn(db)
    runs.append('r', [begun('r', 's')])
    const before = [rowsOf(db), leasesOf(db)]
    db.exec(`create temp trigger cut after ${what} on ${table}
      begin select raise(abort, 'cut short'); end`)
    // The end closes its requests.
    const all = table === 'requests' ? step('x') : [...step('x'), over]
    assert.throws(() => runs.append('r', all, beside('s', 'x')), /cut short/)
    assert.deepEqual([rowsOf(db), leasesOf(db)], before)
    db.exec('drop trigger cut')
    runs.append('r', all, beside('s', 'x'))
    assert.deepEqual(runs.read('r'), [begun('r', 's'), ...all])
    assert.equal(runs.snapshot('r')?.state, 'x')
  })
}

test('an append on a full disk leaves nothing, wherever it fails', async (t) => {
  const db = await openFile(t)
  const { runs } = storeOn(db)
  const text = 'x'.repeat(9000)
  let full = 0
  for (let room = 0; room < 16; room++) {
    const run = `r${room}`
    const before = [rowsOf(db), leasesOf(db)]
    const pages = Number(db.prepare('pragma page_count').get()?.['page_count'])
    db.exec(`pragma max_page_count = ${pages + room}`)
    const entries = [begun(run, run), ...step(text), over]
    try {
      runs.append(run, entries, beside(run, text))
    } catch (error) {
      full++
      assert.match(String(error), /full/)
      assert.deepEqual([rowsOf(db), leasesOf(db)], before)
      db.exec('pragma max_page_count = 1000000')
      runs.append(run, entries, beside(run, text))
    }
    assert.equal((await runs.find(run))?.status, 'finished')
  }
  assert.ok(full >= 5, `the disk was full ${full} times`)
})

test('a run whose begin failed is free for any process', async (t) => {
  const db = await openFile(t)
  const { runs } = storeOn(db)
  db.exec(
    `create temp trigger cut after insert on runs begin select raise(abort, 'cut short'); end`,
  )
  assert.throws(() => runs.append('r', [begun('r', 's')]), /cut short/)
  db.exec('drop trigger cut')
  storeOn(db).runs.append('r', [begun('r', 's')])
})

test('a lease that could not be released expires, while others are renewed', async (t) => {
  const db = await openFile(t)
  const clock = new SetClock()
  const { runs } = storeOn(db, { clock, leaseMs: 30 })
  runs.append('left', [begun('left')])
  runs.append('goes on', [begun('goes on')])
  db.exec(
    `create temp trigger cut after update on runs begin select raise(abort, 'cut short'); end`,
  )
  runs.leave('left', { type: 'over' })
  db.exec('drop trigger cut')
  await clock.advance(31)
  const other = storeOn(db, { clock })
  const isRenewed = async () => (await other.runs.find('goes on'))?.status === 'running'
  while (!(await isRenewed())) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal((await other.runs.find('left'))?.status, 'interrupted')
  other.runs.append('left', [{ type: 'resumed', charged: {}, at: AT, after: 1 }])
})

test('deleted runs leave no rows, nor do settled or released keys', async (t) => {
  const db = await openFile(t)
  const clock = new SetClock()
  const { runs, results } = storeOn(db, { clock })
  const count = (table: string): unknown =>
    db.prepare(`select count(*) as n from ${table}`).get()?.['n']
  for (const key of ['settled', 'released', 'held', 'dead']) {
    runs.append(key, [begun(key), ...step('x'), over], { snapshot: SNAPSHOT })
    const by = key === 'dead' ? storeOn(db, { clock }).results : results
    await by.claim(key, 'input', key)
  }
  db.exec(`update leases set expires_at = 0 where name = 'key:dead'`)
  await results.settle('settled', 1)
  await results.release('released')
  assert.equal((await runs.prune({ keep: 0, dryRun: true })).results, 1)
  assert.deepEqual(await runs.prune({ keep: 0 }), {
    runs: 4,
    sessions: 0,
    results: 1,
    cached: 0,
    condensed: 0,
  })
  for (const table of TABLES) assert.equal(count(table), 0, table)
  assert.deepEqual(
    db
      .prepare('select name from leases')
      .all()
      .map(({ name }) => name),
    ['key:held'],
  )
  // Its holder is about to settle it.
  await results.settle('held', 2)
  assert.deepEqual([count('leases'), count('results')], [0, 1])
})
