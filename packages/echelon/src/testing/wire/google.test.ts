import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireCall } from './format.ts'
import { googleContent } from './google.ts'

const WHOLE = '/v1beta/models/gemini-x:generateContent'
const STREAM = '/v1/models/gemini-x:streamGenerateContent?alt=sse'
const CALL: WireCall = { path: WHOLE, body: {}, number: 1 }
const ENVELOPE = { modelVersion: 'gemini-x', responseId: 'response-1' }
const REPLY = {
  type: 'reply',
  text: ['4', '2'],
  toolCalls: [{ tool: 'add', input: { a: 1 } }],
  usage: { input: 12, output: 8, cached: 4, reasoning: 3 },
} as const
const CALLED = { functionCall: { name: 'add', args: { a: 1 } } }
const SPENT = {
  promptTokenCount: 12,
  candidatesTokenCount: 5,
  totalTokenCount: 20,
  thoughtsTokenCount: 3,
  cachedContentTokenCount: 4,
}

test('chooses streaming by the path', () => {
  for (const path of [WHOLE, STREAM]) assert.ok(googleContent.takes(path))
  assert.equal(googleContent.streams(CALL), false)
  assert.equal(googleContent.streams({ ...CALL, path: STREAM }), true)
  for (const path of ['/v1/models', '/v1/models/x:countTokens', '/v1/chat/completions']) {
    assert.ok(!googleContent.takes(path), path)
  }
})

test('sends an answer as Google does, with and without streaming', () => {
  const candidate = (parts: readonly object[], more: object = {}): object => ({
    candidates: [{ content: { parts, role: 'model' }, ...more, index: 0 }],
    ...ENVELOPE,
  })
  assert.deepEqual(googleContent.whole(CALL, REPLY), {
    ...candidate([{ text: '42' }, CALLED], { finishReason: 'STOP' }),
    usageMetadata: SPENT,
  })
  const { begun, finished } = googleContent.stream({ ...CALL, path: STREAM }, REPLY)
  assert.deepEqual(
    [...begun, ...finished].map(({ data }) => data),
    [
      candidate([{ text: '4' }]),
      candidate([{ text: '2' }]),
      { ...candidate([CALLED], { finishReason: 'STOP' }), usageMetadata: SPENT },
    ],
  )
})

test('sends a refused prompt as blocked, without candidates', () => {
  assert.deepEqual(googleContent.whole(CALL, { type: 'reply', refusal: 'no' }), {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
    ...ENVELOPE,
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 0, totalTokenCount: 10 },
  })
})

test('sends an error with the name of its status and the script’s details', () => {
  const details = [{ retryDelay: '3s' }]
  assert.deepEqual(googleContent.error({ type: 'status', status: 429, message: 'm', details }), {
    error: { code: 429, message: 'm', status: 'RESOURCE_EXHAUSTED', details },
  })
  assert.deepEqual(googleContent.error({ type: 'status', status: 400, code: 'FAILED' }), {
    error: { code: 400, message: 'status 400', status: 'FAILED' },
  })
})
