import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import { NO_DIALOGUE } from '../../packages/support/src/turn/dialogue.ts'
import { userMessage, systemMessage } from '../../packages/echelon/src/core/message/thread.ts'
import {
  AnthropicProvider,
  classificationPrompt,
  type GenerateOptions,
  type LLMProvider,
  MockLLMProvider,
  ModelProvider,
  modelOfProvider,
  OpenAIProvider,
  type PromptMessage,
  readClassification,
} from '@echelon/support'
import { llmProviderContract } from '@echelon/support/testing'
import { type LocalModelServer, type ServerAnswer, startModelServer } from 'echelon/testing'

const OFFERED = {
  name: 'check_order_status',
  description: 'Where an order is',
  parameters: {
    type: 'object',
    properties: { order_id: { type: 'string' } },
    required: ['order_id'],
    additionalProperties: false,
  },
}
const FORMAT = {
  name: 'reading',
  jsonSchema: {
    type: 'object',
    properties: { intent_id: { type: 'string', enum: ['order_status', 'none'] } },
    required: ['intent_id'],
    additionalProperties: false,
  },
}
const MESSAGES: readonly PromptMessage[] = [
  systemMessage('You read messages.'),
  userMessage('I want to check my order'),
  { role: 'assistant', content: [{ type: 'text', text: "What's your order ID?" }] },
  userMessage('O-12345'),
]
const REPLY: ServerAnswer = { type: 'reply', text: ['It is ', 'shipped'] }
const CALLED: ServerAnswer = {
  type: 'reply',
  toolCalls: [{ tool: OFFERED.name, input: { order_id: 'O-12345' } }],
}

const openai = ({ baseUrl }: LocalModelServer, model = 'gpt-4o-mini') =>
  new OpenAIProvider({ model, apiKey: 'test-key', baseUrl })
const anthropic = ({ baseUrl }: LocalModelServer) =>
  new AnthropicProvider({ model: 'claude-haiku-4-5', apiKey: 'test-key', baseUrl })

/** The body of one request, and the result. */
async function exchange(
  open: (server: LocalModelServer) => LLMProvider,
  reply: ServerAnswer,
  options: GenerateOptions,
) {
  await using server = await startModelServer([reply])
  const response = await open(server).generate(MESSAGES, options)
  const [request] = server.requests
  assert.ok(request !== undefined)
  const body: JsonObject = request.body
  return { body, path: request.path, response }
}

test('OpenAI’s package sends messages, tools, temperature and a limit [S-4]', async () => {
  const options = { tools: [OFFERED], temperature: 0.2, maxTokens: 300 }
  const { body, path, response } = await exchange(openai, CALLED, options)
  assert.equal(path, '/v1/chat/completions')
  assert.equal(body['model'], 'gpt-4o-mini')
  assert.deepEqual(body['messages'], [
    { role: 'system', content: 'You read messages.' },
    { role: 'user', content: 'I want to check my order' },
    { role: 'assistant', content: "What's your order ID?" },
    { role: 'user', content: 'O-12345' },
  ])
  const { name, description, parameters } = OFFERED
  assert.deepEqual(body['tools'], [
    { type: 'function', function: { name, description, parameters, strict: true } },
  ])
  assert.equal(body['temperature'], 0.2)
  assert.equal(body['max_tokens'], 300)
  assert.equal(body['response_format'], undefined)
  assert.deepEqual(response.toolCalls, [{ toolName: name, params: { order_id: 'O-12345' } }])
  assert.equal(response.content, null)
  assert.equal(response.tokensUsed, 15)
  assert.deepEqual(response.usage, { input: 10, output: 5 })
  assert.ok(response.latencyMs >= 0)
})

test('OpenAI’s package sends the format of a reading, held to strictly [S-4] [S-9]', async () => {
  const reply: ServerAnswer = { type: 'reply', text: ['{"intent_id":"none"}'] }
  const { body, response } = await exchange(openai, reply, { responseFormat: FORMAT })
  assert.deepEqual(body['response_format'], {
    type: 'json_schema',
    json_schema: { name: 'reading', schema: FORMAT.jsonSchema, strict: true },
  })
  assert.equal(body['tools'], undefined)
  assert.equal(body['temperature'], undefined)
  assert.equal(response.content, '{"intent_id":"none"}')
  assert.deepEqual(response.toolCalls, [])
})

test('a reading has a strict schema on the wire, and is parsed from the response [S-9]', async () => {
  const intent = {
    id: 'order_status',
    description: 'Where an order is',
    requiredParams: ['order_id'],
    tool: OFFERED.name,
    constraints: { channels: [], rollout: 100, minTier: null },
    params: {},
    optionalParams: [],
    examples: [],
    wording: { pre: '', post: '', postByStatus: {}, confirm: '' },
    tools: [],
    confirm: false,
  }
  const { messages, schema } = classificationPrompt({
    intents: [intent],
    history: [],
    dialogue: NO_DIALOGUE,
    text: "Where's my order O-12345?",
  })
  const answer = {
    intent_id: 'order_status',
    extracted_params: { order_id: 'O-12345' },
    missing_params: [],
    confidence: 0.97,
    act: 'wish',
    further_intents: [],
  }
  for (const open of [openai, anthropic]) {
    await using server = await startModelServer([{ type: 'reply', text: [JSON.stringify(answer)] }])
    const responseFormat = { name: 'reading', jsonSchema: schema }
    const { content } = await open(server).generate(messages, { responseFormat })
    const body = JSON.stringify(server.requests[0]?.body)
    assert.match(body, /O-12345/)
    assert.match(body, /"enum":\["order_status","none"\]/)
    if (open === openai) assert.match(body, /"strict":true/)
    assert.deepEqual(readClassification(content ?? '', [intent]), {
      commands: [
        {
          type: 'start-task',
          intentId: 'order_status',
          params: { order_id: 'O-12345' },
          confidence: 0.97,
        },
      ],
      confidence: 0.97,
      reasoning: 'the model read: order_status',
    })
  }
})

test('Anthropic’s package sends the same in its own format [S-4]', async () => {
  const options = { tools: [OFFERED], temperature: 0.2, maxTokens: 300 }
  const { body, path, response } = await exchange(anthropic, CALLED, options)
  assert.equal(path, '/v1/messages')
  assert.match(JSON.stringify(body['system']), /You read messages/)
  assert.match(JSON.stringify(body['messages']), /check my order.*order ID.*O-12345/)
  assert.match(JSON.stringify(body['tools']), /"name":"check_order_status".*"order_id"/)
  assert.equal(body['temperature'], 0.2)
  assert.equal(body['max_tokens'], 300)
  assert.deepEqual(response.toolCalls, [
    { toolName: OFFERED.name, params: { order_id: 'O-12345' } },
  ])
  assert.equal(response.tokensUsed, 15)
  const reading = await exchange(
    anthropic,
    { type: 'reply', text: ['{"intent_id":"none"}'] },
    {
      responseFormat: FORMAT,
    },
  )
  assert.match(JSON.stringify(reading.body), /"intent_id"/)
})

test('parameters that are not JSON are dropped, and the answer says so [S-4]', async () => {
  const reply: ServerAnswer = {
    type: 'reply',
    toolCalls: [{ tool: OFFERED.name, input: 'order O-12345' }],
  }
  const { response } = await exchange(openai, reply, { tools: [OFFERED] })
  assert.deepEqual(response.toolCalls, [{ toolName: OFFERED.name, params: {} }])
  assert.match(response.warnings?.join() ?? '', /check_order_status/)
})

test('the cost follows the price list, before the first call too; unknown is null [S-4]', () => {
  const key = { apiKey: 'test-key' }
  const cost = new OpenAIProvider({ model: 'gpt-4o-mini', ...key }).getCost(1_000_000, 1_000_000)
  assert.equal(cost, 0.75)
  const claude = new AnthropicProvider(key).getCost(1_000_000, 0)
  assert.ok(claude !== null && claude > 0)
  assert.equal(new OpenAIProvider({ model: 'my-own', ...key }).getCost(1, 1), null)
  const price = { inputPerMillion: 2, outputPerMillion: 4 }
  assert.equal(new OpenAIProvider({ model: 'my-own', price, ...key }).getCost(1e6, 1e6), 6)
})

test("a server's refusal is thrown unchanged, and reported plainly as a run's model", async () => {
  const refused: ServerAnswer = {
    type: 'status',
    status: 429,
    message: 'all spent',
    code: 'insufficient_quota',
  }
  await using server = await startModelServer([refused, refused])
  const provider = openai(server)
  await assert.rejects(provider.generate(MESSAGES), { statusCode: 429 })
  const bound = modelOfProvider(provider, 'x/y')
  assert.equal(bound.id, 'openai/gpt-4o-mini')
  await assert.rejects(
    async () => await bound.model.doGenerate({ prompt: [...MESSAGES] }),
    (error) => {
      assert.equal(bound.normalizeError?.(error)?.type, 'quota')
      return true
    },
  )
})

test('without a key the first call says what to do, and a later one tries again', async () => {
  for (const [Provider, variable] of [
    [OpenAIProvider, 'OPENAI_API_KEY'],
    [AnthropicProvider, 'ANTHROPIC_API_KEY'],
  ] as const) {
    const provider = new Provider({ apiKey: ' ' })
    const sentence = { code: 'MISSING_KEY', message: new RegExp(variable) }
    await assert.rejects(provider.generate(MESSAGES), sentence)
    await assert.rejects(provider.generate(MESSAGES), sentence)
    const { model, normalizeError } = modelOfProvider(provider, 'x/y')
    await assert.rejects(
      async () => await model.doGenerate({ prompt: [...MESSAGES] }),
      (error) => normalizeError?.(error)?.type === 'auth',
    )
  }
})

test('one of our providers is passed on as its own model, and streams', async () => {
  await using server = await startModelServer([REPLY])
  const { model } = modelOfProvider(openai(server), 'x/y')
  const pieces: string[] = []
  for await (const part of (await model.doStream({ prompt: [...MESSAGES] })).stream) {
    if (part.type === 'text-delta') pieces.push(part.delta)
  }
  assert.deepEqual(pieces, ['It is ', 'shipped'])
  assert.equal(server.requests[0]?.body['stream'], true)
})

test('a model of Echelon’s needs no provider around it', () => {
  const { bound } = new OpenAIProvider({ model: 'gpt-4o-mini', apiKey: 'test-key' })
  assert.equal(modelOfProvider(bound, 'x/y'), bound)
})

test('a custom provider that uses another one is called itself', async () => {
  const inner = new ModelProvider(modelOfProvider(new MockLLMProvider(['hello']), 'mock/one'))
  const polite: LLMProvider = {
    generate: async (...asked) => {
      const response = await inner.generate(...asked)
      return { ...response, content: `Dear customer: ${response.content}` }
    },
    getCost: inner.getCost,
  }
  const bound = modelOfProvider(polite, 'polite/one')
  const { content } = await bound.model.doGenerate({ prompt: [...MESSAGES] })
  assert.deepEqual(content, [{ type: 'text', text: 'Dear customer: hello' }])
})

test('a subclass cannot override the answer, since no router would call it', () => {
  class Mute extends ModelProvider {
    // @ts-expect-error a method does not override a field
    override async generate() {
      return { content: '', toolCalls: [], model: 'mute', tokensUsed: 0, latencyMs: 0 }
    }
  }
  const mute = new Mute(modelOfProvider(new MockLLMProvider(['hello']), 'mock/one'))
  assert.ok(Object.hasOwn(mute, 'generate'))
})

for (const [name, open] of [
  ['OpenAIProvider', openai],
  ['AnthropicProvider', anthropic],
] as const) {
  const opened: LocalModelServer[] = []
  const cases = llmProviderContract(async () => {
    const server = await startModelServer([REPLY, REPLY])
    opened.push(server)
    return open(server)
  })
  for (const { name: what, holds } of cases) {
    test(`${name}: ${what} [S-4]`, async () => {
      try {
        await holds()
      } finally {
        for (const server of opened.splice(0)) await server.close()
      }
    })
  }
}

for (const { name, holds } of llmProviderContract(() => new MockLLMProvider(['a', 'b']))) {
  test(`MockLLMProvider: ${name} [S-4]`, holds)
}
