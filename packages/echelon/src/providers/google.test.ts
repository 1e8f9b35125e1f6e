import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { isJsonObject, type JsonObject } from '../core/value/json.ts'
import type { ProviderSettings } from '../core/model/model.ts'
import { type ServerAnswer, startModelServer } from '../testing/local-model-server.ts'
import { google } from './google.ts'

const ASK: LanguageModelV4CallOptions = {
  prompt: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'how much is 6 * 7?' }] },
  ],
  maxOutputTokens: 4000,
}
const REPLY: ServerAnswer = { type: 'reply', text: ['42'] }

interface Exchange {
  readonly body: JsonObject
  readonly result: LanguageModelV4GenerateResult
}

/** One call to a real server through the real package. */
async function exchange(
  modelId: string,
  settings: ProviderSettings = {},
  options: Partial<LanguageModelV4CallOptions> = {},
  reply = REPLY,
): Promise<Exchange> {
  await using server = await startModelServer([reply])
  const { model } = await google.load(modelId, {
    apiKey: 'test-key',
    baseUrl: server.baseUrl,
    ...settings,
  })
  const result = await model.doGenerate({ ...ASK, ...options })
  server.assertComplete()
  return { body: server.requests[0]?.body ?? {}, result }
}

async function thinkingSent(
  modelId: string,
  settings: ProviderSettings = {},
  options: Partial<LanguageModelV4CallOptions> = {},
): Promise<JsonObject | undefined> {
  const { body, result } = await exchange(modelId, settings, options)
  assert.deepEqual(result.warnings, [], modelId)
  const generation = body['generationConfig']
  const config = isJsonObject(generation) ? generation['thinkingConfig'] : undefined
  return isJsonObject(config) ? config : undefined
}

test('sends and receives a complete call', async () => {
  const sampling = { temperature: 0.1, topP: 0.9, stopSequences: ['END'], seed: 7 }
  const { body } = await exchange('gemini-2.5-flash', {}, sampling)
  assert.deepEqual(body, {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [{ role: 'user', parts: [{ text: 'how much is 6 * 7?' }] }],
    generationConfig: {
      maxOutputTokens: 4000,
      temperature: 0.1,
      topP: 0.9,
      stopSequences: ['END'],
      seed: 7,
    },
  })
})

test('sends the model in the URL and the key in a header', async () => {
  await using server = await startModelServer([REPLY])
  const settings = { apiKey: 'test-key', baseUrl: `${server.baseUrl}/` }
  const { id, model } = await google.load('gemini-2.5-flash', settings)
  await model.doGenerate(ASK)
  assert.equal(id, 'google/gemini-2.5-flash')
  assert.equal(server.requests[0]?.path, '/v1/models/gemini-2.5-flash:generateContent')
  assert.equal(server.requests[0]?.headers['x-goog-api-key'], 'test-key')
})

test('sends the lowest level each model accepts for least', async () => {
  const expectedByModel: Readonly<Record<string, JsonObject | undefined>> = {
    'gemini-2.0-flash': undefined,
    'gemma-3-27b-it': undefined,
    'gemini-2.5-flash': { thinkingBudget: 0 },
    'gemini-2.5-flash-lite': { thinkingBudget: 0 },
    'gemini-2.5-pro': { thinkingBudget: 128 },
    'gemini-3-flash-preview': { thinkingLevel: 'minimal' },
    'gemini-3-pro-preview': { thinkingLevel: 'low' },
    'gemini-3.5-flash': { thinkingLevel: 'minimal' },
    'gemini-3.8-flash': { thinkingLevel: 'low' },
    'gemini-flash-latest': { thinkingLevel: 'low' },
  }
  for (const [modelId, expected] of Object.entries(expectedByModel)) {
    assert.deepEqual(await thinkingSent(modelId, { reasoning: 'least' }), expected, modelId)
    for (const reasoning of [{}, { reasoning: 'provider-default' }] as const) {
      assert.equal(await thinkingSent(modelId, reasoning), undefined, modelId)
    }
  }
})

test('sends a higher level, or a share of the call’s own limit', async () => {
  const rows = [
    ['gemini-3-pro-preview', 'high', { thinkingLevel: 'high' }],
    ['gemini-2.5-flash', 'low', { thinkingBudget: 1000 }],
    ['gemini-2.5-flash', 'medium', { thinkingBudget: 2000 }],
    ['gemini-2.5-pro', 'high', { thinkingBudget: 3000 }],
  ] as const
  for (const [modelId, reasoning, expected] of rows) {
    assert.deepEqual(await thinkingSent(modelId, { reasoning }), expected, modelId)
  }
  const short = { maxOutputTokens: 200 }
  const least = await thinkingSent('gemini-2.5-flash-lite', { reasoning: 'low' }, short)
  assert.deepEqual(least, { thinkingBudget: 512 })
  const byCall = { reasoning: 'high' } as const
  const sent = await thinkingSent('gemini-3-flash-preview', { reasoning: 'least' }, byCall)
  assert.deepEqual(sent, { thinkingLevel: 'high' })
})

test('counts thinking tokens as output and cached tokens as input', async () => {
  const usage = { input: 12, output: 8, cached: 4, reasoning: 3 }
  const { result } = await exchange('gemini-2.5-flash', {}, {}, { ...REPLY, usage })
  assert.equal(result.usage.inputTokens.total, 12)
  assert.equal(result.usage.inputTokens.cacheRead, 4)
  assert.equal(result.usage.outputTokens.total, 8)
  assert.equal(result.usage.outputTokens.reasoning, 3)
})

test('returns the same tool calls with and without streaming', async () => {
  const answer = {
    type: 'reply',
    toolCalls: [{ tool: 'calculator', input: { expr: '6*7' } }],
  } as const
  await using server = await startModelServer([answer, answer])
  const settings = { apiKey: 'k', baseUrl: server.baseUrl }
  const { model } = await google.load('gemini-2.5-flash', settings)
  const whole = await model.doGenerate(ASK)
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of (await model.doStream(ASK)).stream) parts.push(part)
  for (const call of [...whole.content, ...parts].filter(({ type }) => type === 'tool-call')) {
    assert.ok(call.type === 'tool-call')
    assert.deepEqual([call.toolName, call.input], ['calculator', '{"expr":"6*7"}'])
  }
  assert.equal(whole.finishReason.unified, 'tool-calls')
  assert.equal(server.requests[1]?.path.endsWith(':streamGenerateContent?alt=sse'), true)
})

test('reports blocked content as a finish reason, with or without candidates', async () => {
  for (const answer of [
    { type: 'reply', text: ['I can'], finishReason: 'content-filter' },
    { type: 'reply', refusal: 'never sent' },
  ] as const) {
    const { result } = await exchange('gemini-2.5-flash', {}, {}, answer)
    assert.equal(result.finishReason.unified, 'content-filter')
    assert.equal(result.usage.inputTokens.total, 10)
  }
})

test('[DD-20] uses the list price, and null for a model that is not listed', async () => {
  const priceOf = async (modelId: string): Promise<number | null> =>
    (await google.load(modelId, { apiKey: 'k' })).price({ input: 1e6, output: 0 })
  for (const modelId of google.models) assert.notEqual(await priceOf(modelId), 0, modelId)
  assert.ok((await priceOf('gemini-2.5-flash-lite')) !== null)
  assert.equal(await priceOf('gemini-nobody-knows'), null)
})

test('names the variable of a missing key and does not read the environment', async () => {
  process.env['GOOGLE_GENERATIVE_AI_API_KEY'] = 'from-the-environment'
  try {
    await assert.rejects(async () => await google.load('m', {}), {
      code: 'MISSING_KEY',
      message: /^google needs a key.*GOOGLE_API_KEY/,
    })
  } finally {
    delete process.env['GOOGLE_GENERATIVE_AI_API_KEY']
  }
})
