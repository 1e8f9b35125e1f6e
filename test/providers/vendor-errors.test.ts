import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ProblemCode } from '../../packages/echelon/src/core/model/problem.ts'
import { normalizerOf } from '../../packages/echelon/src/providers/errors/by-key.ts'
import { createRegistry, standardProviders } from '../../packages/echelon/src/providers/registry.ts'
import { readResult, readStream } from '../../packages/echelon/src/runtime/model/model-answer.ts'
import { toProblem } from '../../packages/echelon/src/runtime/model/provider-problem.ts'

/** A service's error response, byte for byte, and the resulting problem. */
interface Row {
  readonly model: string
  readonly status: number
  readonly body: string
  readonly streams?: true
  readonly code: ProblemCode
  readonly retryable: boolean
  readonly waitMs?: number
}

const CLAUDE = 'anthropic/claude-haiku-4-5'
const GEMINI = 'google/gemini-2.5-flash'

const claudeError = (type: string, message: string): object => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
})
const OVERLOADED = claudeError('overloaded_error', 'Overloaded')
const BEGUN = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '4' } },
]

const geminiError = (
  code: number,
  status: string,
  message: string,
  details?: readonly object[],
): object => ({ error: { code, message, status, ...(details === undefined ? {} : { details }) } })
const limit = (quotaId: string): object => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generate_content_free_tier_requests', quotaId, quotaValue: '10' }],
})
const PER_MINUTE = limit('GenerateRequestsPerMinutePerProjectPerModel-FreeTier')
const PER_DAY = limit('GenerateRequestsPerDayPerProjectPerModel-FreeTier')
const WAIT = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '22s' }
const EXHAUSTED = 'You exceeded your current quota, please check your plan and billing details.'
const CHUNK = { candidates: [{ content: { parts: [{ text: '4' }], role: 'model' }, index: 0 }] }

const events = (...all: readonly object[]): string =>
  all
    .map((data) => {
      const type = 'type' in data ? `event: ${String(data.type)}\r\n` : ''
      return `${type}data: ${JSON.stringify(data)}\r\n\r\n`
    })
    .join('')

const ROWS: readonly Row[] = [
  {
    model: CLAUDE,
    status: 529,
    body: JSON.stringify(OVERLOADED),
    code: 'unavailable',
    retryable: true,
  },
  {
    model: CLAUDE,
    status: 400,
    body: JSON.stringify(
      claudeError('invalid_request_error', 'prompt is too long: 200001 tokens > 200000 maximum'),
    ),
    code: 'context-length',
    retryable: false,
  },
  {
    model: CLAUDE,
    status: 200,
    streams: true,
    body: events(OVERLOADED),
    code: 'unavailable',
    retryable: true,
  },
  {
    model: CLAUDE,
    status: 200,
    streams: true,
    body: events(...BEGUN, OVERLOADED),
    code: 'unavailable',
    retryable: true,
  },
  {
    model: CLAUDE,
    status: 200,
    streams: true,
    body: events(...BEGUN, claudeError('rate_limit_error', 'slow down')),
    code: 'rate-limit',
    retryable: true,
  },
  {
    model: CLAUDE,
    status: 200,
    streams: true,
    body: events(claudeError('invalid_request_error', 'prompt is too long: 2 tokens > 1 maximum')),
    code: 'context-length',
    retryable: false,
  },
  {
    model: GEMINI,
    status: 429,
    body: JSON.stringify(geminiError(429, 'RESOURCE_EXHAUSTED', EXHAUSTED, [PER_MINUTE, WAIT])),
    code: 'rate-limit',
    retryable: true,
    waitMs: 22_000,
  },
  {
    model: GEMINI,
    status: 429,
    body: JSON.stringify(geminiError(429, 'RESOURCE_EXHAUSTED', EXHAUSTED, [PER_DAY, WAIT])),
    code: 'quota',
    retryable: false,
    waitMs: 22_000,
  },
  {
    model: GEMINI,
    status: 503,
    body: JSON.stringify(geminiError(503, 'UNAVAILABLE', 'The model is overloaded.')),
    code: 'unavailable',
    retryable: true,
  },
  {
    model: GEMINI,
    status: 400,
    body: JSON.stringify(
      geminiError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
    ),
    code: 'auth',
    retryable: false,
  },
  {
    model: GEMINI,
    status: 200,
    streams: true,
    body: events(CHUNK, geminiError(429, 'RESOURCE_EXHAUSTED', EXHAUSTED, [PER_DAY])),
    code: 'quota',
    retryable: false,
  },
  {
    model: GEMINI,
    status: 200,
    streams: true,
    body: events(geminiError(503, 'UNAVAILABLE', 'The model is overloaded.')),
    code: 'unavailable',
    retryable: true,
  },
  // It never sends these with status 200, but a proxy may.
  {
    model: GEMINI,
    status: 200,
    body: JSON.stringify(geminiError(500, 'INTERNAL', 'no')),
    code: 'unavailable',
    retryable: true,
  },
  { model: GEMINI, status: 200, body: '{}', code: 'unavailable', retryable: true },
  {
    model: 'xai/grok-4',
    status: 400,
    body: JSON.stringify({
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    }),
    code: 'context-length',
    retryable: false,
  },
]

test("[DD-12] a service's error becomes a problem of the closed list, streamed or not", async () => {
  for (const row of ROWS) {
    const problem = toProblem(await failureOf(row), 1, normalizerOf(row.model))
    const said = `${row.model} ${row.status} ${row.body}`
    assert.deepEqual([problem.code, problem.retryable], [row.code, row.retryable], said)
    assert.equal(problem.retryAfterMs, row.waitMs, said)
  }
})

test('a blocked prompt or answer ends with the reason filter', async () => {
  const usageMetadata = { promptTokenCount: 5, totalTokenCount: 5 }
  const blocked = [
    { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata },
    { promptFeedback: { blockReason: 'SAFETY' }, candidates: [], usageMetadata },
    { candidates: [{ finishReason: 'SAFETY', index: 0 }], usageMetadata },
    { candidates: [{ finishReason: 'PROHIBITED_CONTENT', index: 0 }], usageMetadata },
    { candidates: [{ finishReason: 'RECITATION', index: 0 }], usageMetadata },
  ]
  for (const answer of blocked) {
    const row = { model: GEMINI, status: 200 }
    const whole = await ask({ ...row, body: JSON.stringify(answer) })
    const streamed = await ask({ ...row, streams: true, body: events(answer) })
    for (const { finish, usage } of [whole, streamed]) {
      assert.equal(finish, 'content-filter', JSON.stringify(answer))
      assert.deepEqual(usage, { input: 5, output: 0 })
    }
  }
})

async function failureOf(row: Row): Promise<unknown> {
  return await ask(row).then(
    (answer) => assert.fail(`${row.body} is not a failure: ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
}

async function ask({
  model: name,
  status,
  body,
  streams,
}: Pick<Row, 'model' | 'status' | 'body' | 'streams'>) {
  const type = streams ? 'text/event-stream' : 'application/json'
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const settings = { baseUrl: `http://127.0.0.1:${address.port}/v1`, apiKey: 'k' }
    const key = name.slice(0, name.indexOf('/'))
    const { model } = await createRegistry(standardProviders).resolve(name, { [key]: settings })
    if (!streams) return readResult(await model.doGenerate(ASK))
    return await readStream((await model.doStream(ASK)).stream, () => undefined)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const ASK: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: '?' }] }],
  maxOutputTokens: 100,
}
