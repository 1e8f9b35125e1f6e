import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { EventMemory } from './event-memory.ts'

const message = (n: number): JSONRPCMessage => ({ jsonrpc: '2.0', method: `m${n}` })

test('replays what a stream missed, and nothing of others', async () => {
  const memory = new EventMemory()
  const first = await memory.storeEvent('a', message(1))
  await memory.storeEvent('b', message(2))
  await memory.storeEvent('a', message(3))
  const sent: JSONRPCMessage[] = []
  const stream = await memory.replayEventsAfter(first, {
    send: async (_, one) => void sent.push(one),
  })
  assert.deepEqual([stream, sent], ['a', [message(3)]])
  assert.equal(await memory.getStreamIdForEventId('99'), undefined)
})

test('forgets the oldest messages, by number and by length', async () => {
  const memory = new EventMemory()
  const first = await memory.storeEvent('a', message(1))
  for (let n = 0; n < 600; n++) await memory.storeEvent('a', message(n))
  assert.equal(await memory.getStreamIdForEventId(first), undefined)
  await assert.rejects(
    memory.replayEventsAfter(first, { send: async () => undefined }),
    /not known/,
  )
  const long = await memory.storeEvent('a', {
    jsonrpc: '2.0',
    method: 'x',
    params: { text: 'x'.repeat(5_000_000) },
  })
  assert.equal(await memory.getStreamIdForEventId(long), 'a')
  assert.equal(await memory.getStreamIdForEventId('300'), undefined)
})
