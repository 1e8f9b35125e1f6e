import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadIntents } from '../index.ts'
import { nearestExamples } from './nearest-examples.ts'

test('a message is shown with the examples most like it', async () => {
  const { config } = await loadIntents()
  const near = nearestExamples(config)
  const found = near('where is my parcel right now?', config.intents)
  assert.ok(found.length > 0 && found.length <= 5)
  assert.ok(
    found.some(({ label }) => ['order_status', 'tracking'].includes(label)),
    JSON.stringify(found),
  )
  assert.deepEqual(near('where is my parcel right now?', config.intents), found)
  const others = near('where is my parcel right now?', [])
  assert.ok(others.every(({ label }) => ['question', 'none'].includes(label)))
  assert.deepEqual(near('§', config.intents), [])
})
