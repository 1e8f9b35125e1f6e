import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from './database.ts'

/** The number of statements that are prepared while something is done. */
function preparedDuring(db: Database, work: () => void): number {
  const { connection } = db
  const prepare = connection.prepare.bind(connection)
  let count = 0
  connection.prepare = (sql) => {
    count++
    return prepare(sql)
  }
  work()
  connection.prepare = prepare
  return count
}

test('a query that repeats is prepared once', async (t) => {
  const db = await Database.open(':memory:')
  t.after(() => db.close())
  const read = (): unknown => db.recent('select ?1 + count(*) as found from runs').get(1)?.['found']
  assert.equal(
    preparedDuring(db, () => {
      for (let time = 0; time < 10; time++) assert.equal(read(), 1)
    }),
    1,
  )
  assert.equal(
    preparedDuring(db, () => void read()),
    0,
  )
})

test('statements that were not used for long are prepared again', async (t) => {
  const db = await Database.open(':memory:')
  t.after(() => db.close())
  const read = (nth: number): unknown => db.recent(`select ${nth} as n`).get()?.['n']
  for (let nth = 0; nth < 200; nth++) assert.equal(read(nth), nth)
  assert.equal(
    preparedDuring(db, () => void read(199)),
    0,
  )
  assert.equal(
    preparedDuring(db, () => void read(0)),
    1,
  )
})
