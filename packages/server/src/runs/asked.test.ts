import assert from 'node:assert/strict'
import test from 'node:test'
import type { Json } from 'echelon/runtime'
import { askedIn } from './asked.ts'

test('reads what was asked from the input of each kind of agent', () => {
  const inputs: readonly Json[] = [
    { input: 'a task', mode: 'fallback_only' },
    { text: 'to the assistant' },
    { sessionId: 's', interaction: { id: 'i', text: 'to support' } },
    {
      messages: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: [{ type: 'text', text: 'said' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'now' },
            { type: 'file', data: 'AA==' },
          ],
        },
      ],
    },
  ]
  assert.deepEqual(inputs.map(askedIn), ['a task', 'to the assistant', 'to support', 'now'])
})

test('an input without a text gives nothing, and a long one is cut', () => {
  for (const input of [null, 7, [], {}, { messages: [] }, { messages: 'none' }] as const) {
    assert.equal(askedIn(input as Json), null)
  }
  assert.equal(askedIn('x'.repeat(5000))?.length, 2001)
})
