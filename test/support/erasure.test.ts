import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { StoreConversationMemory } from '../../packages/support/src/defaults/store-conversation-memory.ts'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { openStore } from '@echelon/store'
import { createSupportAgent } from '@echelon/support'

const ADDRESS = '12 Nowhere Lane, Springfield'

test('[S-2] a cleared conversation leaves nothing in the file: no message, no run, no tool result', async (t) => {
  const folder = await folderFor(t)
  const store = await openStore(join(folder, 'kept.db'))
  const agent = await createSupportAgent({ store })
  const customerId = 'C-001'
  const messages = [
    'Where is O-12345, says Zebediah?',
    `Change the address of order O-12345 to ${ADDRESS}`,
    'yes',
    'I want to talk to a person',
  ]
  for (const [nth, text] of messages.entries()) {
    await agent.resolve({ id: `of-ada-${nth}`, text, customerId }, 'ada/1')
    await agent.resolve({ id: `of-eve-${nth}`, text: 'Where is O-12345?', customerId }, 'eve')
  }
  // The data to erase was there.
  const shown = (): string =>
    globSync(join(folder, 'kept.db*'))
      .map((file) => readFileSync(file, 'latin1'))
      .join('\n')
  const told = [/Zebediah/, /Nowhere Lane/, /of-ada-\d/]
  for (const one of told) assert.match(shown(), one)
  assert.match(JSON.stringify(await store.runs.list()), /of-ada-2/)
  await new StoreConversationMemory(store.sessions).clear('ada/1')
  for (const one of told) assert.doesNotMatch(shown(), one)
  assert.deepEqual(await agent.history('ada/1'), [])
  // Another session's data is complete.
  assert.equal((await agent.history('eve')).length, 8)
  const runs = await store.runs.list()
  assert.deepEqual(
    runs.map(({ session }) => session),
    Array(4).fill('eve'),
  )
  const again = { id: 'of-eve-0', text: 'Where is O-12345?', customerId }
  assert.match((await agent.resolve(again, 'eve')).text, /shipped/)
  await store.close()
  // The session's name disappears with the last page of the log beside the file.
  assert.doesNotMatch(shown(), /ada(?:\/|%2F)1/)
})
