import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { Database } from '../../packages/store/src/sqlite/file/database.ts'
import { ask, type Asked } from './asks-once.ts'

async function place(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'echelon-cache-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'echelon.db')
}

async function askElsewhere(path: string): Promise<Asked> {
  const program = join(import.meta.dirname, 'asks-once.ts')
  const args = ['--conditions=echelon-source', program, path]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const asked: Asked = JSON.parse(stdout)
  return asked
}

const ANSWER = { text: ['since ', 'it ', 'is'] }

test('[C-25] another process answers from a cache file at no cost and in the same pieces', async (t) => {
  const path = await place(t)
  const first = await ask(path, [ANSWER])
  assert.deepEqual(first, {
    text: 'since it is',
    cost: 15,
    pieces: ANSWER.text,
    middleware: [],
  })
  assert.deepEqual(await askElsewhere(path), { ...first, cost: 0, middleware: ['hit'] })
})

test("[C-25] an answer belongs to the session that it was given for, also a sub-agent's, and to none for a run alone", async (t) => {
  for (const [given, kept] of [
    [{ session: 'talk' }, 'talk'],
    [{ session: 'talk', through: 'a sub-agent' }, 'talk'],
    [{}, null],
  ] as const) {
    const path = await place(t)
    await ask(path, [ANSWER], given)
    const db = await Database.open(path)
    const rows = db.prepare('select session from cache').all()
    assert.deepEqual(
      rows.map(({ session }) => session),
      [kept],
    )
    db.close()
  }
})
