import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { cacheContract } from '../testing/cache-contract.ts'
import type { ContractCase } from '../testing/contract.ts'
import { eventStoreContract } from '../testing/event-store-contract.ts'
import { memoryStoreContract } from '../testing/memory-store-contract.ts'
import { resultStoreContract } from '../testing/result-store-contract.ts'
import { SetClock } from '../testing/set-clock.ts'
import { LONGEST_EVENT, MOST_EVENTS } from './kept-event.ts'
import { MemoryCacheStore } from './memory/cache.ts'
import { MemoryEvents } from './memory/events.ts'
import { MemoryMemories } from './memory/memories.ts'
import { MemoryResults, type ResultRows } from './memory/results.ts'
import { SqliteCache } from './sqlite/cache.ts'
import { Database } from './sqlite/database.ts'
import { SqliteEvents } from './sqlite/events.ts'
import { Leases } from './sqlite/leases.ts'
import { SqliteMemories } from './sqlite/memories.ts'
import { SqliteResults } from './sqlite/results.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-kept-'))
const opened: Database[] = []
after(() => {
  for (const db of opened) db.close()
  rmSync(folder, { recursive: true })
})

let files = 0

async function openFile(path = join(folder, `${files++}`, 'echelon.db')): Promise<Database> {
  const db = await Database.open(path)
  opened.push(db)
  return db
}

/** Stores over files, and for each what another process has of its file. */
class Sharing<Store extends object> {
  readonly #files = new WeakMap<Store, string>()
  readonly #make: (db: Database) => Store
  constructor(make: (db: Database) => Store) {
    this.#make = make
  }
  readonly open = async (path?: string): Promise<Store> => {
    const db = await openFile(path)
    const store = this.#make(db)
    this.#files.set(store, db.path)
    return store
  }
  readonly another = async (store: object): Promise<Store> => {
    const known: WeakMap<object, string> = this.#files
    const path = known.get(store)
    assert.ok(path !== undefined)
    return this.open(path)
  }
}

function holds(what: string, cases: readonly ContractCase[]): void {
  describe(`[C-26] [C-31] ${what}`, () => {
    for (const { name, holds: run } of cases) test(name, run)
  })
}

// --- results

const rowsOf = new WeakMap<object, ResultRows>()
const resultsIn = (rows: ResultRows = new Map()): MemoryResults => {
  const store = new MemoryResults(rows)
  rowsOf.set(store, rows)
  return store
}
holds(
  'results in memory',
  resultStoreContract(() => resultsIn(), {
    another: (store) => resultsIn(rowsOf.get(store)),
    lapse: (store) => (store instanceof MemoryResults ? store.lapse() : undefined),
  }),
)

/** Whose leases run out is told by a clock of its own. */
const databases = new WeakMap<object, Database>()
const results = new Sharing((db) => {
  const clock = new SetClock()
  const store = new SqliteResults(db, new Leases(db, clock), clock)
  databases.set(store, db)
  return store
})
holds(
  'results in a file',
  resultStoreContract(results.open.bind(undefined, undefined), {
    another: results.another,
    lapse: (store) => databases.get(store)?.exec('update leases set expires_at = 0'),
  }),
)

// --- memories

holds(
  'memories in memory',
  memoryStoreContract(() => new MemoryMemories()),
)

const memories = new Sharing((db) => new SqliteMemories(db))
holds(
  'memories in a file',
  memoryStoreContract(async () => memories.open(), { another: memories.another }),
)

// --- cached answers

const passing = (clock: SetClock) => async (ms: number) => clock.advance(ms)

holds(
  'cached answers in memory',
  cacheContract(() => {
    const clock = new SetClock()
    return { store: new MemoryCacheStore(clock), pass: passing(clock) }
  }),
)

const cacheClock = new SetClock()
const caches = new Sharing((db) => new SqliteCache(db, cacheClock))
holds(
  'cached answers in a file',
  cacheContract(async () => ({ store: await caches.open(), pass: passing(cacheClock) }), {
    another: caches.another,
  }),
)

test('[C-25] a file keeps so many cached answers and no more, none too long, and no key as text', async () => {
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

// --- events

holds(
  'events in memory',
  eventStoreContract(() => new MemoryEvents(new SetClock())),
)

const events = new Sharing((db) => new SqliteEvents(db, new SetClock()))
holds(
  'events in a file',
  eventStoreContract(async () => events.open(), { another: events.another }),
)

const said = (text: string) => ({ type: 'said', path: '', seq: 0, text }) as const

for (const [where, open] of [
  ['memory', async () => new MemoryEvents(new SetClock())],
  ['a file', async () => events.open()],
] as const) {
  test(`of a run the newest events are kept in ${where}, and a long one is told of`, async () => {
    const store = await open()
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
}

test('events are written in a moment by themselves, many at once, and at the end of a run', async () => {
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

test('events that cannot be written now are held, and written when they can', async () => {
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

test('a file that can never be written, or is closed, costs a few tries and no more', async (t) => {
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
