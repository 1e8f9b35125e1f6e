import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadIntents } from '../defaults/intents-file.ts'
import * as known from './known-intents.ts'

test('each intent that the agent knows by name comes along', async () => {
  const registry = await loadIntents()
  const missing = Object.values(known).filter((id) => registry.find(id) === undefined)
  assert.deepEqual(missing, [])
})
