import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Database } from './database.ts'
import { folderFor } from '../in-tests.ts'

test('refuses a newer, foreign or corrupt file and leaves every byte as it is', async (t) => {
  const folder = await folderFor(t)
  const made = (name: string, sql: string): string => {
    const path = join(folder, name)
    const db = new DatabaseSync(path)
    db.exec(sql)
    db.close()
    return path
  }
  const broken = join(folder, 'broken.db')
  writeFileSync(broken, 'no database, but more than nothing '.repeat(100))
  for (const [path, message] of [
    [made('other.db', 'create table t (a)'), /of another program; name another file/],
    [
      made('newer.db', 'pragma application_id = 0x4543484c; pragma user_version = 999'),
      /of version 999 .*update Echelon/,
    ],
    [broken, /nothing was changed; restore a backup/],
  ] as const) {
    const before = readFileSync(path)
    await assert.rejects(Database.open(path), { code: 'STORE_UNUSABLE', message })
    assert.deepEqual(readFileSync(path), before)
  }
  assert.deepEqual(readdirSync(folder).toSorted(), ['broken.db', 'newer.db', 'other.db'])
})

test('reopens a file unchanged, and lets several processes create it at once', async (t) => {
  const path = join(await folderFor(t), 'new', 'echelon.db')
  const opened = await Promise.all(Array.from({ length: 5 }, () => Database.open(path)))
  for (const [nth, db] of opened.entries()) {
    db.exec(`insert into memories (name, value_json, version) values ('m${nth}', '1', 1)`)
  }
  for (const db of opened) {
    assert.equal(db.prepare('select count(*) as n from memories').get()?.['n'], 5)
    db.close()
  }
  assert.deepEqual(readdirSync(dirname(path)), ['echelon.db'])
})

test('the audit log is append-only', async (t) => {
  const db = await Database.open(join(await folderFor(t), 'echelon.db'))
  t.after(() => db.close())
  db.exec(`insert into audit (line) values ('{}')`)
  for (const sql of [`update audit set line = ''`, 'delete from audit']) {
    assert.throws(() => db.exec(sql), /only ever appended to/)
  }
})
