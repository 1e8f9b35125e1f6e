import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { openStore } from '@echelon/store'
import { Database } from '../../packages/store/src/sqlite/file/database.ts'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { MIGRATIONS } from '../../packages/store/src/sqlite/file/schema.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { endOf, spawnProgram } from '../crash/lives.ts'
import { FAILING_VERSION, NEXT_VERSION } from './next-version.ts'

const GOLDEN = fileURLToPath(new URL('../golden/databases/v1.db', import.meta.url))

/** A copy that a test may damage. */
async function golden(t: TestContext): Promise<string> {
  const file = join(await folderFor(t), 'echelon.db')
  copyFileSync(GOLDEN, file)
  return file
}

const isUnusable =
  (says: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof EchelonError, String(error))
    assert.equal(error.code, 'STORE_UNUSABLE')
    assert.match(error.message, says)
    assert.ok(!error.message.includes('\n'), 'one sentence')
    return true
  }

test('a file of the first version opens with all its data', async (t) => {
  const clock = new SetClock()
  const store = await openStore(await golden(t), { clock })
  const runs = await store.runs.list()
  assert.deepEqual(
    runs.map(({ status, agent, requests }) => `${status} ${agent} ${requests.length}`).toSorted(),
    ['finished golden 0', 'waiting golden 1'],
  )
  const done = runs.find(({ status }) => status === 'finished')?.id ?? ''
  const kinds = (await store.runs.read(done)).map(({ type }) => type)
  assert.deepEqual(kinds, ['started', 'closed', 'ended'])
  assert.deepEqual(await store.memories.read('road'), { value: { taken: true }, version: 1 })
  const [note] = await store.notes.find([{ kind: 'user', id: 'ada' }], 'WINDOW')
  assert.deepEqual([note?.title, note?.text, note?.version], ['seat', 'by the window', 1])
  assert.deepEqual(await store.cache.get('c'), ['kept'])
  const claim = await store.results.claim('key', 'input', 'another')
  assert.deepEqual(claim, { type: 'done', run: done, result: { answer: 42 } })
  const waiting = runs.find(({ status }) => status === 'waiting')?.id ?? ''
  await store.runs.reply(waiting, 'q', 'yes')
  assert.deepEqual(
    (await store.runs.due()).map(({ id }) => id),
    [waiting],
  )
  await store.close()
})

test('the migration to the first version never changes: a later version is another migration', async (t) => {
  const file = join(await folderFor(t), 'new.db')
  const db = await Database.open(file, MIGRATIONS.slice(0, 1))
  db.close()
  assert.deepEqual(
    schemaOf(file),
    schemaOf(await golden(t)),
    'before the first release, write the file anew: test/golden/make-database.ts v1',
  )
})

function schemaOf(file: string): readonly unknown[] {
  const db = new DatabaseSync(file)
  const made = db.prepare('select type, name, sql from sqlite_master order by type, name').all()
  db.close()
  return made.map((row) => ({ ...row }))
}

/** Ways to damage a file, and the message for each. */
const SPOILED: readonly (readonly [how: string, spoil: (file: string) => void, says: RegExp])[] = [
  ['its first bytes are others', (file) => flip(file, 0, 16), /not a database.*backup/],
  ['it is cut short', (file) => truncateSync(file, 5000), /malformed.*backup/],
  ['the page of its schema is spoiled', (file) => flip(file, 100, 400), /malformed.*backup/],
  ['it is a text', (file) => writeFileSync(file, 'my notes\n'.repeat(500)), /not a database/],
  ['it is of another program', (file) => foreign(file), /of another program/],
  [
    'it is of a version to come',
    (file) => sql(file, 'pragma user_version = 999'),
    /update Echelon/,
  ],
]

for (const [how, spoil, says] of SPOILED) {
  test(`a file is rejected where ${how}, and not one byte of it is changed`, async (t) => {
    const file = await golden(t)
    spoil(file)
    const before = readFileSync(file)
    await assert.rejects(openStore(file), isUnusable(says))
    assert.ok(readFileSync(file).equals(before), 'it is as it was')
    for (const beside of ['-wal', '-journal']) assert.ok(!existsSync(`${file}${beside}`), beside)
  })
}

test('a file with any damaged page is rejected and not changed', async (t) => {
  const file = await golden(t)
  const whole = readFileSync(file)
  const size = whole.readUInt16BE(16)
  const pages = whole.length / size
  assert.ok(pages > 20)
  for (let page = 1; page < pages; page++) {
    writeFileSync(file, whole)
    flip(file, page * size, 64)
    const before = readFileSync(file)
    await assert.rejects(openStore(file), isUnusable(/backup/), `page ${page}`)
    assert.ok(readFileSync(file).equals(before), `page ${page} is as it was`)
  }
})

test('an empty file becomes a store: a process may have died when it created it', async (t) => {
  const file = join(await folderFor(t), 'echelon.db')
  writeFileSync(file, '')
  const store = await openStore(file)
  assert.deepEqual(await store.runs.list(), [])
  await store.close()
})

test('where no folder can exist, the message says what to do', async (t) => {
  const folder = await folderFor(t)
  writeFileSync(join(folder, 'file'), '')
  await assert.rejects(
    openStore(join(folder, 'file', 'echelon.db')),
    isUnusable(/folder is writable.*name another file/),
  )
})

test('a read-only folder is rejected with what to do', async (t) => {
  if (process.getuid?.() === 0) return t.skip('whoever is root may write anywhere')
  const folder = await folderFor(t)
  chmodSync(folder, 0o500)
  await assert.rejects(openStore(join(folder, 'echelon.db')), isUnusable(/folder is writable/))
  chmodSync(folder, 0o700)
})

test('an older file is upgraded with all its data', async (t) => {
  const file = await golden(t)
  const db = await Database.open(file, NEXT_VERSION)
  assert.deepEqual(
    { ...db.prepare('select count(*) as n, max(color) as color from runs').get() },
    {
      n: 2,
      color: null,
    },
  )
  db.close()
  await assert.rejects(Database.open(file), isUnusable(/of version \d+ .*update Echelon/))
  const again = await Database.open(file, NEXT_VERSION)
  again.close()
})

test('an upgrade that fails halfway leaves the file as it was', async (t) => {
  const file = await golden(t)
  await assert.rejects(Database.open(file, FAILING_VERSION), isUnusable(/its schema is damaged/))
  const store = await openStore(file)
  assert.equal((await store.runs.list()).length, 2)
  await store.close()
  assert.equal(columnsOf(file).includes('color'), false)
})

for (const file of ['an old', 'a new']) {
  test(`processes that open ${file} file at the same time upgrade it once`, async (t) => {
    await upgradeAtOnce(file === 'an old' ? await golden(t) : join(await folderFor(t), 'new.db'))
  })
}

async function upgradeAtOnce(file: string): Promise<void> {
  const processes = [1, 2, 3, 4].map(() => spawnProgram(dirname(file), 'stores/upgrader.ts', file))
  const ends = processes.map(endOf)
  await Promise.all(processes.map((one) => once(one, 'message')))
  for (const one of processes) one.send('go')
  assert.deepEqual(await Promise.all(ends), [null, null, null, null])
  assert.equal(columnsOf(file).filter((name) => name === 'color').length, 1)
}

function columnsOf(file: string): readonly unknown[] {
  const db = new DatabaseSync(file)
  const columns = db.prepare("select name from pragma_table_info('runs')").all()
  db.close()
  return columns.map(({ name }) => name)
}

function flip(file: string, from: number, count: number): void {
  const bytes = readFileSync(file)
  for (let at = from; at < from + count; at++) bytes[at] = 255 - (bytes[at] ?? 0)
  writeFileSync(file, bytes)
}

function sql(file: string, text: string): void {
  const db = new DatabaseSync(file)
  db.exec(text)
  db.close()
}

function foreign(file: string): void {
  writeFileSync(file, '')
  sql(file, 'create table notes (text); insert into notes values (1); pragma user_version = 3')
}
