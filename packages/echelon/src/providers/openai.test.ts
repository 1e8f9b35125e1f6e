import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { APICallError, type JSONSchema7, type LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { openaiModelCatalog } from '@ai-sdk/openai/internal'
import type { JsonObject } from '../core/value/json.ts'
import type { BoundModel, Provider, ProviderSettings } from '../core/model/model.ts'
import {
  type LocalModelServer,
  type ServerAnswer,
  startModelServer,
} from '../testing/local-model-server.ts'
import { openaiProvider } from './openai.ts'

const ASK: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'how much is 6 * 7?' }] }],
}
const REPLY: ServerAnswer = { type: 'reply', text: ['42'] }
const NO_PATH: ServerAnswer = { type: 'status', status: 404, message: 'no such path' }

const load = async (
  { baseUrl }: LocalModelServer,
  modelId: string,
  settings: ProviderSettings = {},
  provider: Provider = openaiProvider(),
): Promise<BoundModel> => await provider.load(modelId, { baseUrl, apiKey: 'test-key', ...settings })

const pathsOf = ({ requests }: LocalModelServer): readonly string[] =>
  requests.map(({ path }) => path.replace('/v1/', ''))

/** The body of one request to a model. */
async function bodyOf(
  modelId: string,
  settings: ProviderSettings,
  options: Partial<LanguageModelV4CallOptions> = {},
): Promise<JsonObject> {
  await using server = await startModelServer([REPLY])
  await (await load(server, modelId, settings)).model.doGenerate({ ...ASK, ...options })
  const [request] = server.requests
  assert.ok(request !== undefined)
  return request.body
}

/** The error of a failed call, or null. */
const thrownBy = async (call: PromiseLike<unknown>): Promise<unknown> =>
  await call.then(
    () => null,
    (failure: unknown) => failure,
  )

async function failureOf({ model }: BoundModel): Promise<APICallError> {
  const error = await thrownBy(model.doGenerate(ASK))
  assert.ok(APICallError.isInstance(error), String(error))
  return error
}

test('names the variable of a missing key before loading anything', async () => {
  for (const settings of [{}, { apiKey: ' ' }, { baseUrl: 'http://localhost:1/v1' }]) {
    await assert.rejects(async () => await openaiProvider().load('gpt-5', settings), {
      code: 'MISSING_KEY',
      message: /OPENAI_API_KEY/,
    })
  }
})

test('uses the key and address of the settings, whatever the environment holds', async () => {
  const before = { ...process.env }
  Object.assign(process.env, {
    OPENAI_API_KEY: 'of-the-environment',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  })
  try {
    await using server = await startModelServer([REPLY])
    await (await load(server, 'gpt-5', { apiKey: ' test-key\n' })).model.doGenerate(ASK)
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer test-key')
    await assert.rejects(async () => await openaiProvider().load('gpt-5', {}), {
      code: 'MISSING_KEY',
    })
  } finally {
    for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
})

test('chooses the interface by model and address', async () => {
  const elsewhere = 'http://localhost:1/v1'
  const rows = [
    ['gpt-5-nano', {}, 'openai.responses'],
    ['gpt-5-nano', { baseUrl: ' ' }, 'openai.responses'],
    ['gpt-5-nano', { baseUrl: 'https://eu.api.openai.com/v1' }, 'openai.responses'],
    ['gpt-5-nano', { baseUrl: 'https://api.openai.com.example.org/v1' }, 'openai.chat'],
    ['gpt-5-nano', { baseUrl: elsewhere }, 'openai.chat'],
    ['gpt-5-nano', { baseUrl: elsewhere, api: 'responses' }, 'openai.responses'],
    ['gpt-5-nano', { api: 'chat' }, 'openai.chat'],
    ['gpt-5-nano', { api: 'completions' }, 'openai.completion'],
    ['gpt-3.5-turbo-instruct', {}, 'openai.completion'],
    ['gpt-3.5-turbo-instruct-0914', { baseUrl: elsewhere }, 'openai.completion'],
    ['davinci-002', {}, 'openai.completion'],
    ['ft:babbage-002:me::x', {}, 'openai.completion'],
    ['gpt-3.5-turbo', {}, 'openai.responses'],
    ['gpt-3.5-turbo-instruct', { api: 'chat' }, 'openai.chat'],
  ] as const
  for (const [modelId, settings, provider] of rows) {
    const { model, id } = await openaiProvider().load(modelId, { apiKey: 'k', ...settings })
    assert.deepEqual(
      [model.provider, id],
      [provider, `openai/${modelId}`],
      JSON.stringify(settings),
    )
  }
})

test('switches for good when a server does not serve an interface', async () => {
  const notAllowed: ServerAnswer = { type: 'status', status: 405, message: 'Method Not Allowed' }
  for (const absent of [NO_PATH, notAllowed]) {
    await using server = await startModelServer([absent, REPLY, REPLY, NO_PATH])
    const provider = openaiProvider()
    const bound = await load(server, 'gpt-5-nano', {}, provider)
    const error = await failureOf(bound)
    assert.match(
      error.message,
      /^gpt-5-nano is not served through chat completions here \(status 40[45]: .*\); later calls use responses$/,
    )
    assert.equal(error.isRetryable, true)
    await bound.model.doGenerate(ASK)
    const again = await load(server, 'gpt-5-nano', {}, provider)
    await again.model.doGenerate(ASK)
    await load(server, 'gpt-5-nano').then(failureOf)
    assert.deepEqual(pathsOf(server), [
      'chat/completions',
      'responses',
      'responses',
      'chat/completions',
    ])
  }
})

test('switches once for two concurrent calls, also with a stream', async () => {
  await using server = await startModelServer([NO_PATH, NO_PATH, REPLY, REPLY])
  const { model } = await load(server, 'gpt-5-nano')
  const errors = await Promise.all([thrownBy(model.doGenerate(ASK)), thrownBy(model.doStream(ASK))])
  for (const error of errors) assert.ok(APICallError.isInstance(error) && error.isRetryable)
  await model.doGenerate(ASK)
  for await (const part of (await model.doStream(ASK)).stream) assert.notEqual(part.type, 'error')
  assert.deepEqual(pathsOf(server).slice(2), ['responses', 'responses'])
})

test('switches for a model that only one interface serves', async () => {
  const message = 'This model is only supported in v1/responses and not in v1/chat/completions.'
  await using server = await startModelServer([{ type: 'status', status: 404, message }, REPLY])
  const bound = await load(server, 'gpt-5-codex')
  await failureOf(bound)
  await bound.model.doGenerate(ASK)
  assert.deepEqual(pathsOf(server), ['chat/completions', 'responses'])
})

test('reports a server that serves neither interface, and starts over on the next call', async () => {
  const page: ServerAnswer = { type: 'status', status: 404, message: 'Not Found' }
  await using server = await startModelServer([NO_PATH, NO_PATH, page, page, page, REPLY])
  const bound = await load(server, 'gpt-5-nano')
  for (const _ of [1, 2]) {
    assert.equal((await failureOf(bound)).isRetryable, true)
    const error = await failureOf(bound)
    assert.match(
      error.message,
      /neither through chat completions nor through responses here .*check the base URL and the model$/,
    )
    assert.deepEqual([error.statusCode, error.isRetryable], [404, false])
  }
  await failureOf(bound)
  await bound.model.doGenerate(ASK)
  const [chat, responses] = ['chat/completions', 'responses']
  assert.deepEqual(pathsOf(server), [chat, responses, chat, responses, chat, responses])
})

test('keeps chat completions after a temporary proxy page', async () => {
  await using server = await startModelServer([NO_PATH, NO_PATH, REPLY, NO_PATH, REPLY])
  const { model } = await load(server, 'gpt-5-nano')
  await thrownBy(model.doGenerate(ASK))
  await thrownBy(model.doGenerate(ASK))
  await model.doGenerate(ASK)
  const later = await thrownBy(model.doGenerate(ASK))
  assert.ok(APICallError.isInstance(later) && !later.isRetryable)
  await model.doGenerate(ASK)
  const chat = 'chat/completions'
  assert.deepEqual(pathsOf(server), [chat, 'responses', chat, chat, chat])
})

test('shares the learned interface among models of a server, loaded before or after', async () => {
  await using server = await startModelServer([NO_PATH, REPLY, REPLY, REPLY])
  await using another = await startModelServer([REPLY])
  const provider = openaiProvider()
  const small = await load(server, 'gpt-5-nano', {}, provider)
  const big = await load(server, 'gpt-5', {}, provider)
  await failureOf(small)
  await small.model.doGenerate(ASK)
  await big.model.doGenerate(ASK)
  await (await load(server, 'gpt-5.1', {}, provider)).model.doGenerate(ASK)
  await (await load(another, 'gpt-5', {}, provider)).model.doGenerate(ASK)
  assert.deepEqual(pathsOf(server), ['chat/completions', 'responses', 'responses', 'responses'])
  assert.deepEqual(pathsOf(another), ['chat/completions'])
})

test('does not switch when the model is not found, or a path that worked before', async () => {
  const unknown: readonly ServerAnswer[] = [
    { type: 'status', status: 404, code: 'model_not_found', message: 'no access' },
    { type: 'status', status: 404, message: 'model "gpt-5-nano" not found, try pulling it first' },
    { type: 'status', status: 404, message: 'The model `gpt-5-nano` does not exist.' },
    { type: 'status', status: 400, message: 'no' },
  ]
  for (const answer of unknown) {
    await using server = await startModelServer([answer, answer])
    const bound = await load(server, 'gpt-5-nano')
    for (const _ of [1, 2]) {
      assert.equal((await failureOf(bound)).isRetryable, false, JSON.stringify(answer))
    }
    assert.deepEqual(pathsOf(server), ['chat/completions', 'chat/completions'])
  }
  await using server = await startModelServer([REPLY, NO_PATH, REPLY])
  const bound = await load(server, 'gpt-5-nano')
  await bound.model.doGenerate(ASK)
  assert.equal((await failureOf(bound)).isRetryable, false)
  await bound.model.doGenerate(ASK)
  assert.equal(new Set(pathsOf(server)).size, 1)
})

test('keeps a configured interface, and names the alternatives when it is refused', async () => {
  const message = 'This is a chat model and not supported in the v1/completions endpoint.'
  const rows = [
    ['completions', message, /through completions here .*; set api to chat or responses$/],
    [
      'chat',
      'no such path',
      /through chat completions here .*; set api to responses or completions$/,
    ],
    ['responses', 'no such path', /through responses here .*; set api to chat or completions$/],
  ] as const
  for (const [api, words, expected] of rows) {
    const refused: ServerAnswer = { type: 'status', status: 404, message: words }
    await using server = await startModelServer([refused, refused])
    const bound = await load(server, 'gpt-5-nano', { api })
    for (const _ of [1, 2]) {
      const error = await failureOf(bound)
      assert.match(error.message, expected)
      assert.ok(error.message.includes(words))
      assert.equal(error.isRetryable, false)
    }
    const [first, second] = pathsOf(server)
    assert.equal(first, second)
  }
})

test('[DD-18] sends sampling options, and ends completions at an empty line', async () => {
  const options = { maxOutputTokens: 500, temperature: 0.1 }
  const steered = { ...options, topP: 0.9, frequencyPenalty: 0.3, presencePenalty: 0.2 }
  const sent = {
    max_tokens: 500,
    temperature: 0.1,
    top_p: 0.9,
    frequency_penalty: 0.3,
    presence_penalty: 0.2,
  }
  const prompt = 'user:\nhow much is 6 * 7?\n\nassistant:\n'
  assert.deepEqual(await bodyOf('davinci-002', {}, options), {
    model: 'davinci-002',
    prompt,
    max_tokens: 500,
    temperature: 0.1,
    stop: ['\nuser:', '\n\n'],
  })
  assert.deepEqual(await bodyOf('davinci-002', {}, { ...steered, stopSequences: ['END'] }), {
    model: 'davinci-002',
    prompt,
    ...sent,
    stop: ['\nuser:', 'END'],
  })
  assert.deepEqual(await bodyOf('gpt-4.1', {}, { ...steered, stopSequences: ['END'] }), {
    model: 'gpt-4.1',
    messages: [{ role: 'user', content: 'how much is 6 * 7?' }],
    ...sent,
    stop: ['END'],
    store: false,
  })
})

test('sets storage and reasoning from the settings', async () => {
  const messages = [{ role: 'user', content: 'how much is 6 * 7?' }]
  assert.deepEqual(await bodyOf('gpt-5', { store: true, reasoning: 'high' }), {
    model: 'gpt-5',
    messages,
    store: true,
    reasoning_effort: 'high',
  })
  assert.deepEqual(await bodyOf('gpt-5', { reasoning: 'provider-default' }), {
    model: 'gpt-5',
    messages,
    store: false,
  })
  const input = [{ role: 'user', content: [{ type: 'input_text', text: 'how much is 6 * 7?' }] }]
  assert.deepEqual(await bodyOf('gpt-5', { api: 'responses', store: true, reasoning: 'low' }), {
    model: 'gpt-5',
    input,
    store: true,
    reasoning: { effort: 'low' },
  })
  assert.deepEqual(await bodyOf('gpt-4.1', { api: 'responses', reasoning: 'low' }), {
    model: 'gpt-4.1',
    input,
    store: false,
  })
})

test('sends sampling options to a reasoning model with reasoning turned off', async () => {
  const { temperature, top_p, reasoning_effort } = await bodyOf(
    'gpt-5.1',
    { reasoning: 'least' },
    {
      temperature: 0.1,
      topP: 0.9,
    },
  )
  assert.deepEqual([temperature, top_p, reasoning_effort], [0.1, 0.9, 'none'])
})

const OPEN: JSONSchema7 = { type: 'object', properties: { a: { type: 'string' } } }
const CLOSED: JSONSchema7 = { ...OPEN, required: ['a'], additionalProperties: false }

test('marks only complete schemas and tools as strict', async () => {
  for (const [schema, strict] of [
    [OPEN, false],
    [CLOSED, true],
  ] as const) {
    const options: Partial<LanguageModelV4CallOptions> = {
      responseFormat: { type: 'json', name: 'answer', schema },
      tools: [{ type: 'function', name: 'look', inputSchema: schema }],
    }
    const chat = await bodyOf('gpt-5', { api: 'chat' }, options)
    assert.deepEqual(chat['response_format'], {
      type: 'json_schema',
      json_schema: { name: 'answer', strict, schema },
    })
    assert.deepEqual(chat['tools'], [
      { type: 'function', function: { name: 'look', parameters: schema, strict } },
    ])
    const responses = await bodyOf('gpt-5', { api: 'responses' }, options)
    assert.deepEqual(responses['text'], {
      format: { type: 'json_schema', name: 'answer', strict, schema },
    })
    assert.deepEqual(responses['tools'], [
      { type: 'function', name: 'look', parameters: schema, strict },
    ])
  }
})

test('returns the same tool calls through chat and responses, with and without streaming', async () => {
  for (const api of ['chat', 'responses'] as const) {
    const answer: ServerAnswer = {
      type: 'reply',
      toolCalls: [{ tool: 'calculator', input: { expr: '6*7' } }],
    }
    await using server = await startModelServer([answer, answer])
    const { model } = await load(server, 'gpt-5', { api })
    const { content, finishReason } = await model.doGenerate(ASK)
    const [call] = content.filter((part) => part.type === 'tool-call')
    assert.deepEqual([call?.toolName, call?.input], ['calculator', '{"expr":"6*7"}'])
    assert.equal(finishReason.unified, 'tool-calls')
    const streamed: string[] = []
    for await (const part of (await model.doStream(ASK)).stream) {
      if (part.type === 'tool-call') streamed.push(part.toolName, part.input)
    }
    assert.deepEqual(streamed, ['calculator', '{"expr":"6*7"}'])
  }
})

test('returns encrypted reasoning, to be sent again', async () => {
  const thought: ServerAnswer = { ...REPLY, usage: { input: 1, output: 9, reasoning: 8 } }
  await using server = await startModelServer([thought])
  const { model } = await load(server, 'gpt-5', { api: 'responses' })
  const { content, usage } = await model.doGenerate(ASK)
  const [thinking] = content.filter((part) => part.type === 'reasoning')
  assert.equal(thinking?.providerMetadata?.['openai']?.['reasoningEncryptedContent'], 'cipher-1')
  assert.equal(usage.outputTokens.reasoning, 8)
})

test('[DD-20] uses OpenAI’s prices at any address, and null for an unlisted model', async () => {
  const usage = { input: 1000, output: 1000 }
  await using server = await startModelServer([])
  const atOpenai = await openaiProvider().load('gpt-5-nano', { apiKey: 'k' })
  const elsewhere = await load(server, 'gpt-5-nano')
  assert.ok((elsewhere.price(usage) ?? 0) > 0)
  assert.equal(elsewhere.price(usage), atOpenai.price(usage))
  assert.equal((await load(server, 'a-model-of-my-own')).price(usage), null)
})

test('has a price and an SDK entry for every listed model', async () => {
  const provider = openaiProvider()
  assert.deepEqual(provider.models.slice(0, 3), ['gpt-5-nano', 'gpt-5-mini', 'gpt-5'])
  for (const modelId of provider.models) {
    const { price } = await provider.load(modelId, { apiKey: 'k' })
    assert.ok((price({ input: 1000, output: 1000 }) ?? 0) > 0, modelId)
    const isOfText = modelId.startsWith('gpt-3.5') || /^o\d/.test(modelId)
    assert.ok(isOfText || Object.hasOwn(openaiModelCatalog, modelId), modelId)
  }
})

test('installs the tested major version of the SDK', async () => {
  const url = import.meta.resolve('@ai-sdk/openai')
  const text = await readFile(new URL('../package.json', url), 'utf8')
  assert.match(text, /"version": "4\./)
})
