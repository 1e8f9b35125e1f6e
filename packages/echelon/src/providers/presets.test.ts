import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JSONSchema7, LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { JsonObject } from '../core/value/json.ts'
import { type ProviderSettings, REASONING, type Reasoning } from '../core/model/model.ts'
import { startModelServer } from '../testing/local-model-server.ts'
import { type PresetKey, presetProvider } from './presets.ts'

const SCHEMA: JSONSchema7 & JsonObject = {
  type: 'object',
  properties: { answer: { type: 'number' } },
  required: ['answer'],
  additionalProperties: false,
}
const ASK: LanguageModelV4CallOptions = {
  prompt: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'how much is 6 * 7?' }] },
  ],
  maxOutputTokens: 500,
  temperature: 0.1,
  topP: 0.9,
  presencePenalty: 0.2,
  frequencyPenalty: 0.3,
  stopSequences: ['END'],
  seed: 7,
  responseFormat: { type: 'json', name: 'answer', schema: SCHEMA },
}

interface Exchange {
  readonly body: JsonObject
  readonly authorization: string | undefined
  readonly warnings: readonly SharedV4Warning[]
}

async function exchange(
  name: string,
  settings: ProviderSettings = {},
  options: LanguageModelV4CallOptions = ASK,
): Promise<Exchange> {
  await using server = await startModelServer([{ type: 'reply', text: ['{"answer":42}'] }])
  const [key, modelId] = split(name)
  const { id, model } = await presetProvider(key).load(modelId, {
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    ...settings,
  })
  assert.equal(id, name)
  const { warnings } = await model.doGenerate(options)
  const request = server.requests[0]
  assert.equal(request?.path, '/v1/chat/completions')
  return { body: request.body, authorization: request.headers.authorization, warnings }
}

function split(name: string): [key: PresetKey, modelId: string] {
  const key = KEYS.find((one) => name.startsWith(`${one}/`))
  assert.ok(key !== undefined, name)
  return [key, name.slice(key.length + 1)]
}

const LOCAL = ['ollama', 'vllm', 'lmstudio', 'llamacpp'] as const
const HOSTED = ['groq', 'mistral', 'deepseek', 'openrouter', 'together', 'xai'] as const
const KEYS = [...LOCAL, ...HOSTED]

const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'how much is 6 * 7?' },
]
const AS_IT_COMES: JsonObject = {
  messages: MESSAGES,
  max_tokens: 500,
  temperature: 0.1,
  top_p: 0.9,
  presence_penalty: 0.2,
  frequency_penalty: 0.3,
  stop: ['END'],
  seed: 7,
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'answer', strict: true, schema: SCHEMA },
  },
}
const IN_WORDS: JsonObject = {
  response_format: { type: 'json_object' },
  messages: [
    {
      role: 'system',
      content: `Be brief.\n\nAnswer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(SCHEMA)}`,
    },
    MESSAGES[1] ?? null,
  ],
}

const without = (body: JsonObject, ...words: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([word]) => !words.includes(word)))

test('sends each server a complete call in its own form', async () => {
  const bodies: Readonly<Record<string, JsonObject>> = {
    'ollama/qwen3': { ...AS_IT_COMES, reasoning_effort: 'none' },
    'vllm/Qwen/Qwen3-8B': AS_IT_COMES,
    'lmstudio/gemma': AS_IT_COMES,
    'llamacpp/any': { ...AS_IT_COMES, chat_template_kwargs: { enable_thinking: false } },
    'groq/llama-3.3-70b-versatile': { ...AS_IT_COMES, ...IN_WORDS },
    'groq/qwen/qwen3-32b': { ...AS_IT_COMES, ...IN_WORDS, reasoning_effort: 'none' },
    'groq/openai/gpt-oss-20b': { ...AS_IT_COMES, reasoning_effort: 'low' },
    'mistral/mistral-small-latest': { ...without(AS_IT_COMES, 'seed'), random_seed: 7 },
    'deepseek/deepseek-chat': {
      ...without(AS_IT_COMES, 'seed'),
      ...IN_WORDS,
      thinking: { type: 'disabled' },
    },
    'openrouter/openai/gpt-5-nano': { ...AS_IT_COMES, reasoning: { effort: 'none' } },
    'together/meta-llama/Llama-3.3-70B-Instruct-Turbo': AS_IT_COMES,
    'xai/grok-4-fast-non-reasoning': AS_IT_COMES,
    'xai/grok-4': without(AS_IT_COMES, 'stop', 'presence_penalty', 'frequency_penalty'),
  }
  for (const [name, expected] of Object.entries(bodies)) {
    const { body, authorization } = await exchange(name, { reasoning: 'least' })
    assert.deepEqual(body, { model: split(name)[1], ...expected }, name)
    assert.equal(authorization, 'Bearer test-key')
  }
})

test('warns about options that are left out', async () => {
  const { warnings } = await exchange('xai/grok-4')
  assert.deepEqual(
    warnings.map((warning) => ('feature' in warning ? warning.feature : warning.type)),
    ['stopSequences', 'presencePenalty', 'frequencyPenalty'],
  )
  const plain = { prompt: ASK.prompt }
  assert.deepEqual((await exchange('xai/grok-4', {}, plain)).warnings, [])
  assert.deepEqual((await exchange('deepseek/m', {}, plain)).body, {
    model: 'm',
    messages: MESSAGES,
  })
})

test('adds a system message with the schema to a prompt without one', async () => {
  const prompt = ASK.prompt.slice(1)
  const { body } = await exchange('deepseek/m', {}, { ...ASK, prompt })
  const messages = body['messages']
  assert.ok(Array.isArray(messages))
  assert.equal(messages.length, 2)
  assert.match(JSON.stringify(messages[0]), /^\{"role":"system","content":"Answer with nothing but/)
})

test('sends the reasoning effort in each server’s form', async () => {
  const words: Readonly<Record<string, Readonly<Record<Reasoning, JsonObject>>>> = {
    'ollama/m': levels({ reasoning_effort: 'none' }, (one) => ({ reasoning_effort: one })),
    'vllm/m': levels({}, (one) => ({ reasoning_effort: one })),
    'llamacpp/m': levels({ chat_template_kwargs: { enable_thinking: false } }, (one) => ({
      reasoning_effort: one,
    })),
    'groq/gpt-oss-20b': levels({ reasoning_effort: 'low' }, (one) => ({ reasoning_effort: one })),
    'groq/qwen3': levels({ reasoning_effort: 'none' }, () => ({ reasoning_effort: 'default' })),
    'groq/llama': levels({}, (one) => ({ reasoning_effort: one })),
    'mistral/m': levels({}, () => ({ reasoning_effort: 'high' })),
    'deepseek/m': levels({ thinking: { type: 'disabled' } }, () => ({
      thinking: { type: 'enabled' },
    })),
    'openrouter/m': levels({ reasoning: { effort: 'none' } }, (one) => ({
      reasoning: { effort: one },
    })),
    'xai/m': levels({}, (one) => ({ reasoning_effort: one })),
  }
  for (const [name, expected] of Object.entries(words)) {
    for (const reasoning of REASONING) {
      const { body } = await exchange(name, { reasoning }, { prompt: ASK.prompt })
      const fields = without(body, 'model', 'messages')
      assert.deepEqual(fields, expected[reasoning], `${name} ${reasoning}`)
    }
  }
})

const levels = (
  least: JsonObject,
  more: (level: string) => JsonObject,
): Readonly<Record<Reasoning, JsonObject>> => ({
  least,
  low: more('low'),
  medium: more('medium'),
  high: more('high'),
  'provider-default': {},
})

test('requests usage in streams, except from a server that rejects the field', async () => {
  for (const key of KEYS) {
    await using server = await startModelServer([{ type: 'reply', text: ['42'] }])
    const settings = { baseUrl: server.baseUrl, apiKey: 'k' }
    const { model } = await presetProvider(key).load('m', settings)
    const { stream } = await model.doStream({ prompt: ASK.prompt })
    for await (const _ of stream);
    const asked = server.requests[0]?.body['stream_options']
    assert.deepEqual(asked, key === 'mistral' ? undefined : { include_usage: true }, key)
  }
})

test('needs no key for a local server, and names the variable for a hosted one', async () => {
  for (const key of LOCAL) {
    const { authorization } = await exchange(`${key}/m`, { apiKey: '' })
    assert.equal(authorization, undefined)
  }
  for (const key of HOSTED) {
    const variable = `${key.toUpperCase()}_API_KEY`
    assert.ok(presetProvider(key).summary.endsWith(`; key in ${variable}`))
    await assert.rejects(async () => await presetProvider(key).load('m', {}), {
      code: 'MISSING_KEY',
      message: new RegExp(`^${key} needs a key.*${variable}`),
    })
  }
})

test('checks a custom address', async () => {
  for (const key of KEYS) {
    await assert.rejects(
      async () => await presetProvider(key).load('m', { apiKey: 'k', baseUrl: 'localhost' }),
      { code: 'INVALID_CONFIG', message: /begin with http.*such as http/ },
    )
  }
})

test('[DD-20] charges nothing for a local server on this machine, and has no price elsewhere', async () => {
  const costAt = async (key: PresetKey, modelId: string, baseUrl?: string) => {
    const settings = { apiKey: 'k', ...(baseUrl === undefined ? {} : { baseUrl }) }
    const { price } = await presetProvider(key).load(modelId, settings)
    return price({ input: 1e6, output: 1e6 })
  }
  for (const key of LOCAL) assert.equal(await costAt(key, 'm'), 0)
  for (const host of ['127.0.0.1:1', '127.1.2.3', '[::1]:1', 'localhost', 'my.localhost']) {
    assert.equal(await costAt('vllm', 'm', `http://${host}/v1`), 0, host)
  }
  for (const host of ['192.168.1.7', '10.0.0.1', 'localhost.example.org', 'gpu', '[::2]']) {
    assert.equal(await costAt('vllm', 'm', `http://${host}/v1`), null, host)
  }
  for (const modelId of ['gpt-oss:120b-cloud', 'kimi-k2:cloud']) {
    assert.equal(await costAt('ollama', modelId), null, modelId)
  }
  assert.equal(await costAt('groq', 'm', 'http://localhost:1/v1'), null)
})

test('[DD-20] uses the list price for a hosted service at its own address', async () => {
  const models: Readonly<Record<(typeof HOSTED)[number], string>> = {
    groq: 'openai/gpt-oss-20b',
    mistral: 'mistral-small-latest',
    deepseek: 'deepseek-chat',
    openrouter: 'openai/gpt-5-nano',
    together: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    xai: 'grok-4',
  }
  for (const key of HOSTED) {
    const { price } = await presetProvider(key).load(models[key], { apiKey: 'k' })
    const dollars = price({ input: 1e6, output: 1e6 })
    assert.ok(dollars !== null && dollars > 0, key)
  }
})
