import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Thread, userMessage } from '../../../core/message/thread.ts'
import { BoundedResults } from './bounded-results.ts'

const MESSAGES = 1000
const CONVERSATIONS = 100

function send(results: BoundedResults): void {
  const messages = Array.from({ length: MESSAGES }, (_, index) => userMessage(`message ${index}`))
  results.sent(Thread.of(messages))
}

/** `WeakMap` entries stay until a full collection, which servers run seldom. */
test('finished conversations are freed at the next minor collection', () => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  assert.ok(typeof collect === 'function')
  const results = new BoundedResults()
  collect()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < CONVERSATIONS; count++) send(results)
  for (let round = 0; round < 3; round++) collect({ type: 'minor' })
  const left = (process.memoryUsage().heapUsed - before) / CONVERSATIONS
  assert.ok(left < 50_000, `${Math.round(left)} bytes are kept of each`)
})
