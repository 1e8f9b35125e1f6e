import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider'
import type { JsonObject } from '../core/value/json.ts'
import type { ProviderSettings } from '../core/model/model.ts'
import { startModelServer } from '../testing/local-model-server.ts'
import type { ServerReply } from '../testing/wire/script.ts'
import { anthropic } from './anthropic.ts'

const ASK: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'how much is 6 * 7?' }] }],
  maxOutputTokens: 4000,
}
const REPLY: ServerReply = { type: 'reply', text: ['42'] }

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
  const { model } = await anthropic.load(modelId, {
    apiKey: 'test-key',
    baseUrl: server.baseUrl,
    ...settings,
  })
  const result = await model.doGenerate({ ...ASK, ...options })
  server.assertComplete()
  return { body: server.requests[0]?.body ?? {}, result }
}

/** The thinking fields sent to a model. */
async function thinkingSent(
  modelId: string,
  settings: ProviderSettings,
  options: Partial<LanguageModelV4CallOptions> = {},
): Promise<JsonObject> {
  const { body } = await exchange(modelId, settings, options)
  const { thinking, output_config, max_tokens } = body
  return {
    ...(thinking === undefined ? {} : { thinking }),
    ...(output_config === undefined ? {} : { output_config }),
    max_tokens: max_tokens ?? null,
  }
}

test('sends and receives a complete call', async () => {
  const { body, result } = await exchange('claude-haiku-4-5', {}, { temperature: 0.1 })
  assert.deepEqual(body, {
    model: 'claude-haiku-4-5',
    max_tokens: 4000,
    temperature: 0.1,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'how much is 6 * 7?' }] }],
  })
  assert.deepEqual(result.warnings, [])
})

test('sends the key and the interface version as headers', async () => {
  await using server = await startModelServer([REPLY])
  const settings = { apiKey: ' test-key\n', baseUrl: `${server.baseUrl}/` }
  const { id, model } = await anthropic.load('claude-haiku-4-5', settings)
  await model.doGenerate(ASK)
  const headers = server.requests[0]?.headers
  assert.equal(id, 'anthropic/claude-haiku-4-5')
  assert.equal(headers?.['x-api-key'], 'test-key')
  assert.equal(headers?.['anthropic-version'], '2023-06-01')
  assert.equal(headers?.['anthropic-beta'], undefined)
})

test('turns thinking off for least where the model allows it', async () => {
  const max_tokens = 4000
  const off = { thinking: { type: 'disabled' }, max_tokens }
  const expectedByModel: Readonly<Record<string, JsonObject>> = {
    'claude-3-haiku-20240307': { max_tokens },
    'claude-3-5-haiku-latest': { max_tokens },
    'claude-sonnet-4-0': { max_tokens },
    'claude-sonnet-4-20250514': { max_tokens },
    'claude-opus-4-1': { max_tokens },
    'claude-opus-4-5-20251101': { max_tokens },
    'claude-haiku-4-5': { max_tokens },
    'glm-4.7': { max_tokens },
    'claude-opus-4-6': off,
    'claude-opus-4-8': off,
    'claude-sonnet-5': off,
    'claude-haiku-5-5': off,
    'claude-sonnet-5-5': { thinking: { type: 'between_tools' }, max_tokens },
    'claude-opus-5-5': { output_config: { effort: 'low' }, max_tokens },
  }
  for (const [modelId, expected] of Object.entries(expectedByModel)) {
    assert.deepEqual(await thinkingSent(modelId, { reasoning: 'least' }), expected, modelId)
    assert.deepEqual(await thinkingSent(modelId, {}), { max_tokens }, modelId)
    const { result } = await exchange(modelId, { reasoning: 'least' })
    assert.deepEqual(result.warnings, [], modelId)
    assert.deepEqual(
      await thinkingSent(modelId, { reasoning: 'provider-default' }),
      { max_tokens },
      modelId,
    )
  }
})

test('sends an effort to a model that decides itself how long to think', async () => {
  for (const reasoning of ['low', 'medium', 'high'] as const) {
    assert.deepEqual(await thinkingSent('claude-sonnet-5', { reasoning }), {
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: reasoning },
      max_tokens: 4000,
    })
  }
})

test('counts the thinking budget within the limit, which is not raised', async () => {
  const budgets = { low: 1024, medium: 2000, high: 3000 } as const
  for (const reasoning of ['low', 'medium', 'high'] as const) {
    assert.deepEqual(await thinkingSent('claude-haiku-4-5', { reasoning }), {
      thinking: { type: 'enabled', budget_tokens: budgets[reasoning] },
      max_tokens: 4000,
    })
  }
})

test('warns and does not think when the limit leaves no room', async () => {
  const short = { maxOutputTokens: 1000 }
  const settings = { reasoning: 'low' } as const
  assert.deepEqual(await thinkingSent('claude-haiku-4-5', settings, short), { max_tokens: 1000 })
  const { result } = await exchange('claude-haiku-4-5', settings, short)
  assert.equal(result.warnings.length, 1)
  assert.match(JSON.stringify(result.warnings), /allow at least 2048 for an answer/)
})

test('keeps the thinking options of the call itself', async () => {
  const byCall = { reasoning: 'high' } as const
  const config = await thinkingSent('claude-sonnet-5', { reasoning: 'least' }, byCall)
  assert.deepEqual(config['output_config'], { effort: 'high' })
})

test('leaves out rejected sampling options with a warning', async () => {
  const sampling = { temperature: 0.1, topP: 0.9, seed: 7, presencePenalty: 0.2 }
  const older = await exchange('claude-haiku-4-5', {}, sampling)
  const newer = await exchange('claude-sonnet-5', {}, sampling)
  const features = ({ result }: Exchange): readonly string[] =>
    result.warnings.map((warning) => ('feature' in warning ? warning.feature : warning.type))
  assert.equal(older.body['temperature'], 0.1)
  assert.deepEqual(features(older), ['presencePenalty', 'seed', 'topP'])
  assert.equal(newer.body['temperature'], undefined)
  assert.deepEqual(features(newer), ['presencePenalty', 'seed', 'temperature', 'topP'])
})

/** An object with this many optional fields. */
const withUnions = (count: number): JSONSchema7 => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f${index}`, { type: ['string', 'null'] }]),
  ),
  required: Array.from({ length: count }, (_, index) => `f${index}`),
  additionalProperties: false,
})

test('sends a schema as output format, or as a tool if it has too many unions', async () => {
  const format = (unions: number): Partial<LanguageModelV4CallOptions> => ({
    responseFormat: { type: 'json', name: 'answer', schema: withUnions(unions) },
  })
  const fits = await exchange('claude-haiku-4-5', {}, format(16))
  assert.deepEqual(fits.body['output_config'], {
    format: { type: 'json_schema', schema: withUnions(16) },
  })
  const input = { f0: null }
  const reply = { type: 'reply', toolCalls: [{ tool: 'json', input }] } as const
  const tooMany = await exchange('claude-haiku-4-5', {}, format(17), reply)
  assert.equal(tooMany.body['output_config'], undefined)
  assert.deepEqual(tooMany.body['tool_choice'], { type: 'any', disable_parallel_tool_use: true })
  assert.deepEqual(tooMany.result.content, [{ type: 'text', text: JSON.stringify(input) }])
  assert.equal(tooMany.result.finishReason.unified, 'stop')
})

test('counts unions at any depth and keeps the caller’s options', async () => {
  const inner = withUnions(9)
  const schema: JSONSchema7 = {
    type: 'object',
    properties: { list: { type: 'array', items: { oneOf: [inner, inner] } } },
    required: ['list'],
    additionalProperties: false,
  }
  const { body } = await exchange(
    'claude-haiku-4-5',
    {},
    {
      responseFormat: { type: 'json', schema },
      providerOptions: { anthropic: { metadata: { userId: 'u' } } },
    },
  )
  assert.equal(body['output_config'], undefined)
  assert.deepEqual(body['metadata'], { user_id: 'u' })
})

test('includes cached and thinking tokens in the totals', async () => {
  const usage = { input: 12, output: 8, cached: 4, reasoning: 3 }
  const { result } = await exchange('claude-haiku-4-5', {}, {}, { ...REPLY, usage })
  assert.equal(result.usage.inputTokens.total, 12)
  assert.equal(result.usage.inputTokens.cacheRead, 4)
  assert.equal(result.usage.outputTokens.total, 8)
  assert.equal(result.usage.outputTokens.reasoning, 3)
})

test('[DD-20] uses the list price, and null for a model that is not listed', async () => {
  const priceOf = async (modelId: string): Promise<number | null> =>
    (await anthropic.load(modelId, { apiKey: 'k' })).price({ input: 1e6, output: 0 })
  for (const modelId of anthropic.models) assert.notEqual(await priceOf(modelId), 0, modelId)
  assert.ok((await priceOf('claude-haiku-4-5')) !== null)
  assert.equal(await priceOf('claude-nobody-knows'), null)
})

test('names the variable of a missing key and does not read the environment', async () => {
  process.env['ANTHROPIC_API_KEY'] = 'from-the-environment'
  try {
    for (const apiKey of [undefined, ' ']) {
      await assert.rejects(
        async () => await anthropic.load('m', apiKey === undefined ? {} : { apiKey }),
        { code: 'MISSING_KEY', message: /^anthropic needs a key.*ANTHROPIC_API_KEY/ },
      )
    }
  } finally {
    delete process.env['ANTHROPIC_API_KEY']
  }
})

test('names a variable that makes the package fail on load', async () => {
  const script = `
    const { anthropic } = await import(${JSON.stringify(import.meta.resolve('./anthropic.ts'))})
    await anthropic.load('m', { apiKey: 'k' }).catch(({ code, message }) => console.log(code, message))
  `
  const env = { ...process.env, ANTHROPIC_BASE_URL: '' }
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  assert.match(stdout, /^INVALID_CONFIG ANTHROPIC_BASE_URL is set but empty; unset it/)
})
