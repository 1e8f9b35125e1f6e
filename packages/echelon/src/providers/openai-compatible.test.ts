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

/** Every part that arrived, and what reading ended with, if it failed. */
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

/** The error of one call that does not stream, and of one that does, each to the same answer. */
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

test('an answer comes over the wire, with its usage and finish reason', async () => {
  await using server = await startModelServer([REPLY])
  const result = await (await modelAt(server.baseUrl)).doGenerate(ASK)
  assert.deepEqual(result.content, [{ type: 'text', text: '42' }])
  assert.equal(result.finishReason.unified, 'stop')
  assert.equal(result.usage.inputTokens.total, 12)
  assert.equal(result.usage.outputTokens.total, 2)
  server.assertComplete()
})

test('a stream comes in pieces, and its usage is asked for', async () => {
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

test('tool calls arrive alike, whether streamed or not', async () => {
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

test('[DD-25] every option of a call reaches the server, the seed too', async () => {
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

test('a schema is sent as a strict response format, without a warning', async () => {
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

test('a key is sent as Bearer, and no header where there is none', async () => {
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

test('a status is an APICallError with its headers and the server’s own code', async () => {
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

test('which statuses are worth another try', async () => {
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

test('a connection that breaks has no status and is worth another try', async () => {
  for (const error of await failuresOf({ type: 'reset' })) {
    assert.ok(APICallError.isInstance(error))
    assert.equal(error.statusCode, undefined)
    assert.equal(error.isRetryable, true)
  }
})

test('a server that is not there is a connection that failed', async () => {
  const server = await startModelServer([])
  await server.close()
  const model = await modelAt(server.baseUrl)
  await assert.rejects(
    async () => await model.doGenerate(ASK),
    (error) =>
      APICallError.isInstance(error) && error.statusCode === undefined && error.isRetryable,
  )
})

test('a stream that is cut throws while it is read, after the pieces that came', async () => {
  await using server = await startModelServer([{ type: 'reset', after: ['4'] }])
  const { parts, failure } = await read(await modelAt(server.baseUrl))
  assert.equal(textOf(parts), '4')
  assert.ok(APICallError.isInstance(failure))
  assert.equal(failure.statusCode, 200)
  assert.equal(failure.isRetryable, true)
})

test('what is wrong inside a stream is an error part, and a finish for the reason error', async () => {
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

test('an answer that is no completion is an error, and not worth another try', async () => {
  for (const type of ['malformed', 'error'] as const) {
    const [error] = await failuresOf({ type })
    assert.ok(APICallError.isInstance(error))
    assert.equal(error.message, 'Invalid JSON response')
    assert.equal(error.isRetryable, false)
  }
})

test('a server that stays silent is left at the time limit, also in mid-stream', async () => {
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

test('an abort is a plain AbortError', async () => {
  await using server = await startModelServer([{ type: 'silence' }])
  const controller = new AbortController()
  const call = (await modelAt(server.baseUrl)).doGenerate({
    ...ASK,
    abortSignal: controller.signal,
  })
  setTimeout(() => controller.abort(), 20)
  await assert.rejects(async () => await call, { name: 'AbortError' })
})

test('a base URL that cannot work is refused with what to do, and never quoted', async () => {
  const refused: readonly (readonly [string | undefined, RegExp])[] = [
    [undefined, /--base-url.*11434\/v1 for Ollama.*8000.*1234.*8080/],
    ['  ', /--base-url/],
    ['localhost:11434/v1', /begin with http:/],
    ['ftp://secret.example/v1', /begin with http:/],
    ['not a secret url', /begin with http:/],
    ['https://user:secret@example.org/v1', /take them out and pass an API key/],
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

test('a key that no header can carry is refused before anything could quote it', async () => {
  const settings = { baseUrl: 'http://localhost:1/v1', apiKey: 'sec\nret' }
  await assert.rejects(
    async () => await openaiCompatible.load('m', settings),
    (error: Error) => /INVALID_CONFIG/.test(JSON.stringify(error)) && !/sec/.test(error.message),
  )
})

test('slashes at the end of the base URL do no harm', async () => {
  await using server = await startModelServer([REPLY])
  await (await modelAt(`${server.baseUrl}//`)).doGenerate(ASK)
  server.assertComplete()
})

test('[DD-20] the price is that of the public service at the address, else unknown', async () => {
  const usage = { input: 1000, output: 1000 }
  const priceAt = async (baseUrl: string, modelId: string): Promise<number | null> =>
    (await openaiCompatible.load(modelId, { baseUrl })).price(usage)
  const listed = await priceAt('https://api.openai.com/v1', 'gpt-5-nano')
  assert.ok(listed !== null && listed > 0)
  assert.equal(await priceAt('https://api.openai.com/v1', 'no-such-model'), null)
  assert.equal(await priceAt('https://llm.example.org/v1', 'gpt-5-nano'), null)
  assert.equal(await priceAt('http://localhost:11434/v1', 'gpt-5-nano'), null)
})

test('the command to install the SDK names the major that is tested', async () => {
  const url = import.meta.resolve('@ai-sdk/openai-compatible')
  const text = await readFile(new URL('../package.json', url), 'utf8')
  assert.match(text, /"version": "3\./)
})

test('how long to think reaches the server where it is set, and what no call would follow is refused', async () => {
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
    [{ api: 'responses' }, /^openai-compatible has one interface alone; take out api: responses/],
    [{ store: true }, /^openai-compatible stores nothing; take out store/],
  ]
  for (const [settings, message] of rows) {
    await assert.rejects(async () => await openaiCompatible.load('m', { baseUrl, ...settings }), {
      code: 'INVALID_CONFIG',
      message,
    })
  }
})
