import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { systemClock } from '../../../echelon/src/platform/clock.ts'
import { Database } from './file/database.ts'
import { folderFor } from './in-tests.ts'
import { SqliteNotes } from './notes.ts'

const SCOPE = { kind: 'user', id: 'ada' } as const

const noteOf = (title: string) =>
  ({ type: 'create', scope: SCOPE, title, text: 'likes tea' }) as const

test('a damaged note is listed as damaged, hides no other, and can be deleted', async (t) => {
  const file = join(await folderFor(t), 'store.db')
  const first = await Database.open(file)
  const before = new SqliteNotes(first, systemClock)
  for (const title of ['one', 'two', 'three']) await before.write(noteOf(title), title)
  first.close()
  damage(file, 2)
  const db = await Database.open(file)
  t.after(() => db.close())
  const notes = new SqliteNotes(db, systemClock)
  const ids = async (query?: string) => (await notes.find([SCOPE], query)).map(({ id }) => id)
  assert.deepEqual(await ids(), ['n3', 'n1', 'n2'])
  assert.deepEqual(await ids('tea'), ['n3', 'n1'])
  const damaged = (await notes.find([SCOPE])).filter((note) => note.damaged)
  assert.deepEqual(
    damaged.map(({ id, scope }) => [id, scope]),
    [['n2', SCOPE]],
  )
  assert.match(damaged[0]?.text ?? '', /damaged.*cannot be read.*Delete/)
  // The counter does not continue from the damaged number.
  await notes.write(noteOf('four'), 'four')
  assert.deepEqual(await ids(), ['n4', 'n3', 'n1', 'n2'])
  const update = { type: 'update', scope: SCOPE, id: 'n2', text: 'new' } as const
  await assert.rejects(notes.write(update, 'u'), { code: 'STORE_DAMAGED' })
  const gone = { type: 'delete', scope: SCOPE, id: 'n2' } as const
  assert.deepEqual(await notes.write(gone, 'd'), damaged[0])
  assert.deepEqual(await notes.write(gone, 'd'), damaged[0], 'done once under its key')
  assert.deepEqual(await ids(), ['n4', 'n3', 'n1'])
})

/** As a failing disk would: the checksum stays. */
function damage(file: string, n: number): void {
  const db = new DatabaseSync(file)
  const { sum } = db.prepare('select sum from notes where n = ?').get(n) ?? {}
  db.function('row_sum', { deterministic: true, varargs: true }, () => Number(sum))
  db.exec('drop trigger notes_whole')
  db.exec(`update notes set body = 'x', changed_n = 9007199254740993 where n = ${n}`)
  db.close()
}
