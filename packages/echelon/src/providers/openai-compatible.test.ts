import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  APICallError,
  type JSONSchema7,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { ProviderSettings } from '../core/model/model.ts'
import { type ServerAnswer, startModelServer } from '../testing/local-model-server.ts'
import { openaiCompatible } from './openai-compatible.ts'

const ASK: LanguageModelV4CallOptions = {
  prompt: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'how much is 6 * 7?' }] },
  ],
}
const REPLY = { type: 'reply', text: ['4', '2'], usage: { input: 12, output: 2 } } as const

const modelAt = async (baseUrl: string): Promise<LanguageModelV4> =>
  (await openaiCompatible.load('test-model', { baseUrl })).model

/** All received parts, and the error that ended the reading, if any. */
async function read(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions = ASK,
): Promise<{ readonly parts: readonly LanguageModelV4StreamPart[]; readonly failure: unknown }> {
  const parts: LanguageModelV4StreamPart[] = []
  try {
    for await (const part of (await model.doStream(options)).stream) parts.push(part)
    return { parts, failure: null }
  } catch (failure) {
    return { parts, failure }
  }
}

const textOf = (parts: readonly LanguageModelV4StreamPart[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

/** The errors of one call without and one with streaming, both to the same answer. */
async function failuresOf(answer: ServerAnswer): Promise<readonly unknown[]> {
  await using server = await startModelServer([answer, answer])
  const model = await modelAt(server.baseUrl)
  const whole: unknown = await model.doGenerate(ASK).then(
    () => null,
    (error: unknown) => error,
  )
  const { failure } = await read(model)
  server.assertComplete()
  return [whole, failure]
}

test('returns an answer with its usage and finish reason', async () => {
  await using server = await startModelServer([REPLY])
  const result = await (await modelAt(server.baseUrl)).doGenerate(ASK)
  assert.deepEqual(result.content, [{ type: 'text', text: '42' }])
  assert.equal(result.finishReason.unified, 'stop')
  assert.equal(result.usage.inputTokens.total, 12)
  assert.equal(result.usage.outputTokens.total, 2)
  server.assertComplete()
})

test('streams an answer in pieces and requests its usage', async () => {
  await using server = await startModelServer([REPLY])
  const { parts } = await read(await modelAt(server.baseUrl))
  const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
  assert.deepEqual(deltas, ['4', '2'])
  const finish = parts.at(-1)
  assert.ok(finish?.type === 'finish')
  assert.equal(finish.usage.inputTokens.total, 12)
  assert.equal(finish.usage.outputTokens.total, 2)
  assert.deepEqual(server.requests[0]?.body['stream_options'], { include_usage: true })
})

test('returns the same tool calls with and without streaming', async () => {
  const answer = {
    type: 'reply',
    toolCalls: [{ tool: 'calculator', input: { expr: '6*7' } }],
  } as const
  await using server = await startModelServer([answer, answer])
  const model = await modelAt(server.baseUrl)
  const { content, finishReason } = await model.doGenerate(ASK)
  const { parts } = await read(model)
  const call = { type: 'tool-call', toolName: 'calculator', input: '{"expr":"6*7"}' }
  assert.deepEqual(content, [{ ...call, toolCallId: 'call-1-1' }])
  assert.deepEqual(
    parts.filter(({ type }) => type === 'tool-call'),
    [{ ...call, toolCallId: 'call-2-1' }],
  )
  assert.equal(finishReason.unified, 'tool-calls')
})

test('[DD-25] sends every call option to the server, including the seed', async () => {
  await using server = await startModelServer([REPLY])
  await (
    await modelAt(server.baseUrl)
  ).doGenerate({
    ...ASK,
    maxOutputTokens: 500,
    temperature: 0.1,
    topP: 0.9,
    presencePenalty: 0.2,
    frequencyPenalty: 0.3,
    stopSequences: ['END'],
    seed: 42,
  })
  assert.deepEqual(server.requests[0]?.body, {
    model: 'test-model',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'how much is 6 * 7?' },
    ],
    max_tokens: 500,
    temperature: 0.1,
    top_p: 0.9,
    presence_penalty: 0.2,
    frequency_penalty: 0.3,
    stop: ['END'],
    seed: 42,
  })
})

test('sends a schema as a strict response format, without a warning', async () => {
  await using server = await startModelServer([{ type: 'reply', text: ['{"answer":42}'] }])
  const schema: JSONSchema7 = {
    type: 'object',
    properties: { answer: { type: 'number' } },
    required: ['answer'],
    additionalProperties: false,
  }
  const responseFormat = { type: 'json', name: 'plan', schema } as const
  const model = await modelAt(server.baseUrl)
  const { warnings } = await model.doGenerate({ ...ASK, responseFormat })
  assert.deepEqual(warnings, [])
  assert.deepEqual(server.requests[0]?.body['response_format'], {
    type: 'json_schema',
    json_schema: { name: 'plan', strict: true, schema },
  })
})

test('sends a key as Bearer, and no header without a key', async () => {
  await using server = await startModelServer([REPLY, REPLY, REPLY])
  for (const apiKey of ['secret-1', ' secret-2\n', undefined]) {
    const settings = { baseUrl: server.baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }
    const { model } = await openaiCompatible.load('m', settings)
    await model.doGenerate(ASK)
  }
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    ['Bearer secret-1', 'Bearer secret-2', undefined],
  )
})

test('turns a status into an APICallError with headers and the server’s code', async () => {
  const answer = {
    type: 'status',
    status: 429,
    headers: { 'retry-after': '2' },
    code: 'slow_down',
  } as const
  for (const error of await failuresOf(answer)) {
    assert.ok(APICallError.isInstance(error))
    assert.equal(error.statusCode, 429)
    assert.equal(error.isRetryable, true)
    assert.equal(error.responseHeaders?.['retry-after'], '2')
    assert.match(JSON.stringify(error.data), /"code":"slow_down"/)
  }
})

test('marks the right statuses as retryable', async () => {
  const retryable: number[] = []
  for (const status of [400, 401, 404, 408, 409, 429, 500, 503]) {
    for (const error of await failuresOf({ type: 'status', status })) {
      assert.ok(APICallError.isInstance(error))
      assert.equal(error.statusCode, status)
      if (error.isRetryable) retryable.push(status)
    }
  }
  assert.deepEqual([...new Set(retryable)], [408, 409, 429, 500, 503])
})

test('treats a broken connection as retryable and without a status', async () => {
  for (const error of await failuresOf({ type: 'reset' })) {
    assert.ok(APICallError.isInstance(error))
    assert.equal(error.statusCode, undefined)
    assert.equal(error.isRetryable, true)
  }
})

test('reports an unreachable server as a failed connection', async () => {
  const server = await startModelServer([])
  await server.close()
  const model = await modelAt(server.baseUrl)
  await assert.rejects(
    async () => await model.doGenerate(ASK),
    (error) =>
      APICallError.isInstance(error) && error.statusCode === undefined && error.isRetryable,
  )
})

test('throws while reading a cut stream, after the received parts', async () => {
  await using server = await startModelServer([{ type: 'reset', after: ['4'] }])
  const { parts, failure } = await read(await modelAt(server.baseUrl))
  assert.equal(textOf(parts), '4')
  assert.ok(APICallError.isInstance(failure))
  assert.equal(failure.statusCode, 200)
  assert.equal(failure.isRetryable, true)
})

test('turns an error inside a stream into an error part and finish reason error', async () => {
  const faults = [
    { type: 'end', expected: /finish reason/ },
    { type: 'malformed', expected: /JSON parsing failed/ },
    { type: 'error', expected: /the server failed/ },
  ] as const
  for (const { type, expected } of faults) {
    await using server = await startModelServer([{ type, after: ['4'] }])
    const { parts, failure } = await read(await modelAt(server.baseUrl))
    assert.equal(failure, null)
    assert.equal(textOf(parts), '4')
    const error = parts.find((part) => part.type === 'error')?.error
    assert.ok(typeof error === 'object' && error !== null && 'message' in error)
    assert.match(String(error.message), expected)
    const finish = parts.at(-1)
    assert.equal(finish?.type === 'finish' && finish.finishReason.unified, 'error')
  }
})

test('fails without retry on an answer that is not a completion', async () => {
  for (const type of ['malformed', 'error'] as const) {
    const [error] = await failuresOf({ type })
    assert.ok(APICallError.isInstance(error))
    assert.equal(error.message, 'Invalid JSON response')
    assert.equal(error.isRetryable, false)
  }
})

test('aborts a silent server at the time limit, also during a stream', async () => {
  const silent = { type: 'silence' } as const
  await using server = await startModelServer([silent, silent, { ...silent, after: ['4'] }])
  const model = await modelAt(server.baseUrl)
  const limited = (): LanguageModelV4CallOptions => ({
    ...ASK,
    abortSignal: AbortSignal.timeout(100),
  })
  await assert.rejects(async () => await model.doGenerate(limited()), { name: 'TimeoutError' })
  await assert.rejects(async () => await model.doStream(limited()), { name: 'TimeoutError' })
  const { parts, failure } = await read(model, limited())
  assert.equal(textOf(parts), '4')
  assert.ok(failure instanceof DOMException)
  assert.equal(failure.name, 'TimeoutError')
})

test('throws a plain AbortError on abort', async () => {
  await using server = await startModelServer([{ type: 'silence' }])
  const controller = new AbortController()
  const call = (await modelAt(server.baseUrl)).doGenerate({
    ...ASK,
    abortSignal: controller.signal,
  })
  setTimeout(() => controller.abort(), 20)
  await assert.rejects(async () => await call, { name: 'AbortError' })
})

test('rejects an invalid base URL with advice, without quoting it', async () => {
  const refused: readonly (readonly [string | undefined, RegExp])[] = [
    [undefined, /--base-url.*11434\/v1 for Ollama.*8000.*1234.*8080/],
    ['  ', /--base-url/],
    ['localhost:11434/v1', /begin with http:/],
    ['ftp://secret.example/v1', /begin with http:/],
    ['not a secret url', /begin with http:/],
    ['https://user:secret@example.org/v1', /remove them and pass an API key/],
    ['https://example.org/v1?key=secret', /query or fragment/],
    ['https://example.org/v1?', /query or fragment/],
    ['https://example.org/v1#secret', /query or fragment/],
  ]
  for (const [baseUrl, message] of refused) {
    const settings: ProviderSettings = baseUrl === undefined ? {} : { baseUrl }
    await assert.rejects(
      async () => await openaiCompatible.load('m', settings),
      (error: Error) => {
        assert.equal('code' in error && error.code, 'INVALID_CONFIG')
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /secret/)
        return true
      },
    )
  }
})

test('rejects a key that no header can carry, without quoting it', async () => {
  const settings = { baseUrl: 'http://localhost:1/v1', apiKey: 'sec\nret' }
  await assert.rejects(
    async () => await openaiCompatible.load('m', settings),
    (error: Error) => /INVALID_CONFIG/.test(JSON.stringify(error)) && !/sec/.test(error.message),
  )
})

test('ignores trailing slashes in the base URL', async () => {
  await using server = await startModelServer([REPLY])
  await (await modelAt(`${server.baseUrl}//`)).doGenerate(ASK)
  server.assertComplete()
})

test('[DD-20] uses the price of the public service at the address, or null', async () => {
  const usage = { input: 1000, output: 1000 }
  const priceAt = async (baseUrl: string, modelId: string): Promise<number | null> =>
    (await openaiCompatible.load(modelId, { baseUrl })).price(usage)
  const listed = await priceAt('https://api.openai.com/v1', 'gpt-5-nano')
  assert.ok(listed !== null && listed > 0)
  assert.equal(await priceAt('https://api.openai.com/v1', 'no-such-model'), null)
  assert.equal(await priceAt('https://llm.example.org/v1', 'gpt-5-nano'), null)
  assert.equal(await priceAt('http://localhost:11434/v1', 'gpt-5-nano'), null)
})

test('installs the tested major version of the SDK', async () => {
  const url = import.meta.resolve('@ai-sdk/openai-compatible')
  const text = await readFile(new URL('../package.json', url), 'utf8')
  assert.match(text, /"version": "3\./)
})

test('sends a configured reasoning effort, and rejects settings without effect', async () => {
  await using server = await startModelServer([REPLY, REPLY, REPLY])
  const { baseUrl } = server
  for (const settings of [{}, { reasoning: 'provider-default' }, { reasoning: 'high' }] as const) {
    const { model } = await openaiCompatible.load('m', { baseUrl, api: 'chat', ...settings })
    await model.doGenerate(ASK)
  }
  assert.deepEqual(
    server.requests.map(({ body }) => body['reasoning_effort']),
    [undefined, undefined, 'high'],
  )
  const rows: readonly (readonly [ProviderSettings, RegExp])[] = [
    [{ api: 'responses' }, /^openai-compatible has only one interface; remove api: responses/],
    [{ store: true }, /^openai-compatible does not store conversations; remove store/],
  ]
  for (const [settings, message] of rows) {
    await assert.rejects(async () => await openaiCompatible.load('m', { baseUrl, ...settings }), {
      code: 'INVALID_CONFIG',
      message,
    })
  }
})
