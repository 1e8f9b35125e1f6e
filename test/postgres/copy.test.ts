import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { copyStore, openKnowledge, openStore } from '@echelon/store'
import { started } from '../../packages/echelon/src/testing/run-store/premises.ts'
import { runCommand } from '../../cli/src/testing/run-command.ts'
import { AT, fill, fillKnowledge, goOn, readAll, readKnowledge, RUNS } from './filled-store.ts'
import { postgresServer } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-copy-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = (): string => join(folder, `${files++}.db`)

test('[C-26] a store moves from a file to PostgreSQL and back with all it holds, and can go on', async () => {
  const server = await postgresServer()
  const [first, database, second] = [newFile(), server.address(), newFile()]
  await fill(await openStore(first))
  const before = await readAll(first)
  const progress: number[] = []
  const copied = await copyStore(first, database, {
    onProgress: ({ done, total }) => progress.push(done / total),
  })
  assert.equal(copied.rows['runs'], RUNS + 2)
  assert.equal(progress.at(-1), 1)
  assert.deepEqual(await readAll(database), before)
  assert.equal((await copyStore(first, database)).wasThere, true)
  await copyStore(database, second)
  assert.deepEqual(await readAll(second), before)
  for (const place of [database, second]) {
    await goOn(place)
  }
})

test('[C-26] a copy that is canceled, or meets other data or a live process, leaves nothing', async () => {
  const server = await postgresServer()
  const [source, database] = [newFile(), server.address()]
  await fill(await openStore(source))
  for (const target of [database, newFile()]) {
    const stopping = new AbortController()
    const canceled = copyStore(source, target, {
      signal: stopping.signal,
      onProgress: ({ done }) => done > 600 && stopping.abort(),
    })
    await assert.rejects(canceled, { name: 'AbortError' })
    if (target !== database) assert.ok(!existsSync(target))
  }
  const store = await openStore(database)
  assert.deepEqual(await store.runs.list(), [])
  await store.memories.write('other', 1, { key: 'k' })
  await assert.rejects(copyStore(source, database), /holds other data already/)
  await store.runs.append('live', [started('live', AT)])
  await assert.rejects(copyStore(database, newFile()), {
    code: 'INVALID_INPUT',
    message: /a live process works on run:live/,
  })
  await store.close()
  await assert.rejects(copyStore(join(folder, 'none.db'), server.address()), /there is no file/)
})

test('[C-26] echelon state copy moves a store, and --database and ECHELON_DATABASE use it', async () => {
  const server = await postgresServer()
  const { password } = server
  const database = server.address()
  const echelon = (args: readonly string[], env = {}): ReturnType<typeof runCommand> =>
    runCommand(args, folder, { env })
  const decided = await echelon(['decide', 'What is 2 * 3?'])
  assert.equal(decided.status, 0, decided.stderr)
  const copied = await echelon(['state', 'copy', '.echelon/echelon.db', 'database'], {
    ECHELON_DATABASE: database,
  })
  assert.equal(copied.status, 0, copied.stderr)
  assert.match(copied.stdout, /Copied 1 runs and 0 conversations from .*, and compared every row/)
  const listed = await echelon(['runs', 'list', '--all', '--database', database])
  assert.match(listed.stdout, /What is 2 \* 3/)
  const more = await echelon(['decide', 'What is 4 * 5?'], { ECHELON_DATABASE: database })
  assert.equal(more.status, 0, more.stderr)
  const store = await openStore(database)
  assert.equal((await store.runs.list()).length, 2)
  await store.close()
  const backup = await echelon(['backup', 'x.db', '--database', database])
  assert.match(backup.stderr, /pg_dump/)
  const config = await echelon(['config', '--database', database])
  for (const { stdout, stderr } of [decided, copied, listed, more, backup, config])
    assert.ok(!`${stdout}${stderr}`.includes(password), 'no password is shown')
})

test('[C-18] [C-26] knowledge moves from a file to a database and back, and can be added to', async () => {
  const server = await postgresServer()
  const [first, database, second] = [newFile(), server.address(), newFile()]
  await fillKnowledge(first)
  const before = await readKnowledge(first)
  const { rows } = await copyStore(first, database)
  assert.deepEqual([rows['sources'], rows['chunks'], rows['runs']], [2, 6, undefined])
  assert.deepEqual(await readKnowledge(database), before)
  assert.equal((await copyStore(first, database)).wasThere, true)
  await copyStore(database, second)
  assert.deepEqual(await readKnowledge(second), before)
  for (const place of [database, second]) {
    await fillKnowledge(place)
    assert.deepEqual(await readKnowledge(place), before, 'added once more')
  }
  await assert.rejects(copyStore(first, database), /holds other data already/)
})

test('[C-26] a database that holds a store and knowledge is copied with both, or refused', async () => {
  const server = await postgresServer()
  const [from, to] = [server.address(), server.address()]
  await fill(await openStore(from))
  await fillKnowledge(from)
  const [store, knowledge] = [await readAll(from), await readKnowledge(from)]
  const file = newFile()
  await assert.rejects(copyStore(from, file), {
    code: 'INVALID_INPUT',
    message: /holds a store and knowledge.*--only store.*--only knowledge/,
  })
  assert.ok(!existsSync(file))
  await copyStore(from, to)
  assert.deepEqual([await readAll(to), await readKnowledge(to)], [store, knowledge])
  const [one, other] = [newFile(), newFile()]
  await copyStore(from, one, { only: 'store' })
  await copyStore(from, other, { only: 'knowledge' })
  assert.deepEqual([await readAll(one), await readKnowledge(other)], [store, knowledge])
  await assert.rejects(copyStore(one, newFile(), { only: 'knowledge' }), /there is no knowledge in/)
  await assert.rejects(copyStore(other, one), { code: 'STORE_UNUSABLE' })
})

test('[C-26] a copy of knowledge that is canceled, or meets damage, leaves nothing', async () => {
  const server = await postgresServer()
  const [source, database] = [newFile(), server.address()]
  await fillKnowledge(source)
  const stopping = new AbortController()
  const canceled = copyStore(source, database, {
    signal: stopping.signal,
    onProgress: ({ done }) => done > 3 && stopping.abort(),
  })
  await assert.rejects(canceled, { name: 'AbortError' })
  const db = new DatabaseSync(source)
  db.function('row_sum', { deterministic: true }, (bytes) => (bytes === null ? 0 : 7))
  db.exec(`update chunks set text = 'changed' where n = (select max(n) from chunks)`)
  db.close()
  await assert.rejects(copyStore(source, database), { code: 'STORE_DAMAGED' })
  const knowledge = await openKnowledge(database)
  assert.deepEqual(await knowledge.sources(), [])
  assert.deepEqual(await knowledge.search({ text: 'part' }), [])
  await knowledge.close()
})

test('[C-18] echelon knowledge, chat and state copy use the knowledge of a database by name or address', async () => {
  const server = await postgresServer()
  const database = server.address()
  const { password } = server
  const where = mkdtempSync(join(folder, 'documents-'))
  writeFileSync(join(where, 'refunds.md'), '# Refunds\n\nMoney is back within 14 days.\n')
  const env = { ECHELON_DATABASE: database }
  const echelon = (...args: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(args, where, { env })
  const none = await runCommand(['knowledge', 'list', '--db', 'database'], where)
  assert.match(none.stderr, /no database is configured; set ECHELON_DATABASE/)
  const added = await echelon('knowledge', 'add', 'refunds.md', '--db', 'database')
  assert.equal(added.stdout, '✓ refunds.md\n1 added, 0 unchanged\n', added.stderr)
  const listed = await echelon('knowledge', 'list', '--db', database)
  assert.match(listed.stdout, /^refunds\.md {2}Refunds \(1 piece\)\n$/)
  const found = await echelon('knowledge', 'search', 'money back', '--db', 'database')
  assert.match(found.stdout, /^\[1\] refunds\.md .*\n.*\n.*within 14 days/)
  const chat = await echelon('chat', '--knowledge', database, 'When is money back?')
  assert.match(chat.stdout, /within 14 days/, chat.stderr)
  const store = await openStore(database)
  const [run] = await store.runs.list()
  assert.ok(JSON.stringify(await store.runs.read(run?.id ?? '')).includes('"knowledge":"postgres'))
  assert.ok(!JSON.stringify(await store.runs.read(run?.id ?? '')).includes(password))
  await store.close()
  const both = await echelon('state', 'copy', 'database', 'all.db')
  assert.match(both.stderr, /--only store.*--only knowledge/)
  const copied = await echelon('state', 'copy', 'database', 'known.db', '--only', 'knowledge')
  assert.match(copied.stdout, /^Copied 1 documents from .* to known\.db, and compared every row/)
  const inFile = await echelon('knowledge', 'search', 'money back', '--db', 'known.db')
  assert.equal(inFile.stdout, found.stdout)
  const removed = await echelon('knowledge', 'remove', 'refunds.md', '--db', 'database')
  assert.equal(removed.stdout, '- refunds.md\n')
  for (const { stdout, stderr } of [none, added, listed, found, chat, both, copied, removed])
    assert.ok(!`${stdout}${stderr}`.includes(password), 'no password is shown')
})
