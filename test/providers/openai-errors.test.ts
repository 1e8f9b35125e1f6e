import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { SpokenApi } from '../../packages/echelon/src/providers/openai/models.ts'
import { openaiProvider } from '../../packages/echelon/src/providers/openai.ts'
import {
  type ModelAnswer,
  readResult,
  readStream,
} from '../../packages/echelon/src/runtime/model/model-answer.ts'
import { toProblem } from '../../packages/echelon/src/runtime/model/provider-problem.ts'

/** OpenAI's failures within a body or stream of status 200, word for word, and their meanings. */
interface Row {
  readonly api: SpokenApi
  readonly body: string
  readonly code: string
  readonly retryable: boolean
}

const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

const QUOTA = { message: 'You exceeded your current quota', code: 'insufficient_quota' }
const LONG = { message: 'Your input exceeds the window', code: 'context_length_exceeded' }
const FAILED = { message: 'The server had an error', code: 'server_error' }
const FAST = { message: 'Rate limit reached', code: 'rate_limit_exceeded' }

const failed = (error: object): string =>
  frame({ type: 'response.failed', sequence_number: 9, response: { id: 'r', error } })
const CREATED = frame({
  type: 'response.created',
  response: { id: 'r', created_at: 1, model: 'gpt-5-nano' },
})
const TEXT =
  frame({
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'message', id: 'm' },
  }) + frame({ type: 'response.output_text.delta', item_id: 'm', delta: '3' })
const CHUNK = frame({ choices: [{ index: 0, text: '3', delta: { content: '3' } }] })

const STREAMS: readonly Row[] = [
  { api: 'responses', body: CREATED + failed(QUOTA), code: 'quota', retryable: false },
  { api: 'responses', body: CREATED + TEXT + failed(QUOTA), code: 'quota', retryable: false },
  { api: 'responses', body: CREATED + failed(LONG), code: 'context-length', retryable: false },
  { api: 'responses', body: CREATED + failed(FAILED), code: 'unavailable', retryable: true },
  { api: 'responses', body: CREATED + TEXT + failed(FAST), code: 'rate-limit', retryable: true },
  {
    api: 'responses',
    body: CREATED + frame({ type: 'error', sequence_number: 2, ...LONG, param: null }),
    code: 'context-length',
    retryable: false,
  },
  {
    api: 'responses',
    body: frame({ type: 'error', sequence_number: 2, error: { type: 'x', ...QUOTA } }),
    code: 'quota',
    retryable: false,
  },
  { api: 'chat', body: frame({ error: QUOTA }), code: 'quota', retryable: false },
  { api: 'chat', body: CHUNK + frame({ error: LONG }), code: 'context-length', retryable: false },
  { api: 'completions', body: CHUNK + frame({ error: QUOTA }), code: 'quota', retryable: false },
]

const bodies = (error: object): readonly (readonly [SpokenApi, string])[] => [
  ['responses', JSON.stringify({ id: 'r', status: 'failed', error, output: [] })],
  ['responses', JSON.stringify({ id: 'r', error: { type: 'x', ...error }, output: [] })],
  ['chat', JSON.stringify({ error })],
  ['completions', JSON.stringify({ error })],
]

const WHOLE: readonly Row[] = [
  ...bodies(QUOTA).map(([api, body]) => ({ api, body, code: 'quota', retryable: false })),
  ...bodies(LONG).map(([api, body]) => ({ api, body, code: 'context-length', retryable: false })),
  ...bodies(FAILED).map(([api, body]) => ({ api, body, code: 'unavailable', retryable: true })),
  ...bodies(FAST).map(([api, body]) => ({ api, body, code: 'rate-limit', retryable: true })),
]

test('[DD-12] a failure in a stream of status 200 is recognized by its code', async () => {
  for (const row of STREAMS) await assertProblem(row, 'text/event-stream')
})

test('[DD-12] a failure in a body of status 200 is recognized by its code', async () => {
  for (const row of WHOLE) await assertProblem(row, 'application/json')
})

async function assertProblem({ api, body, code, retryable }: Row, type: string): Promise<void> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const baseUrl = `http://127.0.0.1:${address.port}/v1`
    const { model, normalizeError } = await openaiProvider().load('gpt-5-nano', {
      api,
      baseUrl,
      apiKey: 'k',
    })
    const answer = type === 'application/json' ? whole(model) : streamed(model)
    const failure: unknown = await answer.then(
      (read) => assert.fail(`${body} is not a failure: ${JSON.stringify(read)}`),
      (error: unknown) => error,
    )
    const problem = toProblem(failure, 1, normalizeError)
    assert.deepEqual([problem.code, problem.retryable], [code, retryable], `${api} ${body}`)
    // The SDK's own message for an unreadable body says nothing.
    assert.notEqual(problem.message, 'Invalid JSON response')
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const ASKED: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: '?' }] }],
}

const whole = async (model: LanguageModelV4): Promise<ModelAnswer> =>
  readResult(await model.doGenerate(ASKED))

const streamed = async (model: LanguageModelV4): Promise<ModelAnswer> =>
  await readStream((await model.doStream(ASKED)).stream, () => {})
