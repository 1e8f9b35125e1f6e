import assert from 'node:assert/strict'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test, type TestContext } from 'node:test'
import { Database } from './database.ts'
import { examineStore } from './examine-store.ts'
import { newHolder } from '../runs/holder.ts'
import { withoutTriggers } from '../in-tests.ts'
import { unusable } from './unusable.ts'
import { SCHEMA_VERSION } from './schema.ts'

const NOW = 1_000_000

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-examine-'))
  t.after(() => {
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true, force: true })
  })
  return join(folder, 'a.db')
}

/** Every byte of the folder, and each file's time of change. */
const stateOf = (path: string) =>
  readdirSync(join(path, '..'))
    .toSorted()
    .map((name) => {
      const file = join(path, '..', name)
      return [name, statSync(file).mtimeMs, readFileSync(file).toString('base64')]
    })

const STARTED = { type: 'started', path: '', runId: 'x', agent: 'speaker' }

async function filled(path: string): Promise<Database> {
  const db = await Database.open(path)
  const run = db.prepare(
    `insert into runs (id, agent, version, status, input_json, made_json, session, began_at, changed_at)
     values (?, 'speaker', 1, ?, 'null', 'null', null, ?, 0)`,
  )
  const append = db.prepare('insert into journal (run, n, size, entries_json) values (?, ?, 1, ?)')
  const lease = db.prepare('insert into leases values (?, 1, ?, ?, ?)')
  const rows = [
    ['live', 'open'],
    ['silent', 'open'],
    ['killed', 'open'],
    ['failed', 'left'],
    ['waits', 'suspended'],
    ['done', 'finished'],
    ['stopped', 'canceled'],
  ] as const
  for (const [index, [id, status]] of rows.entries()) {
    run.run(id, status, index)
    append.run(id, 2, JSON.stringify([{ ...STARTED, type: 'closed' }]))
    append.run(id, 1, JSON.stringify([STARTED]))
  }
  lease.run('run:live', newHolder(), 'live', NOW + 1)
  lease.run('run:silent', newHolder(), 'silent', NOW)
  lease.run('run:killed', `x@${hostname()}:999999999`, 'killed', NOW + 1)
  lease.run('run:done', null, null, NOW + 1)
  db.exec(`
    insert into requests (run, id, place, about_json, at, answered)
      values ('waits', 'a', '', 'null', 0, 0), ('waits', 'b', '', 'null', 0, 1);
    insert into sessions (id, agent, states_json, continues_json, disposable, began_at, changed_at)
      values ('s-1', 'speaker', '{"states":{}}', 'null', 0, 0, 0), ('s-2', 'speaker', 'torn', 'null', 1, 0, 0),
             ('s-3', 'speaker', '', '', 1, 0, 0);
    insert into messages values ('s-1', 0, '{}'), ('s-1', 1, '{}');
    insert into cache values ('a', '1', ${NOW}, null), ('b', '1', ${NOW + 1}, null);
    insert into results values ('k', 'd', 'done', '1', 0), ('l', 'd', 'live', null, 0);
    insert into memories values ('m', '1', 1);
    insert into events values ('done', 1, 0, '{}');
    insert into artifacts values ('done', 'plot.png', 0, '{}');
    insert into audit (line) values ('one'), ('two')`)
  return db
}

suite('examining a store', () => {
  test('[C-29] counts what is stored, and tells live processes from dead ones', async (t) => {
    const path = fileFor(t)
    ;(await filled(path)).close()
    const store = examineStore(path, { now: () => NOW })
    const { bytes, ...facts } = await store.facts()
    assert.equal(bytes, statSync(path).size)
    assert.deepEqual(facts, {
      version: SCHEMA_VERSION,
      currentVersion: SCHEMA_VERSION,
      damage: [],
      damagedRows: ['the conversation s-2'],
      leftBackups: [],
      runs: {
        running: 1,
        waiting: 1,
        interrupted: 3,
        finished: 1,
        canceled: 1,
        failed: 0,
        damaged: 0,
      },
      openRequests: 1,
      sessions: { all: 3, disposable: 2, messages: 2 },
      cached: { all: 2, expired: 1 },
      results: { all: 2, underWay: 1 },
      memories: 1,
      notes: 0,
      events: 1,
      artifacts: 1,
      auditLines: 2,
      leases: { live: 1, dead: 2 },
      prunable: {
        runs: 2,
        bytes: 2 * JSON.stringify([[STARTED], [{ ...STARTED, type: 'closed' }]]).length - 6,
      },
    })
    store.close()
  })

  test('[C-29] yields runs that have not ended, oldest first with appends in order, then sessions', async (t) => {
    const path = fileFor(t)
    const db = await filled(path)
    db.exec(`update journal set entries_json = 'secret-value' where run = 'failed' and n = 2`)
    db.close()
    const store = examineStore(path)
    const found = [...store.checkpoints()]
    assert.deepEqual(
      found.map(({ kind, id }) => [kind, id]),
      [
        ['run', 'live'],
        ['run', 'silent'],
        ['run', 'killed'],
        ['unreadable', 'failed'],
        ['run', 'waits'],
        ['session', 's-1'],
        ['unreadable', 's-2'],
      ],
    )
    const entries = [STARTED, { ...STARTED, type: 'closed' }]
    assert.deepEqual(found[0], { kind: 'run', id: 'live', agent: 'speaker', entries })
    const reasons = found.flatMap((one) => (one.kind === 'unreadable' ? one.reason : []))
    assert.deepEqual(reasons, [
      'append 2 of its journal is not a list of entries',
      'its states are not JSON',
    ])
    store.close()
  })

  test('[C-29] changes no byte of a file in use, of a dead process, or read-only', async (t) => {
    const path = fileFor(t)
    const db = await filled(path)
    const look = async (): Promise<number> => {
      const store = examineStore(path)
      const { runs } = await store.facts()
      const found = [...store.checkpoints()].length
      store.close()
      return found + runs.finished
    }
    const used = stateOf(path).filter(([name]) => name !== 'a.db-shm')
    assert.equal(await look(), 8)
    assert.deepEqual(
      stateOf(path).filter(([name]) => name !== 'a.db-shm'),
      used,
    )
    // As kill -9 leaves it: the log holds data that the file does not.
    const killed = fileFor(t)
    for (const name of ['', '-wal', '-shm']) copyFileSync(path + name, killed + name)
    db.close()
    const before = stateOf(killed).filter(([name]) => name !== 'a.db-shm')
    const store = examineStore(killed)
    assert.equal((await store.facts()).runs.finished, 1)
    store.close()
    assert.deepEqual(
      stateOf(killed).filter(([name]) => name !== 'a.db-shm'),
      before,
    )
    chmodSync(path, 0o400)
    chmodSync(join(path, '..'), 0o500)
    const closed = stateOf(path)
    assert.deepEqual(
      closed.map(([name]) => name),
      ['a.db'],
    )
    assert.equal(await look(), 8)
    assert.deepEqual(stateOf(path), closed)
  })

  test('reports what it cannot read, and lists the damage within', async (t) => {
    const path = fileFor(t)
    const none = { code: 'STORE_UNUSABLE', message: /^there is no file / }
    assert.throws(() => examineStore(path), none)
    assert.deepEqual(readdirSync(join(path, '..')), [])

    writeFileSync(path, '')
    const empty = examineStore(path)
    assert.deepEqual([(await empty.facts()).version, [...empty.checkpoints()]], [0, []])
    empty.close()

    writeFileSync(path, 'no database at all, but some text that somebody wrote'.repeat(20))
    const text = { code: 'STORE_UNUSABLE', message: /nothing was changed; restore a backup/ }
    assert.throws(() => examineStore(path), text)

    rmSync(path)
    const foreign = new DatabaseSync(path)
    foreign.exec('create table notes (text)')
    foreign.close()
    const other = { code: 'STORE_UNUSABLE', message: /is a database of another program/ }
    assert.throws(() => examineStore(path), other)

    rmSync(path)
    const newer = await Database.open(path)
    newer.exec('pragma user_version = 99')
    newer.close()
    const later = {
      code: 'STORE_UNUSABLE',
      message: /is of version 99 and this Echelon reads up to/,
    }
    assert.throws(() => examineStore(path), later)

    rmSync(path)
    ;(await filled(path)).close()
    // Everything but the first page: the schema can be listed, the rows cannot.
    const file = openSync(path, 'r+')
    const page = 4096
    for (let at = page; at < statSync(path).size; at += page) {
      writeSync(file, Buffer.alloc(page, 0xff), 0, page, at)
    }
    closeSync(file)
    const broken = examineStore(path)
    const before = stateOf(path)
    const { damage, runs } = await broken.facts()
    assert.ok(damage.length > 0 && damage.length <= 10)
    assert.equal(runs.finished, 0)
    const unread = { code: 'STORE_UNUSABLE', message: /malformed|cannot be used/ }
    assert.throws(() => [...broken.checkpoints()], unread)
    broken.close()
    assert.deepEqual(stateOf(path), before)
  })

  test('names a trigger with a changed byte, and quotes none of it', async (t) => {
    const path = fileFor(t)
    ;(await filled(path)).close()
    const at = readFileSync(path).indexOf('octet_length', readFileSync(path).indexOf('runs_whole'))
    const file = openSync(path, 'r+')
    writeSync(file, 'octet_leogth', at)
    closeSync(file)
    const store = examineStore(path)
    const { damage } = await store.facts()
    store.close()
    assert.equal(damage.length, 1)
    assert.match(damage[0] ?? '', /^the (?:trigger|table) \w+, which differs from the schema$/)
  })

  test('counts a run with a damaged request as damaged, and reports that it would not load', async (t) => {
    const path = fileFor(t)
    const db = await filled(path)
    withoutTriggers(db.connection, 'requests', () => {
      db.connection.function('row_sum', { deterministic: true }, (_bytes) => 7)
      db.exec(`update requests set about_json = 'torn' where id = 'a'`)
    })
    db.close()
    const store = examineStore(path)
    const { runs } = await store.facts()
    const waits = [...store.checkpoints()].find(({ id }) => id === 'waits')
    store.close()
    assert.deepEqual([runs.damaged, runs.waiting], [1, 0])
    assert.ok(waits?.kind === 'unreadable')
    assert.equal(waits.reason, 'what it asks is damaged')
  })

  test('reports an SQLite error without the text that it quotes', () => {
    const db = new DatabaseSync(':memory:')
    for (const sql of ['select kept_words(1)', 'select `kept_words', 'select * from kept_words']) {
      try {
        db.exec(sql)
        assert.fail(sql)
      } catch (error) {
        const { message } = unusable('a.db', error)
        assert.match(
          message,
          /^a\.db cannot be used \(its schema is damaged\); nothing was changed/,
        )
      }
    }
    db.close()
  })
})
