import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Generate } from '../../packages/echelon/src/core/agent/effect.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { systemClock } from '../../packages/echelon/src/platform/clock.ts'
import { openaiCompatible } from '../../packages/echelon/src/providers/openai-compatible.ts'
import { type Run, startRun } from '../../packages/echelon/src/runtime/run.ts'
import {
  type LocalModelServer,
  type ServerAnswer,
  startModelServer,
} from '../../packages/echelon/src/testing/local-model-server.ts'
import { generate, only, performing, world } from './kit.ts'

/** A real client, server and clock, with waits short enough for a test. */
const QUICK = { retries: 2, baseMs: 5, factor: 2, jitter: 0.2 }

interface Call {
  readonly server: LocalModelServer
  readonly run: Run<readonly Observation[]>
  readonly events: readonly RunEvent[]
}

async function callServer(
  script: readonly ServerAnswer[],
  effect: Partial<Generate> = {},
): Promise<Call> {
  const server = await startModelServer(script)
  const model = await openaiCompatible.load('small', { baseUrl: server.baseUrl })
  const { services, events } = world({ models: { small: model }, retry: QUICK })
  const definition = performing([generate(effect)])
  return { server, events, run: startRun(definition, null, { ...services, clock: systemClock }) }
}

async function seenOf(
  script: readonly ServerAnswer[],
  effect?: Partial<Generate>,
): Promise<{ readonly seen: Observation; readonly requests: number; readonly visible: string }> {
  const { server, run, events } = await callServer(script, effect)
  await using _closed = server
  const { result } = await run.result
  server.assertComplete()
  let visible = ''
  for (const event of events) {
    if (event.type === 'text-delta') visible += event.delta
    if (event.type === 'text-drop') visible = ''
  }
  return { seen: only(result), requests: server.requests.length, visible }
}

const REPLY: ServerAnswer = { type: 'reply', text: ['34', '5'] }
const DOWN: ServerAnswer = { type: 'status', status: 503 }

test('[R21.1] [R21.2] [R13.2] over a real connection a failing server is called three times', async () => {
  const failed = await seenOf([DOWN, DOWN, DOWN])
  assert.ok(failed.seen.type === 'failed')
  assert.deepEqual([failed.seen.error.code, failed.seen.error.attempts], ['unavailable', 3])
  const recovered = await seenOf([DOWN, { type: 'reset' }, REPLY])
  assert.ok(recovered.seen.type === 'generated')
  assert.equal(recovered.seen.text, '345')
  assert.deepEqual(recovered.seen.usage, { input: 10, output: 5 })
})

test('[DD-12] a permanent failure of a provider is not retried', async () => {
  const rows = [
    [429, 'insufficient_quota', 'quota'],
    [404, 'model_not_found', 'not-found'],
    [400, 'context_length_exceeded', 'context-length'],
    [401, 'invalid_api_key', 'auth'],
  ] as const
  for (const [status, code, expected] of rows) {
    const { seen, requests } = await seenOf([{ type: 'status', status, code, message: 'no' }])
    assert.ok(seen.type === 'failed')
    assert.deepEqual([seen.error.code, requests], [expected, 1])
    assert.equal(seen.error.message, 'no')
  }
})

test('[R4.3] a server that asks to wait is called again later', async () => {
  const headers = { 'retry-after-ms': '60' }
  const began = performance.now()
  const { seen } = await seenOf([{ type: 'status', status: 429, headers }, REPLY])
  assert.ok(seen.type === 'generated')
  assert.ok(performance.now() - began >= 58)
})

test('a stream that is cut after visible text is not retried, and its text is discarded', async () => {
  const cuts: readonly ServerAnswer[] = [
    { type: 'reset', after: ['3', '9'] },
    { type: 'end', after: ['39'] },
    { type: 'malformed', after: ['3', '9'] },
    { type: 'error', after: ['39'] },
  ]
  for (const cut of cuts) {
    const { seen, requests, visible } = await seenOf([cut], { show: 'user' })
    assert.ok(seen.type === 'failed', `${cut.type}: ${JSON.stringify(seen)}`)
    assert.deepEqual([seen.error.code, visible, requests], ['unavailable', '', 1])
  }
})

test('a stream that is cut before its first visible part is retried', async () => {
  for (const type of ['reset', 'end', 'malformed', 'error'] as const) {
    const { seen, requests, visible } = await seenOf([{ type, after: [] }, REPLY], { show: 'user' })
    assert.ok(seen.type === 'generated', `${type}: ${JSON.stringify(seen)}`)
    assert.deepEqual([seen.text, visible, requests], ['345', '345', 2])
  }
})

test('a call to a silent server is aborted in time, streaming or not', async () => {
  // Before its first visible part a call is tried again. A busy machine takes a while to bring that part.
  for (const { script, timeoutMs } of [
    { script: [{ type: 'silence' }, { type: 'silence' }, { type: 'silence' }], timeoutMs: 80 },
    { script: [{ type: 'silence', after: ['3'] }], timeoutMs: 1_500 },
  ] as const) {
    const { seen, visible } = await seenOf(script, { show: 'user', timeoutMs })
    assert.ok(seen.type === 'failed')
    assert.deepEqual([seen.error.code, visible], ['timeout', ''])
  }
})

test('[DD-22] a cancel closes the connection', async () => {
  const { server, run } = await callServer([{ type: 'silence', after: ['3'] }], { show: 'user' })
  await using _closed = server
  for await (const event of run) if (event.type === 'text-delta') run.cancel()
  const end = await run.result
  assert.deepEqual([end.status, end.result], ['canceled', [{ type: 'canceled', by: 'user' }]])
})

test('a role’s prompt, limits and schema reach the server', async () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false } as const
  const { server, run } = await callServer([REPLY], {
    maxTokens: 50,
    sampling: { temperature: 0.1, seed: 7 },
    schema,
  })
  await using _closed = server
  await run.result
  const body = server.requests[0]?.body
  assert.equal(body?.['max_tokens'], 50)
  assert.equal(body?.['temperature'], 0.1)
  assert.equal(body?.['seed'], 7)
  assert.deepEqual(body?.['messages'], [{ role: 'user', content: 'how much is 15 * 23?' }])
  assert.match(JSON.stringify(body?.['response_format']), /additionalProperties/)
})
