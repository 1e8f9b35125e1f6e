import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { openStore } from '@echelon/store'
import { deedsOf } from './judge.ts'
import { endOf, spawnProgram } from './lives.ts'

const WRITERS = ['ada', 'bob', 'cyd', 'dan']
const RUNS = 12

test('four processes write one file at the same time without errors or lost data', async (t) => {
  const folder = await folderFor(t)
  const children = WRITERS.map((name) =>
    spawnProgram(folder, 'crash/writer.ts', folder, name, String(RUNS)),
  )
  const ends = children.map(endOf)
  await Promise.all(children.map((child) => once(child, 'message')))
  for (const child of children) child.send('go')
  assert.deepEqual(await Promise.all(ends), [null, null, null, null])

  const file = join(folder, 'shared.db')
  const db = new DatabaseSync(file)
  assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  db.close()
  const store = await openStore(file)
  const runs = await store.runs.list({ limit: 1000 })
  assert.equal(runs.length, WRITERS.length * RUNS)
  for (const { id, status, reason } of runs) {
    assert.deepEqual(
      [id, status, reason],
      [id, 'finished', id.endsWith('chat') ? 'stop' : 'arrived'],
    )
    const kinds = (await store.runs.read(id)).map(({ type }) => type)
    assert.equal(kinds.filter((kind) => kind === 'closed').length, id.endsWith('chat') ? 8 : 9, id)
    const pays = deedsOf(folder, id).filter(({ tool }) => tool === 'pay')
    assert.equal(pays.length, id.endsWith('chat') ? 1 : 4, id)
    assert.deepEqual(await store.cache.get(`cached ${id}`), { of: id })
    const kept = await store.results.claim(`key of ${id}`, 'input', 'another')
    assert.deepEqual(kept, { type: 'done', run: id, result: { of: id } })
  }
  const counter = await store.memories.read('counter')
  assert.deepEqual(counter, { value: runs.length, version: runs.length }, 'no count is lost')
  const [settled, ...others] = deedsOf(folder, 'shared')
  assert.deepEqual(others, [], 'a key that all want is executed once')
  const { type, ...shared } = await store.results.claim('shared', 'input', 'another')
  assert.deepEqual([type, shared], ['done', { run: settled?.key, result: settled?.key }])
  await store.close()
})
