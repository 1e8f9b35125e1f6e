import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { systemClock } from '../../packages/echelon/src/platform/clock.ts'
import { Database } from '../../packages/store/src/sqlite/file/database.ts'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { Leases } from '../../packages/store/src/sqlite/runs/leases.ts'
import { SqliteMemories } from '../../packages/store/src/sqlite/memories.ts'
import { SqliteRuns } from '../../packages/store/src/sqlite/runs/run-store.ts'
import { journey } from './journey-scenario.ts'
import { deedsOf } from './judge.ts'
import { Outside } from './outside.ts'
import type { End } from './scenario.ts'

const MOST_PAGES = 1_000_000

/** Pages of 512 bytes fill up soon, each at another append. */
function makeFine(file: string): void {
  const db = new DatabaseSync(file)
  db.exec('pragma page_size = 512; vacuum')
  db.close()
}

/** Starts or resumes the run, with room for so many more pages. */
async function live(folder: string, run: string, room: number): Promise<End> {
  const db = await Database.open(join(folder, 'echelon.db'))
  const leases = new Leases(db, systemClock)
  const journal = new SqliteRuns(db, systemClock, leases)
  const pages = Number(db.prepare('pragma page_count').get()?.['page_count'])
  db.exec(`pragma max_page_count = ${Math.min(MOST_PAGES, pages + room)}`)
  const memories = new SqliteMemories(db)
  const outside = new Outside(folder, run)
  try {
    return await journey({ run, folder, limits: {}, journal, memories, outside })
  } finally {
    journal.close()
    leases.close()
    db.close()
  }
}

test('a run on a full disk ends with a short error, keeps its work, and can be resumed once there is space', async (t) => {
  const folder = await folderFor(t)
  makeFine(join(folder, 'echelon.db'))
  let full = 0
  for (let room = 0; room < 12; room++) {
    const run = `room-${room}`
    const failed = await live(folder, run, room).then(
      () => undefined,
      (error: unknown) => error,
    )
    const done = deedsOf(folder, run)
    if (failed !== undefined) {
      full++
      assert.ok(failed instanceof EchelonError)
      assert.equal(failed.code, 'JOURNAL_FAILED')
      assert.match(
        failed.message,
        /database or disk is full.*fix the store and (?:resume|begin it again)/,
      )
      assert.ok(!failed.message.includes('\n'))
      // Only a run with a row can be resumed.
      if (/begin it again/.test(failed.message)) assert.deepEqual(done, [])
    }
    const { reason } = await live(folder, run, MOST_PAGES)
    assert.equal(reason, 'arrived', run)
    const deeds = deedsOf(folder, run)
    assert.deepEqual(deeds.slice(0, done.length), done)
    const pays = deeds.flatMap(({ tool, key }) => (tool === 'pay' ? [key] : []))
    assert.deepEqual([pays.length, new Set(pays).size], [4, 4], `${run}: each once`)
  }
  t.diagnostic(`the disk was full ${full} times`)
  assert.ok(full >= 6, `the disk was full ${full} times`)
})
