import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SetClock } from '../../echelon/src/testing/set-clock.ts'
import { LONGEST_EVENT, MOST_EVENTS } from './kept-event.ts'
import { SqliteCache } from './sqlite/cache.ts'
import { Database } from './sqlite/file/database.ts'
import { SqliteEvents } from './sqlite/events.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-kept-'))
const opened: Database[] = []
after(() => {
  for (const db of opened) db.close()
  rmSync(folder, { recursive: true })
})

let files = 0

async function openFile(): Promise<Database> {
  const db = await Database.open(join(folder, `${files++}`, 'echelon.db'))
  opened.push(db)
  return db
}

test('[C-25] a file limits the number and length of cached answers, and stores no key as text', async () => {
  const db = await openFile()
  const clock = new SetClock()
  const store = new SqliteCache(db, clock, { maxEntries: 500, maxEntryBytes: 100 })
  const count = (): unknown => db.prepare('select count(*) as n from cache').get()?.['n']
  for (let nth = 0; nth < 1200; nth++) await store.set(`key ${nth}`, nth, 1000 + nth)
  assert.ok(Number(count()) <= 500)
  assert.equal(await store.get('key 1199'), 1199, 'those that last longest stay')
  await store.set('long', 'short', 60_000)
  await store.set('long', 'x'.repeat(200), 60_000)
  assert.equal(await store.get('long'), undefined, 'nor is it what was kept before')
  assert.deepEqual(db.prepare(`select key from cache where key like 'key%'`).all(), [])
  await clock.advance(100_000)
  for (let nth = 0; nth < 200; nth++) await store.set('one', nth, 1000)
  assert.equal(count(), 1, 'what is over goes, now and then')
})

const said = (text: string) => ({ type: 'said', path: '', seq: 0, text }) as const

test('keeps the newest events of a run, and replaces a long one by a notice', async () => {
  const store = new SqliteEvents(await openFile(), new SetClock())
  const count = MOST_EVENTS + 2000
  for (let nth = 1; nth <= count; nth++) {
    store.listener.hear(said(`${nth}`), 'r')
    if (nth % 500 === 0) await store.flush()
  }
  const [first] = await store.read('r', 0, 1)
  assert.equal(first?.n, count - MOST_EVENTS + 1)
  assert.deepEqual(first?.event, said(`${count - MOST_EVENTS + 1}`))
  store.listener.hear(said('x'.repeat(LONGEST_EVENT)), 'r')
  const [last] = await store.read('r', count)
  assert.match(last?.event.type === 'log' ? last.event.message : '', /said was not kept/)
})

test('writes events after a moment, in large batches, and at the end of a run', async () => {
  const db = await openFile()
  const clock = new SetClock()
  const store = new SqliteEvents(db, clock)
  const count = (): unknown => db.prepare('select count(*) as n from events').get()?.['n']
  store.listener.hear(said('a'), 'r')
  assert.equal(count(), 0)
  await clock.advance(50)
  assert.equal(count(), 1)
  for (let nth = 0; nth < 100; nth++) store.listener.hear(said('b'), 'r')
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(count(), 101)
  store.listener.hear({ type: 'run-end', status: 'finished', reason: 'stop', spent: {} }, 'r')
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(count(), 102)
})

test('holds events that cannot be written, and writes them later', async () => {
  const db = await openFile()
  const clock = new SetClock()
  const store = new SqliteEvents(db, clock)
  db.exec('begin immediate')
  store.listener.hear(said('a'), 'r')
  await clock.advance(50)
  await assert.rejects(store.flush(), /locked/)
  assert.deepEqual(await store.read('r'), [], 'and who reads is told what there is')
  db.exec('commit')
  await clock.advance(1000)
  assert.equal(db.prepare('select count(*) as n from events').get()?.['n'], 1)
})

test('stops after a few attempts on a file that is closed or can never be written', async (t) => {
  const db = await openFile()
  const clock = new SetClock()
  const store = new SqliteEvents(db, clock)
  const { mock } = t.mock.method(db.loose, 'transaction')
  db.exec('begin immediate')
  store.listener.hear(said('a'), 'r')
  for (let time = 0; time < 20; time++) await clock.advance(30_000)
  assert.equal(mock.callCount(), 10)
  db.exec('commit')
  store.listener.hear(said('b'), 'r')
  assert.deepEqual(
    (await store.read('r')).map(({ event }) => event),
    [said('b')],
  )
  store.close()
  store.listener.hear(said('c'), 'r')
  await clock.advance(600_000)
  assert.equal(mock.callCount(), 11)
})
