import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Entry } from '../../../../echelon/src/core/journal/journal.ts'
import { seededRandom } from '../../../../echelon/src/core/value/random.ts'
import { userMessage } from '../../../../echelon/src/core/message/thread.ts'
import { SetClock } from '../../../../echelon/src/testing/set-clock.ts'
import { SqliteCache } from '../cache.ts'
import { Database } from '../file/database.ts'
import { SqliteEvents } from '../events.ts'
import { folderFor } from '../in-tests.ts'
import { Leases } from '../runs/leases.ts'
import { SqliteResults } from '../results.ts'
import { SqliteRuns } from '../runs/run-store.ts'
import { SqliteSessions } from './sessions.ts'

const NO_STATES = { states: {}, schemaSignature: '', schemaVersion: 1, stateVersions: {} } as const

/** All of a store that an erasure must reach. */
class Place {
  readonly db: Database
  readonly clock = new SetClock()
  readonly leases: Leases
  readonly runs: SqliteRuns
  readonly cache: SqliteCache
  readonly events: SqliteEvents
  readonly results: SqliteResults
  readonly sessions: SqliteSessions
  readonly #lengths = new Map<string, number>()

  constructor(db: Database, leaseMs?: number) {
    this.db = db
    this.leases = new Leases(db, this.clock, leaseMs)
    this.runs = new SqliteRuns(db, this.clock, this.leases)
    this.cache = new SqliteCache(db, this.clock)
    this.events = new SqliteEvents(db, this.clock)
    this.results = new SqliteResults(db, this.leases, this.clock)
    const { clock, events } = this
    this.sessions = new SqliteSessions(db, this.leases, { clock, flush: () => events.flush() })
  }

  begin(run: string, session: string, text: string): void {
    const started: Entry = {
      type: 'started',
      path: '',
      runId: run,
      agent: 'chat',
      version: 1,
      input: text,
      at: 1,
      seed: 1,
      timeZone: 'UTC',
      models: {},
      limits: {},
      session: { id: session, length: 0, digest: 0 },
    }
    this.runs.append(run, [started])
  }

  end(run: string, session: string, texts: readonly string[]): void {
    const from = this.#lengths.get(session) ?? 0
    const change = {
      id: session,
      agent: 'chat',
      from,
      keep: from,
      messages: texts.map(userMessage),
      states: NO_STATES,
      continues: texts[0] ?? null,
      at: 1,
    }
    this.runs.append(
      run,
      [
        {
          type: 'ended',
          path: '',
          status: 'finished',
          reason: 'stop',
          at: 1,
          text: texts[0] ?? '',
        },
      ],
      { session: change },
    )
    this.#lengths.set(session, from + texts.length)
  }

  /** A turn, its events, and its cached answers and results. */
  async turn(run: string, session: string, text: () => string): Promise<void> {
    this.begin(run, session, text())
    this.runs.append(run, [
      { type: 'requested', path: '', seq: 0, request: 'q', about: text(), at: 1 },
    ])
    const name = text()
    const made = { name, path: name, mediaType: 'text/plain', bytes: 1, sha256: '' }
    this.runs.append(run, [
      {
        type: 'settled',
        path: '',
        seq: 0,
        call: 0,
        outcome: { type: 'ok', value: text(), artifacts: [made] },
      },
    ])
    this.events.listener.hear({ type: 'said', path: '', seq: 0, text: text() }, run)
    await this.cache.set(text(), text(), 60_000, session)
    await this.results.claim(run, 'input', run)
    await this.results.settle(run, text())
    this.end(run, session, [text(), text()])
  }
}

async function place(t: TestContext, leaseMs?: number): Promise<Place> {
  const db = await Database.open(join(await folderFor(t), 'echelon.db'))
  const opened = new Place(db, leaseMs)
  t.after(() => {
    opened.leases.close()
    opened.runs.close()
    db.close()
  })
  return opened
}

/** The files beside a database that contain a text, as bytes. */
function filesWith(path: string, text: string): readonly string[] {
  const folder = dirname(path)
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text))
}

const SIZES = [20, 60, 300, 900, 2000, 4000, 5000, 20_000, 100_000]

for (const seed of [1, 2, 3, 4, 5]) {
  test(`an erased conversation leaves no byte in any file, for any sizes (seed ${seed})`, async (t) => {
    const opened = await place(t)
    const random = seededRandom(seed)
    const textOf = (mark: string) => () => {
      const size = (SIZES[Math.floor(random() * SIZES.length)] ?? 0) + Math.floor(random() * 99)
      let text = mark
      while (text.length < size) text += `${Math.floor(random() * 1e9)} ${mark} `
      return text
    }
    await opened.sessions.markDisposable('gone')
    for (let nth = 0; nth < 30; nth++) {
      await opened.turn(`gone-${nth}`, 'gone', textOf('UNMISTAKABLE'))
      await opened.turn(`stays-${nth}`, 'stays', textOf('ordinary'))
    }
    const { path } = opened.db
    await opened.events.flush()
    assert.notDeepEqual(filesWith(path, 'MISTAK'), [], 'it was there')
    await opened.sessions.end('gone')
    assert.deepEqual(filesWith(path, 'MISTAK'), [])
    assert.equal(await opened.sessions.load('gone'), undefined)
    assert.equal((await opened.sessions.load('stays'))?.messages.length, 60)
    assert.equal(opened.db.prepare('select count(*) as n from runs').get()?.['n'], 30)
    opened.db.close()
    assert.deepEqual(filesWith(path, 'MISTAK'), [], 'nor after it was closed')
  })
}

test('closing deletes only a marked conversation, and removing deletes any', async (t) => {
  const opened = await place(t)
  for (const id of ['kept', 'marked']) await opened.turn(`r-${id}`, id, () => 'hello')
  await opened.sessions.markDisposable('marked')
  assert.equal((await opened.sessions.load('marked'))?.isDisposable, true)
  for (const id of ['kept', 'marked', 'unknown']) await opened.sessions.end(id)
  assert.deepEqual(
    (await opened.sessions.list()).map(({ id }) => id),
    ['kept'],
  )
  await opened.sessions.remove('kept')
  assert.deepEqual(await opened.sessions.list(), [])
})

test('deletes nothing while a turn is running, or a run forked from one', async (t) => {
  const opened = await place(t)
  opened.begin('r', 's', 'hello')
  await assert.rejects(opened.sessions.remove('s'), { code: 'SESSION_BUSY' })
  opened.end('r', 's', ['a', 'b'])
  assert.equal((await opened.sessions.load('s'))?.messages.length, 2)
  await opened.sessions.remove('s')
  assert.equal(await opened.sessions.load('s'), undefined)
  assert.deepEqual(await opened.runs.list(), [])
})

test('rejects the writes of a process that was taken for dead', async (t) => {
  const opened = await place(t)
  opened.begin('r', 's', 'hello')
  const other = new Place(await Database.open(opened.db.path))
  t.after(() => other.db.close())
  await other.clock.advance(60_000)
  await other.sessions.remove('s')
  assert.throws(() => opened.end('r', 's', ['a', 'b']), { code: 'RUN_BUSY' })
  opened.events.listener.hear({ type: 'said', path: '', seq: 0, text: 'late' }, 'r')
  assert.equal(await opened.sessions.load('s'), undefined)
  assert.equal(opened.db.prepare('select count(*) as n from journal').get()?.['n'], 0)
})

test('does not write events of a run that was deleted meanwhile', async (t) => {
  const opened = await place(t)
  const said = { type: 'said', path: '', seq: 0, text: 'late' } as const
  opened.events.listener.hear(said, 'r')
  await opened.events.flush()
  opened.db.exec(`delete from events where run = 'r'`)
  opened.events.listener.hear(said, 'r')
  assert.deepEqual(await opened.events.read('r'), [])
})

test('opening the file erases disposable conversations of dead processes', async (t) => {
  const first = await place(t, 1000)
  await first.sessions.markDisposable('left')
  await first.turn('r1', 'left', () => 'UNMISTAKABLE')
  await first.sessions.markDisposable('waits')
  first.begin('r2', 'waits', 'hello')
  first.runs.leave('r2', { type: 'suspended' })
  await first.turn('r3', 'other', () => 'ordinary')
  const next = new Place(await Database.open(first.db.path))
  t.after(() => next.db.close())
  assert.equal(await next.sessions.endAbandoned(), 0, 'who marked it lives')
  await next.clock.advance(60_000)
  assert.equal(await next.sessions.endAbandoned(), 1)
  const left = (await next.sessions.list()).map(({ id }) => id)
  assert.deepEqual(left, ['other'])
  assert.deepEqual((await next.runs.list()).map(({ id }) => id).toSorted(), ['r2', 'r3'])
  assert.deepEqual(filesWith(first.db.path, 'MISTAK'), [])
})

test('opening the file completes an erasure that a crash interrupted', async (t) => {
  const first = await place(t)
  await first.turn('r', 's', () => 'UNMISTAKABLE')
  // The rows are deleted, the bytes are not.
  const cut = new Error('killed')
  t.mock.method(first.db, 'exec', () => {
    throw cut
  })
  await assert.rejects(first.sessions.remove('s'), {
    code: 'STORE_UNUSABLE',
    message: /the conversation is deleted, but .* could not be rewritten \(killed\)/,
    cause: cut,
  })
  t.mock.restoreAll()
  assert.equal(await first.sessions.load('s'), undefined)
  assert.deepEqual(await first.sessions.list(), [])
  assert.equal(await first.sessions.endAbandoned(), 1)
  assert.deepEqual(filesWith(first.db.path, 'MISTAK'), [])
  assert.equal(await first.sessions.endAbandoned(), 0)
})
