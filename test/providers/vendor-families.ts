import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import { createRegistry, standardProviders } from '../../packages/echelon/src/providers/registry.ts'
import type { LocalModelServer } from '../../packages/echelon/src/testing/local-model-server.ts'
import { type Family, type Request, SCHEMA } from './family.ts'

/** A price for each, on local and hosted servers alike. */
const price = { inputPerMillion: 1, outputPerMillion: 2 }

const loaded =
  (name: string) =>
  async ({ baseUrl }: LocalModelServer): Promise<BoundModel> => {
    const settings = { baseUrl, apiKey: 'test-key', price, reasoning: 'least' as const }
    const key = name.slice(0, name.indexOf('/'))
    return await createRegistry(standardProviders).resolve(name, { [key]: settings })
  }

const at = (path: string, body: JsonObject, stream: Partial<Request>) => ({
  request: { path, body },
  streamRequest: { path, body, ...stream },
})

const messages = (body: JsonObject) => {
  const whole = {
    max_tokens: 500,
    stop_sequences: ['END'],
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'how much is 15 * 23?' }] }],
    output_config: { format: { type: 'json_schema', schema: SCHEMA } },
    ...body,
  }
  return at('/v1/messages', whole, { body: { ...whole, stream: true } })
}

const ANTHROPIC_ERRORS: Pick<Family, 'outOfQuota' | 'tooLong'> = {
  outOfQuota: {
    type: 'status',
    status: 400,
    message: 'Your credit balance is too low to access the Anthropic API.',
  },
  tooLong: {
    type: 'status',
    status: 400,
    message: 'prompt is too long: 210000 tokens > 200000 maximum',
  },
}

const content = (modelId: string, generationConfig: JsonObject) => {
  const body = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [{ role: 'user', parts: [{ text: 'how much is 15 * 23?' }] }],
    generationConfig: {
      maxOutputTokens: 500,
      temperature: 0.1,
      topP: 0.9,
      stopSequences: ['END'],
      seed: 7,
      responseMimeType: 'application/json',
      responseJsonSchema: SCHEMA,
      ...generationConfig,
    },
  }
  const place = `/v1/models/${modelId}`
  const path = `${place}:streamGenerateContent?alt=sse`
  return at(`${place}:generateContent`, body, { path })
}

const GOOGLE_ERRORS: Pick<Family, 'outOfQuota' | 'tooLong'> = {
  outOfQuota: {
    type: 'status',
    status: 429,
    message: 'You exceeded your current quota.',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
      },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36s' },
    ],
  },
  tooLong: {
    type: 'status',
    status: 400,
    message: 'The input token count (40000) exceeds the maximum number of tokens allowed (32768).',
  },
}

const chat = (body: JsonObject) => {
  const whole = {
    max_tokens: 500,
    temperature: 0.1,
    top_p: 0.9,
    frequency_penalty: 0.3,
    presence_penalty: 0.2,
    stop: ['END'],
    ...body,
  }
  const stream = { ...whole, stream: true, stream_options: { include_usage: true } }
  return at('/v1/chat/completions', whole, { body: stream })
}

const QUESTION = { role: 'user', content: 'how much is 15 * 23?' }

/** Anthropic and Google, each with an older and a newer model, and two servers with a preset. */
export const VENDOR_FAMILIES: readonly Family[] = [
  {
    name: 'anthropic',
    load: loaded('anthropic/claude-haiku-4-5'),
    ...messages({ model: 'claude-haiku-4-5', temperature: 0.1 }),
    unsupported: ['frequencyPenalty', 'presencePenalty', 'seed', 'topP'],
    ...ANTHROPIC_ERRORS,
  },
  {
    name: 'anthropic, a model that would think',
    load: loaded('anthropic/claude-sonnet-5'),
    ...messages({ model: 'claude-sonnet-5', thinking: { type: 'disabled' } }),
    unsupported: ['frequencyPenalty', 'presencePenalty', 'seed', 'temperature', 'topP'],
    ...ANTHROPIC_ERRORS,
  },
  {
    name: 'google',
    load: loaded('google/gemini-2.5-flash'),
    ...content('gemini-2.5-flash', { thinkingConfig: { thinkingBudget: 0 } }),
    unsupported: ['frequencyPenalty', 'presencePenalty'],
    ...GOOGLE_ERRORS,
  },
  {
    name: 'google, a newer model',
    load: loaded('google/gemini-3.5-flash'),
    ...content('gemini-3.5-flash', {
      frequencyPenalty: 0.3,
      presencePenalty: 0.2,
      thinkingConfig: { thinkingLevel: 'minimal' },
    }),
    unsupported: [],
    ...GOOGLE_ERRORS,
  },
  {
    name: 'ollama',
    load: loaded('ollama/qwen3'),
    ...chat({
      model: 'qwen3',
      messages: [{ role: 'system', content: 'Be brief.' }, QUESTION],
      seed: 7,
      reasoning_effort: 'none',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', strict: true, schema: SCHEMA },
      },
    }),
    unsupported: [],
    outOfQuota: { type: 'status', status: 402, message: 'you have reached your usage limit' },
    tooLong: {
      type: 'status',
      status: 400,
      message: 'request (5000 tokens) exceeds the available context size (4096 tokens)',
    },
  },
  {
    name: 'deepseek',
    load: loaded('deepseek/deepseek-chat'),
    ...chat({
      model: 'deepseek-chat',
      messages: [
        {
          role: 'system',
          content: `Be brief.\n\nAnswer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(SCHEMA)}`,
        },
        QUESTION,
      ],
      thinking: { type: 'disabled' },
      response_format: { type: 'json_object' },
    }),
    unsupported: ['seed'],
    outOfQuota: { type: 'status', status: 402, message: 'Insufficient Balance' },
    tooLong: {
      type: 'status',
      status: 400,
      message: 'This model’s maximum context length is 131072 tokens.',
      code: 'invalid_request_error',
    },
  },
]
