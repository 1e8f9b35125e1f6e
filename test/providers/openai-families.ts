import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import type { BoundModel, ProviderSettings } from '../../packages/echelon/src/core/model/model.ts'
import { openaiProvider } from '../../packages/echelon/src/providers/openai.ts'
import type { LocalModelServer } from '../../packages/echelon/src/testing/local-model-server.ts'
import { type Family, SCHEMA } from './family.ts'

const loaded =
  (modelId: string, settings: ProviderSettings = {}) =>
  async ({ baseUrl }: LocalModelServer): Promise<BoundModel> =>
    await openaiProvider().load(modelId, {
      baseUrl,
      apiKey: 'test-key',
      reasoning: 'least',
      ...settings,
    })

const OPENAI_ERRORS: Pick<Family, 'outOfQuota' | 'tooLong'> = {
  outOfQuota: { type: 'status', status: 429, code: 'insufficient_quota', message: 'pay first' },
  tooLong: { type: 'status', status: 400, code: 'context_length_exceeded', message: 'too long' },
}

const STREAM = { stream: true, stream_options: { include_usage: true } } as const

const at = (path: string, body: JsonObject, stream: JsonObject = STREAM) => ({
  request: { path, body },
  streamRequest: { path, body: { ...body, ...stream } },
})

const CHAT_FORMAT = {
  type: 'json_schema',
  json_schema: { name: 'answer', strict: true, schema: SCHEMA },
} as const
const QUESTION = { role: 'user', content: 'how much is 15 * 23?' } as const

/** OpenAI's three APIs, and for chat both kinds of models. */
export const OPENAI_FAMILIES: readonly Family[] = [
  {
    name: 'openai completions',
    load: loaded('gpt-3.5-turbo-instruct'),
    ...at('/v1/completions', {
      model: 'gpt-3.5-turbo-instruct',
      prompt: 'Be brief.\n\nuser:\nhow much is 15 * 23?\n\nassistant:\n',
      max_tokens: 500,
      temperature: 0.1,
      top_p: 0.9,
      frequency_penalty: 0.3,
      presence_penalty: 0.2,
      stop: ['\nuser:', 'END'],
      seed: 7,
    }),
    unsupported: ['responseFormat'],
    ...OPENAI_ERRORS,
  },
  {
    name: 'openai chat',
    load: loaded('gpt-4.1-nano'),
    ...at('/v1/chat/completions', {
      model: 'gpt-4.1-nano',
      messages: [{ role: 'system', content: 'Be brief.' }, QUESTION],
      max_tokens: 500,
      temperature: 0.1,
      top_p: 0.9,
      frequency_penalty: 0.3,
      presence_penalty: 0.2,
      stop: ['END'],
      seed: 7,
      store: false,
      response_format: CHAT_FORMAT,
    }),
    unsupported: [],
    ...OPENAI_ERRORS,
  },
  {
    name: 'openai chat, a reasoning model',
    load: loaded('gpt-5-nano', { api: 'chat' }),
    ...at('/v1/chat/completions', {
      model: 'gpt-5-nano',
      messages: [{ role: 'developer', content: 'Be brief.' }, QUESTION],
      max_completion_tokens: 500,
      reasoning_effort: 'minimal',
      seed: 7,
      store: false,
      response_format: CHAT_FORMAT,
    }),
    unsupported: ['stopSequences', 'temperature', 'topP', 'frequencyPenalty', 'presencePenalty'],
    ...OPENAI_ERRORS,
  },
  {
    name: 'openai responses',
    load: loaded('gpt-5-nano', { api: 'responses' }),
    ...at(
      '/v1/responses',
      {
        model: 'gpt-5-nano',
        input: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'input_text', text: 'how much is 15 * 23?' }] },
        ],
        max_output_tokens: 500,
        reasoning: { effort: 'minimal' },
        store: false,
        include: ['reasoning.encrypted_content'],
        text: { format: { type: 'json_schema', name: 'answer', strict: true, schema: SCHEMA } },
      },
      { stream: true },
    ),
    unsupported: [
      'seed',
      'presencePenalty',
      'frequencyPenalty',
      'stopSequences',
      'temperature',
      'topP',
    ],
    ...OPENAI_ERRORS,
  },
]
