// A model that is asked once and replayed from then on: a test that costs nothing and sees every change.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { createAgent } from 'echelon/chat'
import { createRegistry, standardProviders } from 'echelon/providers'
import { recordedModel } from 'echelon/testing'
import { standardTools } from '@echelon/tools'

const FILE = 'sums.jsonl'

// In a test, `record: process.env['RECORD'] === '1'`, and the file is committed.
const sums = (record: boolean) =>
  recordedModel(FILE, {
    record,
    // Name your own instead. A replay needs neither its package nor its key.
    model: () => createRegistry(standardProviders).resolve('offline/small'),
  })

const question = 'What is 15 * 23?'
const tools = await standardTools()
const recorded = await sums(true)
const first = await createAgent({ model: recorded, tools }).run(question).result
recorded.assertComplete()

const replayed = await sums(false)
const again = await createAgent({ model: replayed, tools }).run(question).result
replayed.assertComplete()
assert.equal(again.text, first.text)
console.log('recorded and replayed:', again.text)

// Somebody changes the prompt: the recording does not hold that call, and the test fails.
const changed = createAgent({ model: await sums(false), tools, instructions: 'Be brief.' })
await assert.rejects(changed.run(question).result, (error) => {
  console.log(error instanceof Error ? error.message : error)
  return true
})
rmSync(FILE)
