import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { SessionChange } from '../../../../echelon/src/core/store/session-store.ts'
import { userMessage } from '../../../../echelon/src/core/message/thread.ts'
import { openFile } from '../in-tests.ts'
import { sessionWriter } from './session-rows.ts'

const change = (from: number, keep: number, ...texts: readonly string[]): SessionChange => ({
  id: 's',
  agent: 'chat',
  from,
  keep,
  messages: texts.map(userMessage),
  states: { states: {}, schemaSignature: '', schemaVersion: 1, stateVersions: {} },
  continues: null,
  at: 10 + keep,
})

async function place(t: TestContext) {
  const db = await openFile(t)
  const write = sessionWriter(db)
  return {
    write: (given: SessionChange) => db.transaction(() => write(given)),
    texts: () =>
      db
        .prepare(`select body_json ->> '$.content[0].text' as text from messages order by n`)
        .all()
        .map(({ text }) => text),
    session: () => ({ ...db.prepare('select agent, began_at, changed_at from sessions').get() }),
  }
}

test('a turn adds its messages, and removes those it does not keep', async (t) => {
  const { write, texts, session } = await place(t)
  write(change(0, 0, 'a', 'b'))
  write(change(2, 2, 'c', 'd'))
  assert.deepEqual(texts(), ['a', 'b', 'c', 'd'])
  write(change(4, 1, 'e'))
  assert.deepEqual(texts(), ['a', 'e'])
  assert.deepEqual(session(), { agent: 'chat', began_at: 10, changed_at: 11 })
})

test('a turn that keeps missing messages is rejected whole', async (t) => {
  const { write, texts } = await place(t)
  write(change(0, 0, 'a'))
  for (const keep of [2, -1, 0.5]) {
    assert.throws(() => write(change(1, keep, 'b')), { code: 'JOURNAL_MISMATCH' })
  }
  assert.deepEqual(texts(), ['a'])
})

test('[C-31] a turn based on an older conversation removes nothing of a newer one', async (t) => {
  const { write, texts } = await place(t)
  write(change(0, 0, 'a', 'b'))
  assert.throws(() => write(change(0, 0, 'c')), {
    code: 'JOURNAL_MISMATCH',
    message: /load it again/,
  })
  assert.throws(() => write(change(3, 0, 'c')), { code: 'JOURNAL_MISMATCH' })
  assert.deepEqual(texts(), ['a', 'b'])
})

test('rejects a turn of another agent', async (t) => {
  const { write } = await place(t)
  write(change(0, 0, 'a'))
  assert.throws(() => write({ ...change(1, 1, 'b'), agent: 'support' }), {
    code: 'JOURNAL_MISMATCH',
  })
})
