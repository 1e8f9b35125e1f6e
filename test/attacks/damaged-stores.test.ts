import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import type { OpenedStore } from '../../packages/store/src/opened-store.ts'
import { backUp } from '../../packages/store/src/sqlite/file/backup.ts'
import { Database } from '../../packages/store/src/sqlite/file/database.ts'
import { examineStore } from '../../packages/store/src/sqlite/file/examine-store.ts'
import { addSums } from '../../packages/store/src/sqlite/checksum/row-sum.ts'
import { MIGRATIONS } from '../../packages/store/src/sqlite/file/schema.ts'
import { SUMMED } from '../../packages/store/src/sqlite/checksum/summed-tables.ts'
import { openStore } from '@echelon/store'
import { tried } from './tried.ts'
import { withoutTriggers } from '../../packages/store/src/sqlite/in-tests.ts'

/** Stored wherever text is kept: no error may show it, and no answer may contain it changed. */
const KEPT = 'the-kept-words-of-a-customer'

const RUNS = ['r-first', 'r-second', 'r-third']

const SCOPE = { kind: 'user', id: 'ada' } as const

async function fill(store: OpenedStore): Promise<void> {
  for (const [index, runId] of RUNS.entries()) {
    const session = { id: `s-${runId}`, length: 0, digest: 0 }
    const begin = {
      type: 'started',
      path: '',
      runId,
      agent: 'a',
      version: 1,
      at: 1000 + index,
    } as const
    const more = { seed: 1, timeZone: 'UTC', models: {}, limits: {}, input: `${KEPT} ${runId}` }
    await store.runs.append(runId, [{ ...begin, ...more, session }])
    const about = { type: 'question', question: KEPT }
    await store.runs.append(runId, [
      { type: 'opened', path: '', seq: 0, hold: {} },
      { type: 'requested', path: '', seq: 0, request: 'q', about, at: 5 },
    ])
    store.runs.leave(runId, { type: 'suspended' })
    await store.results.claim(`key-${runId}`, KEPT, runId)
    await store.results.settle(`key-${runId}`, { answer: KEPT })
    const states = {
      states: {},
      schemaSignature: null,
      schemaVersion: 1,
      stateVersions: null,
    } as const
    const messages = [userMessage(`${KEPT} ${runId}`), userMessage(KEPT)]
    const change = { id: `c-${runId}`, agent: 'a', from: 0, keep: 0, messages, states, at: 7 }
    await store.sessions.save({ ...change, continues: null })
    await store.memories.write(`m-${runId}`, KEPT, { key: `${runId}:0` })
    await store.cache.set(`cached-${runId}`, KEPT, 1e9)
    await store.notes.write(
      { type: 'create', scope: SCOPE, title: runId, text: KEPT },
      `${runId}:n`,
    )
    store.events.listener.hear({ type: 'log', level: 'warning', message: KEPT }, runId)
  }
  await store.events.flush()
}

/** All answers of the store by query; an error in place of unreadable data. */
async function answersOf(store: OpenedStore): Promise<ReadonlyMap<string, unknown>> {
  const answers = new Map<string, unknown>()
  const ask = async (name: string, question: () => unknown): Promise<void> => {
    try {
      answers.set(name, await question())
    } catch (error) {
      assert.ok(error instanceof EchelonError, `${name}: ${String(error)}`)
      assert.ok(!told(error).includes(KEPT), `${name} shows what is kept: ${told(error)}`)
      assert.doesNotMatch(error.message, /\n/)
      answers.set(name, error)
    }
  }
  await ask('list', async () => await store.runs.list())
  await ask('conversations', async () => await store.sessions.list())
  for (const run of RUNS) {
    await ask(`run ${run}`, () => store.runs.find(run))
    await ask(`journal ${run}`, () => store.runs.read(run))
    await ask(`conversation ${run}`, () => store.sessions.load(`c-${run}`))
    await ask(`memory ${run}`, () => store.memories.read(`m-${run}`))
    await ask(`cached ${run}`, () => store.cache.get(`cached-${run}`))
    await ask(`result ${run}`, () => store.results.claim(`key-${run}`, KEPT, run))
    await ask(`events ${run}`, () => store.events.read(run))
  }
  await ask('notes', () => store.notes.find([SCOPE]))
  return answers
}

const told = (error: EchelonError): string => `${error.message} ${JSON.stringify(error.details)}`

/** Asserts that an answer is unchanged, or is an error, or says that nothing exists or that it is damaged. */
function holds(name: string, found: unknown, whole: unknown): void {
  if (found instanceof EchelonError || isNothing(found)) return
  if (
    name === 'list' ||
    name === 'conversations' ||
    name === 'notes' ||
    name.startsWith('events')
  ) {
    assert.ok(Array.isArray(found) && Array.isArray(whole))
    for (const one of found) {
      if (!isDamaged(one))
        assert.ok(
          whole.some((other) => same(one, other)),
          `${name} tells what is not true`,
        )
    }
    return
  }
  if (isDamaged(found)) return
  assert.deepEqual(found, whole, `${name} tells what is not true`)
}

/** A row with a damaged key is not found by it; lists and the doctor name it. */
const isNothing = (found: unknown): boolean =>
  [undefined, [], { value: null, version: 0 }].some((nothing) => same(found, nothing)) ||
  (typeof found === 'object' && found !== null && 'type' in found && found.type === 'yours')

const same = (one: unknown, other: unknown): boolean => {
  try {
    assert.deepEqual(one, other)
    return true
  } catch {
    return false
  }
}

const isDamaged = (one: unknown): boolean => /damaged/i.test(JSON.stringify(one) ?? '')

interface Damage {
  readonly name: string
  readonly spoil: (file: string) => void
  /** Lost data is lost: an earlier state may appear, and only how it is reported is checked. */
  readonly isTorn?: true
  /** With one damaged row: the doctor finds it, and data of other runs is unchanged. */
  readonly isRow?: true
}

let filled = ''
let whole: ReadonlyMap<string, unknown> = new Map()

/** Seeded numbers. */
function* drawn(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

/** How a cell changes: one bit is flipped, or the value has another type. */
const CHANGES: Readonly<Record<string, (column: string) => string>> = {
  'one bit': (column) =>
    `case typeof(${column}) when 'null' then 0 when 'integer' then ${column} + 1
     else char(unicode(${column}) + 1) || substr(${column}, 2) end`,
  'a blob': (column) => `iif(${column} is null, x'00', cast(${column} as blob))`,
  'a huge number': () => '9007199254740993',
  'bytes that are no UTF-8': () => `cast(x'ff7b22fe' as text)`,
  'JSON that is cut off': (column) =>
    `'{"words":"${column.endsWith('_json') ? KEPT : ''}' || coalesce(length(${column}), 0)`,
}

/** SQLite moves the row in its indexes too, unlike a disk error: it is not found in its old place. */
const KEYS: ReadonlySet<string> = new Set(['id', 'run', 'n', 'session', 'name', 'key'])

/** In a row of the second run if there is one; its checksum stays. */
const changedCells: readonly Damage[] = Object.entries(SUMMED).flatMap(([table, { columns }]) =>
  columns
    // The row number is not a cell.
    .filter((column) => column !== 'n' || (table !== 'notes' && table !== 'audit'))
    .flatMap((column) =>
      Object.entries(CHANGES).map(([how, value]) => ({
        name: `${table}.${column} is ${how}`,
        isRow: true as const,
        ...(KEYS.has(column) && { isTorn: true as const }),
        spoil: (file: string) => rewrite(file, table, `${column} = ${value(column)}`),
      })),
    ),
)

/** Like a disk error, not like a program: the checksum stays, and no trigger runs. */
function rewrite(file: string, table: string, change: string): void {
  const db = new DatabaseSync(file)
  const { at, sum } =
    db.prepare(`select rowid as at, sum from ${table} order by rowid limit 1 offset 1`).get() ?? {}
  assert.ok(typeof at === 'number' && typeof sum === 'number', table)
  db.function('row_sum', { deterministic: true, varargs: true }, () => sum)
  db.function('damaged_row', { varargs: true }, () => null)
  withoutTriggers(db, table, () => db.exec(`update ${table} set ${change} where rowid = ${at}`))
  db.close()
}

const swapped: readonly Damage[] = [
  ['runs', 'input_json'],
  ['journal', 'entries_json'],
  ['requests', 'about_json'],
  ['messages', 'body_json'],
  ['sessions', 'states_json'],
  ['memories', 'value_json'],
  ['results', 'result_json'],
  ['cache', 'value_json'],
  ['artifacts', 'body_json'],
].map(([table = '', column = '']) => ({
  name: `${table}.${column} and its checksum are those of another row`,
  isRow: true as const,
  spoil: (file) => swap(file, table, column),
}))

/** Another row replaces this one, with its own checksum: only the key reveals it. */
function swap(file: string, table: string, column: string): void {
  const db = new DatabaseSync(file)
  const rows = `from ${table} order by rowid limit 1`
  const other = db.prepare(`select ${column} as value, sum ${rows}`).get()
  const { at } = db.prepare(`select rowid as at ${rows} offset 1`).get() ?? {}
  db.function('row_sum', { deterministic: true, varargs: true }, () => Number(other?.['sum']))
  db.function('damaged_row', { varargs: true }, () => null)
  withoutTriggers(db, table, () =>
    db
      .prepare(`update ${table} set ${column} = ? where rowid = ?`)
      .run(String(other?.['value']), Number(at)),
  )
  db.close()
}

/** Anywhere in the file: its header, tables, indexes and free space. */
function flippedBits(count: number): readonly Damage[] {
  const draw = drawn(8)
  return Array.from({ length: count }, () => {
    const [where, bit] = [draw.next().value, Math.floor(draw.next().value * 8)]
    return {
      name: `bit ${bit} at ${where.toFixed(6)} of the file`,
      spoil: (file) => flip(file, where, bit),
    }
  })
}

function flip(file: string, where: number, bit: number): void {
  const bytes = readFileSync(file)
  const at = Math.floor(where * bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
  writeFileSync(file, bytes)
}

const PAGE = 4096

const spoiledFiles: readonly Damage[] = [
  ...Array.from({ length: 12 }, (_, page) => ({
    name: `page ${page * 3 + 1} is zeros`,
    spoil: (file: string) => {
      const bytes = readFileSync(file)
      bytes.fill(0, page * 3 * PAGE, (page * 3 + 1) * PAGE)
      writeFileSync(file, bytes)
    },
  })),
  ...[0.1, 0.5, 0.9, 0.999].map((part) => ({
    name: `it is cut at ${part}`,
    spoil: (file: string) => truncateSync(file, Math.floor(readFileSync(file).length * part)),
  })),
  { name: 'it is empty', isTorn: true, spoil: (file) => writeFileSync(file, '') },
  { name: 'it is a text', spoil: (file) => writeFileSync(file, KEPT.repeat(500)) },
  { name: 'it is a folder', spoil: (file) => (rmSync(file), mkdirSync(file)) },
  {
    name: 'it is of another program',
    spoil: (file) => {
      rmSync(file)
      new DatabaseSync(file).exec('create table runs (id text); insert into runs values (1)')
    },
  },
  { name: 'its log is noise', isTorn: true, spoil: (file) => writeFileSync(`${file}-wal`, KEPT) },
  { name: 'its index of the log is noise', spoil: (file) => writeFileSync(`${file}-shm`, KEPT) },
  ...['delete', 'truncate', 'memory'].map((mode) => ({
    name: `its journal mode is ${mode}`,
    spoil: (file: string) => new DatabaseSync(file).exec(`pragma journal_mode = ${mode}`),
  })),
]

/** A file in use: the last writes are in the log next to it. */
function flippedLogs(count: number): readonly Damage[] {
  const draw = drawn(16)
  return Array.from({ length: count }, () => {
    const [where, bit] = [draw.next().value, Math.floor(draw.next().value * 8)]
    return {
      name: `bit ${bit} at ${where.toFixed(6)} of the log`,
      isTorn: true as const,
      spoil: (file: string) => {
        copyFileSync(`${filled}.used`, file)
        copyFileSync(`${filled}.used-wal`, `${file}-wal`)
        flip(`${file}-wal`, where, bit)
      },
    }
  })
}

/** No wrong data is reported, nothing else is lost, and each error is a sentence. */
async function survives(folder: string, damage: Damage): Promise<void> {
  const file = join(folder, 'store.db')
  for (const rest of ['', '-wal', '-shm', '-journal', '.copy']) {
    rmSync(`${file}${rest}`, { recursive: true, force: true })
  }
  copyFileSync(filled, file)
  damage.spoil(file)
  const found = await doctorOf(file)
  await asSentence(() => backUp(file, `${file}.copy`))
  const store = await asSentence(() => openStore(file))
  if (store === undefined) return
  try {
    const answers = await answersOf(store)
    const changed = [...answers].filter(([name, answer]) => !same(answer, whole.get(name)))
    if (damage.isTorn !== true) {
      for (const [name, answer] of changed) holds(name, answer, whole.get(name))
    }
    if (damage.isRow !== true) return
    assert.ok(found.length > 0, 'the doctor finds nothing')
    const harmed = RUNS.filter((run) => changed.some(([name]) => name.endsWith(` ${run}`)))
    assert.ok(harmed.length <= 1, `more than one run is harmed: ${harmed.join(', ')}`)
  } finally {
    await store.close()
  }
}

/** The names that the doctor reports. */
async function doctorOf(file: string): Promise<readonly string[]> {
  try {
    const opened = examineStore(file)
    try {
      const { damage, damagedRows } = await opened.facts()
      if (damage.length === 0) for (const one of opened.checkpoints()) assert.ok(one.kind)
      const all = [...damage, ...damagedRows]
      assert.ok(!all.join().includes(KEPT), all.join())
      return all
    } finally {
      opened.close()
    }
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    assert.ok(!told(error).includes(KEPT), told(error))
    return [error.message]
  }
}

/** Undefined if it was rejected with a sentence. */
async function asSentence<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    assert.ok(error instanceof EchelonError, String(error))
    assert.ok(!told(error).includes(KEPT), told(error))
    return undefined
  }
}

suite('a store that is damaged', () => {
  let folder = ''

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'echelon-damaged-'))
    filled = join(folder, 'filled.db')
    const store = await openStore(filled)
    await fill(store)
    // In use: not closed, which would empty the log.
    copyFileSync(filled, `${filled}.used`)
    copyFileSync(`${filled}-wal`, `${filled}.used-wal`)
    whole = await answersOf(store)
    await store.close()
    addArtifacts()
  })

  after(() => rmSync(folder, { recursive: true, force: true }))

  test('the doctor finds a changed cell, nothing reports it as valid, and other runs are unharmed', async (t) => {
    const hold = (one: Damage): Promise<void> => survives(folder, one)
    await tried(t, {
      cases: [...changedCells, ...swapped],
      named: ({ name }) => name,
      hold,
      fast: 30,
    })
  })

  test('nothing reports a flipped bit anywhere in the file or its log as valid data', async (t) => {
    const hold = (one: Damage): Promise<void> => survives(folder, one)
    const cases = [...flippedBits(300), ...flippedLogs(60)]
    await tried(t, { cases, named: ({ name }) => name, hold, fast: 20 })
  })

  test('nothing reports a journal that a damaged index shortens as complete', async (t) => {
    const file = join(folder, 'ended.db')
    const runId = 'a-run-of-four-rows'
    const store = await openStore(file)
    const begin = { type: 'started', path: '', runId, agent: 'a', version: 1, at: 1 } as const
    await store.runs.append(runId, [
      { ...begin, seed: 1, timeZone: 'UTC', models: {}, limits: {}, input: '' },
    ])
    for (const seq of [0, 1]) {
      await store.runs.append(runId, [{ type: 'opened', path: '', seq, hold: {} }])
    }
    const end = { type: 'ended', path: '', status: 'finished', reason: 'done', at: 2 } as const
    await store.runs.append(runId, [end])
    const kept = await store.runs.read(runId)
    await store.close()
    const bytes = readFileSync(file)
    const places: number[] = []
    for (let at = bytes.indexOf(runId); at >= 0; at = bytes.indexOf(runId, at + 1)) places.push(at)
    await tried(t, {
      cases: places.flatMap((at) => [at, at + runId.length - 1]),
      named: (at) => `byte ${at}`,
      fast: Number.MAX_SAFE_INTEGER,
      async hold(at) {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ 1
        writeFileSync(file, flipped)
        await asSentence(async () => {
          const opened = await openStore(file)
          try {
            const read = await opened.runs.read(runId)
            // A run without a row does not exist.
            if (read.length > 0) assert.deepEqual(read, kept)
          } finally {
            await opened.close()
          }
        })
      },
    })
  })

  test('a file that is cut, empty, zeroed, or not a store is reported in a sentence', async (t) => {
    const hold = (one: Damage): Promise<void> => survives(folder, one)
    await tried(t, { cases: spoiledFiles, named: ({ name }) => name, hold })
  })

  test('the checksum covers each column of each table', () => {
    const db = new DatabaseSync(filled)
    for (const [table, { columns }] of Object.entries(SUMMED)) {
      const found = db.prepare(`select name from pragma_table_info('${table}')`).all()
      assert.deepEqual(
        found.map(({ name }) => String(name)).toSorted(),
        [...columns].toSorted(),
        table,
      )
      const xinfo = db.prepare(`select name from pragma_table_xinfo('${table}')`).all()
      assert.ok(
        xinfo.some(({ name }) => name === 'sum'),
        table,
      )
    }
    const tables = db
      .prepare(
        "select name from pragma_table_list where schema = 'main' and name not like 'sqlite_%'",
      )
      .all()
    assert.deepEqual(
      tables.map(({ name }) => String(name)).toSorted(),
      Object.keys(SUMMED).toSorted(),
    )
    db.close()
  })

  test('a file of the first version is upgraded completely, and then equals a new one', async () => {
    const [old, now] = [join(folder, 'old.db'), join(folder, 'now.db')]
    const first = await Database.open(old, MIGRATIONS.slice(0, 1))
    first.exec(`insert into audit (line) values ('one'), ('two')`)
    first.exec(
      `insert into runs values ('r', 'a', 1, 'open', null, '"${KEPT}', 'null', null, null, 1, 1, null, 0)`,
    )
    first.close()
    ;(await Database.open(old)).close()
    ;(await Database.open(now)).close()
    assert.deepEqual(schemaOf(old), schemaOf(now))
    assert.deepEqual(await doctorOf(old), ['the run r', 'the run r, whose journal is gone'])
    const store = await openStore(old)
    const [run] = await store.runs.list()
    assert.deepEqual([run?.id, run?.status, run?.input], ['r', 'damaged', null])
    assert.equal((await store.audit.read()).length, 2)
    await store.close()
  })
})

function schemaOf(file: string): readonly unknown[] {
  const db = new DatabaseSync(file)
  const made = db.prepare('select type, name, sql from sqlite_master order by type, name').all()
  db.close()
  return made.map((row) => ({ ...row }))
}

/** Rows that the store's API cannot write without a working run. */
function addArtifacts(): void {
  const db = new DatabaseSync(filled)
  addSums(db, filled, {})
  for (const run of RUNS) {
    db.prepare('insert into artifacts values (?, ?, 0, ?)').run(
      run,
      `${run}.png`,
      `{"name":"${KEPT}"}`,
    )
    db.prepare('insert into snapshots values (?, 1, ?)').run(run, `{"after":1,"of":"${run}"}`)
    db.prepare('insert into audit (line) values (?)').run(run)
    db.prepare('insert into leases values (?, 1, null, null, 0)').run(`run:${run}`)
  }
  db.close()
}
