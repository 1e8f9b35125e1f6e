import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadIntents } from './intents-file.ts'
import { loadKnowledge } from './knowledge-folder.ts'
import { readOnce } from './read-once.ts'

test('what was read is shared, and what failed is read again', async () => {
  let count = 0
  const read = readOnce(async () => {
    count += 1
    if (count === 1) throw new Error('busy')
    return { count }
  })
  await assert.rejects(read(), /busy/)
  assert.equal(await read(), await read())
  assert.equal(count, 2)
})

test('agents share the intents and the documents that come along', async () => {
  assert.equal(await loadIntents(), await loadIntents())
  assert.equal(await loadKnowledge(), await loadKnowledge())
  const rule = { title: 'Gifts', text: 'Gifts are wrapped.', asked: [], source: 'Gifts' }
  assert.notEqual(await loadKnowledge(undefined, [rule]), await loadKnowledge())
})
