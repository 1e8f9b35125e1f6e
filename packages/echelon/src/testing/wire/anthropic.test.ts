import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anthropicMessages } from './anthropic.ts'
import type { WireCall } from './format.ts'

const CALL: WireCall = { path: '/v1/messages', body: { model: 'claude-x' }, number: 1 }
const REPLY = {
  type: 'reply',
  text: ['4', '2'],
  toolCalls: [{ tool: 'add', input: { a: 1 } }],
  usage: { input: 12, output: 8, cached: 4, reasoning: 3 },
} as const
const SPENT = {
  input_tokens: 8,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 4,
  output_tokens: 8,
  output_tokens_details: { thinking_tokens: 3 },
}
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x' }

test('sends a complete message as Anthropic does', () => {
  assert.deepEqual(anthropicMessages.whole(CALL, REPLY), {
    ...MESSAGE,
    content: [
      { type: 'text', text: '42' },
      { type: 'tool_use', id: 'toolu_1_1', name: 'add', input: { a: 1 } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: SPENT,
  })
})

test('streams a text and a tool call, event by event', () => {
  const { begun, finished, last } = anthropicMessages.stream(CALL, REPLY)
  const open = { content: [], stop_reason: null, stop_sequence: null }
  const events = [...begun, ...finished, ...last]
  assert.deepEqual(
    events.map(({ data }) => data),
    [
      {
        type: 'message_start',
        message: { ...MESSAGE, ...open, usage: { ...SPENT, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '4' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '2' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'toolu_1_1', name: 'add', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"a":1}' },
      },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: SPENT,
      },
      { type: 'message_stop' },
    ],
  )
  for (const { event, data } of events) {
    assert.ok(typeof data === 'object')
    assert.equal(event, data['type'])
  }
})

test('sends a refusal without text, with its words in the stop details', () => {
  const refused = anthropicMessages.whole(CALL, { type: 'reply', refusal: 'no' })
  assert.deepEqual(refused['content'], [])
  assert.equal(refused['stop_reason'], 'refusal')
  assert.deepEqual(refused['stop_details'], {
    type: 'refusal',
    category: null,
    explanation: 'no',
  })
})

test('sends an error with the type of its status, unless the script names another', () => {
  const typeOf = (status: number, code?: string): unknown =>
    anthropicMessages.error({
      type: 'status',
      status,
      message: 'm',
      ...(code === undefined ? {} : { code }),
    })
  assert.deepEqual(typeOf(529), {
    type: 'error',
    error: { type: 'overloaded_error', message: 'm' },
  })
  assert.deepEqual(typeOf(400, 'billing_error'), {
    type: 'error',
    error: { type: 'billing_error', message: 'm' },
  })
  assert.match(JSON.stringify(typeOf(422)), /invalid_request_error/)
  assert.match(JSON.stringify(typeOf(500)), /api_error/)
})
