import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { Database } from './database.ts'
import { folderFor } from '../in-tests.ts'

const modeOf = (path: string): number => lstatSync(path).mode & 0o777

/** The modes of a database and of the files beside it. */
const modesIn = (folder: string): Readonly<Record<string, number>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]))

/** Opens and writes a database in a process with its own umask, and prints the modes. */
function openedWith(umask: string, path: string): Readonly<Record<string, number>> {
  const program = `
    const { Database } = await import(${JSON.stringify(new URL('database.ts', import.meta.url).href)})
    const { lstatSync, readdirSync } = await import('node:fs')
    const db = await Database.open(${JSON.stringify(path)})
    db.exec("insert into memories (name, value_json, version) values ('m', '1', 1)")
    db.loose.exec("insert into memories (name, value_json, version) values ('n', '1', 1)")
    const folder = ${JSON.stringify(dirname(path))}
    const modes = [...readdirSync(folder), '.'].map((name) =>
      [name, lstatSync(folder + '/' + name).mode & 0o777])
    console.log(JSON.stringify(Object.fromEntries(modes)))`
  const node = [
    process.execPath,
    '--conditions=echelon-source',
    '--input-type=module',
    '--eval',
    program,
  ]
  const output = execFileSync('/bin/sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', ...node])
  const modes: Readonly<Record<string, number>> = JSON.parse(output.toString())
  return modes
}

test('[DD-28] the database and the files beside it belong to their owner alone, whatever the umask', async (t) => {
  const folder = await folderFor(t)
  for (const umask of ['0', '022', '077']) {
    const modes = openedWith(umask, join(folder, umask, 'deep', 'echelon.db'))
    assert.deepEqual(modes, {
      '.': 0o700,
      'echelon.db': 0o600,
      'echelon.db-shm': 0o600,
      'echelon.db-wal': 0o600,
    })
    assert.equal(modeOf(join(folder, umask)), 0o700)
  }
})

test('[DD-28] makes files private that others could read, and leaves an existing folder alone', async (t) => {
  const folder = join(await folderFor(t), 'shared')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const path = join(folder, 'echelon.db')
  const first = await Database.open(path)
  t.after(() => first.close())
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666)
  const second = await Database.open(path)
  t.after(() => second.close())
  assert.deepEqual(modesIn(folder), {
    'echelon.db': 0o600,
    'echelon.db-shm': 0o600,
    'echelon.db-wal': 0o600,
  })
  assert.equal(modeOf(folder), 0o755)
})

test('[DD-28] refuses a link or a folder, and writes nothing through it', async (t) => {
  const folder = await folderFor(t)
  const target = join(folder, 'target')
  writeFileSync(target, '')
  chmodSync(target, 0o644)
  symlinkSync(target, join(folder, 'link'))
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
  mkdirSync(join(folder, 'folder'))
  for (const [name, reason] of [
    ['link', /is a symbolic link/],
    ['dangling', /link|ELOOP/],
    ['folder', /is not a file/],
  ] as const) {
    const opening = Database.open(join(folder, name))
    await assert.rejects(opening, { code: 'STORE_UNUSABLE', message: reason })
  }
  assert.equal(modeOf(target), 0o644)
  assert.deepEqual(readdirSync(folder).toSorted(), ['dangling', 'folder', 'link', 'target'])
})
