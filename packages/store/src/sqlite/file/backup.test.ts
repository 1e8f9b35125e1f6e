import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test, type TestContext } from 'node:test'
import { backUp } from './backup.ts'
import { Database } from './database.ts'

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-backup-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Each transaction writes two rows with the same number: a copy with only one of them is torn. */
const WRITER = `
import { DatabaseSync } from 'node:sqlite'
const db = new DatabaseSync(process.argv[2], { timeout: 5000 })
db.function('row_sum', { deterministic: true, varargs: true }, () => 0)
const put = db.prepare("insert into audit (line) values (?)")
let isOver = false
process.on('message', () => (isOver = true))
for (let n = 0; !isOver; n++) {
  const line = String(n).padEnd(3000, '.')
  db.exec('begin immediate')
  put.run(line)
  put.run(line)
  db.exec('commit')
  if (n === 500) process.send('going')
  await new Promise(setImmediate)
}
db.close()
process.disconnect()
`

const linesOf = (path: string): readonly string[] => {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    assert.equal(db.prepare('pragma integrity_check').get()?.['integrity_check'], 'ok')
    return db
      .prepare('select line from audit order by n')
      .all()
      .map(({ line }) => String(line))
  } finally {
    db.close()
  }
}

suite('a backup [C-31]', () => {
  test('copies one consistent state while another process writes without a pause', async (t) => {
    const folder = folderFor(t)
    const [path, target] = [join(folder, 'a.db'), join(folder, 'b.db')]
    const store = await Database.open(path)
    const script = join(folder, 'writer.mjs')
    writeFileSync(script, WRITER)
    const writer = fork(script, [path], { execArgv: [] })
    await once(writer, 'message')
    const seen: { done: number; total: number }[] = []
    const { bytes } = await backUp(path, target, { onProgress: (step) => seen.push(step) })
    writer.send('over')
    const [status] = await once(writer, 'exit')
    assert.equal(status, 0)

    const copied = linesOf(target)
    assert.ok(copied.length >= 1002 && copied.length % 2 === 0, `${copied.length} lines`)
    for (let n = 0; n < copied.length; n += 2) assert.equal(copied[n], copied[n + 1])
    const all = linesOf(path)
    assert.ok(all.length > copied.length)
    assert.deepEqual(all.slice(0, copied.length), copied)
    assert.equal(statSync(target).size, bytes)
    assert.ok(seen.every(({ done, total }) => done > 0 && done <= total))
    store.close()
  })

  test("[DD-28] is its owner's alone, leaves nothing beside it, and opens as a store", async (t) => {
    const folder = folderFor(t)
    const [path, target] = [join(folder, 'a.db'), join(folder, 'b.db')]
    ;(await Database.open(path)).close()
    await backUp(path, target)
    assert.equal(statSync(target).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder).toSorted(), ['a.db', 'b.db'])
    ;(await Database.open(target)).close()
  })

  test('reports that the copied store is of a newer version', async (t) => {
    const folder = folderFor(t)
    const path = join(folder, 'a.db')
    const store = await Database.open(path)
    store.close()
    assert.equal((await backUp(path, join(folder, 'b.db'))).isNewer, false)
    const db = new DatabaseSync(path)
    db.exec('pragma user_version = 999')
    db.close()
    const { version, isNewer } = await backUp(path, join(folder, 'c.db'))
    assert.deepEqual([version, isNewer], [999, true])
  })

  test('never replaces a file, and copies only stores', async (t) => {
    const folder = folderFor(t)
    const path = join(folder, 'a.db')
    ;(await Database.open(path)).close()
    const target = join(folder, 'notes.txt')
    writeFileSync(target, 'notes')
    await assert.rejects(backUp(path, target), {
      code: 'INVALID_INPUT',
      message: `${target} already exists; name a new file for the backup`,
    })
    assert.equal(readFileSync(target, 'utf8'), 'notes')
    const foreign = join(folder, 'foreign.db')
    new DatabaseSync(foreign).exec('create table notes (text)')
    const rows: readonly (readonly [string, RegExp])[] = [
      [target, /notes\.txt cannot be used \(file is not a database\)/],
      [foreign, /is a database of another program/],
      [join(folder, 'none.db'), /there is no file /],
    ]
    for (const [from, message] of rows) {
      const refused = { code: 'STORE_UNUSABLE', message }
      await assert.rejects(backUp(from, join(folder, 'new.db')), refused)
    }
    const absent = join(folder, 'no', 'folder.db')
    const unwritten = { code: 'INVALID_INPUT', message: /cannot be written \(ENOENT/ }
    await assert.rejects(backUp(path, absent), unwritten)
    assert.deepEqual(readdirSync(folder).toSorted(), ['a.db', 'foreign.db', 'notes.txt'])
  })

  test('leaves nothing if canceled or failed halfway', async (t) => {
    const folder = folderFor(t)
    const path = join(folder, 'a.db')
    const store = await Database.open(path)
    const put = store.prepare('insert into audit (line) values (?)')
    store.transaction(() => {
      for (let n = 0; n < 3000; n++) put.run('.'.repeat(3000))
    })
    store.close()
    const stop = new AbortController()
    const copied = backUp(path, join(folder, 'b.db'), {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    })
    await assert.rejects(copied, { name: 'AbortError' })
    // A page in the middle cannot be read: the disk is broken, or the file was truncated.
    writeFileSync(path, readFileSync(path).subarray(0, 1_000_000))
    await assert.rejects(backUp(path, join(folder, 'b.db')), /cannot be (used|written) /)
    assert.deepEqual(readdirSync(folder), ['a.db'])
  })
})
