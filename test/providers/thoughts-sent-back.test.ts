import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import type { BoundModel, ProviderSettings } from '../../packages/echelon/src/core/model/model.ts'
import {
  type AssistantContent,
  type Message,
  userMessage,
} from '../../packages/echelon/src/core/message/thread.ts'
import { createRegistry, standardProviders } from '../../packages/echelon/src/providers/registry.ts'
import {
  type ModelAnswer,
  readResult,
  readStream,
} from '../../packages/echelon/src/runtime/model/model-answer.ts'
import {
  type LocalModelServer,
  type ServerAnswer,
  startModelServer,
} from '../../packages/echelon/src/testing/local-model-server.ts'

const THINKS: ServerAnswer = {
  type: 'reply',
  thought: 'I have to look.',
  text: ['Let me ', 'see.'],
  toolCalls: [{ tool: 'weather', input: { city: 'Seattle' } }],
  usage: { input: 10, output: 9, reasoning: 4 },
}
const ANSWERS: ServerAnswer = { type: 'reply', text: ['Rain.'] }

const WEATHER: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
}
const QUESTION = userMessage('What is the weather in Seattle?')

const modelAt = async (
  { baseUrl }: LocalModelServer,
  name: string,
  more: ProviderSettings = {},
): Promise<BoundModel> => {
  const [key = ''] = name.split('/')
  const settings = { [key]: { baseUrl, apiKey: 'k', ...more } }
  return await createRegistry(standardProviders).resolve(name, settings)
}

async function ask(
  { model }: BoundModel,
  prompt: Message[],
  streams: boolean,
  more: Partial<LanguageModelV4CallOptions> = {},
): Promise<ModelAnswer> {
  const options = { prompt, tools: [WEATHER], maxOutputTokens: 4000, ...more }
  if (!streams) return readResult(await model.doGenerate(options))
  return await readStream((await model.doStream(options)).stream, () => undefined)
}

/** An answer as a conversation keeps it, through JSON as in a journal. */
function kept(answer: ModelAnswer): Message {
  assert.ok(answer.content !== undefined, 'the answer holds more than text and calls')
  const content: AssistantContent = JSON.parse(JSON.stringify(answer.content))
  return { role: 'assistant', content }
}

const resultOf = ({ calls: [call] }: ModelAnswer): Message => {
  assert.ok(call !== undefined)
  const output = { type: 'text', value: 'rain' } as const
  const result = { type: 'tool-result', toolCallId: call.id, toolName: call.tool, output } as const
  return { role: 'tool', content: [result] }
}

/** The second request of a turn in which a model reasons, calls a tool and gets its result. */
async function secondRequest(name: string, streams: boolean): Promise<JsonObject> {
  await using server = await startModelServer([THINKS, ANSWERS])
  const model = await modelAt(server, name, { reasoning: 'low' })
  const first = await ask(model, [QUESTION], streams)
  assert.deepEqual([first.text, first.calls.length], ['Let me see.', 1])
  const second = await ask(model, [QUESTION, kept(first), resultOf(first)], streams)
  assert.equal(second.text, 'Rain.')
  return server.requests[1]?.body ?? {}
}

for (const streams of [false, true]) {
  const way = streams ? 'streamed' : 'at once'

  test(`[C-9] openai: encrypted reasoning is sent back in its place, ${way}`, async () => {
    await using server = await startModelServer([THINKS, ANSWERS])
    const model = await modelAt(server, 'openai/gpt-5-nano', { api: 'responses' })
    const first = await ask(model, [QUESTION], streams)
    await ask(model, [QUESTION, kept(first), resultOf(first)], streams)
    const [, second] = server.requests
    assert.equal(second?.body['store'], false)
    assert.deepEqual(second.body['input'], [
      { role: 'user', content: [{ type: 'input_text', text: 'What is the weather in Seattle?' }] },
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'cipher-1', summary: [] },
      { role: 'assistant', content: 'Let me see.' },
      {
        type: 'function_call',
        call_id: 'call-1-1',
        name: 'weather',
        arguments: '{"city":"Seattle"}',
      },
      { type: 'function_call_output', call_id: 'call-1-1', output: 'rain' },
    ])
  })

  test(`[C-9] anthropic: reasoning is sent back with its signature, ${way}`, async () => {
    const { messages } = await secondRequest('anthropic/claude-sonnet-4-5', streams)
    assert.ok(Array.isArray(messages))
    assert.deepEqual(messages[1], {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I have to look.', signature: 'signature-1' },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'toolu_1_1', name: 'weather', input: { city: 'Seattle' } },
      ],
    })
  })

  test(`[C-9] google: a signature is sent back with its call, ${way}`, async () => {
    const { contents } = await secondRequest('google/gemini-3-flash-preview', streams)
    assert.ok(Array.isArray(contents))
    const { parts } = contents[1]
    assert.deepEqual(parts.at(-1), {
      functionCall: {
        name: 'weather',
        args: { city: 'Seattle' },
        id: parts.at(-1).functionCall.id,
      },
      thoughtSignature: 'signature-1',
    })
  })
}

test("[C-9] [C-5] after a switch no model gets another one's reasoning", async () => {
  const claude = 'anthropic/claude-sonnet-4-5'
  const others = ['google/gemini-3-flash-preview', 'openai/gpt-5-nano', 'groq/qwen', 'mistral/m']
  for (const next of others) {
    await using server = await startModelServer([THINKS, ANSWERS])
    const first = await ask(await modelAt(server, claude, { reasoning: 'low' }), [QUESTION], false)
    const model = await modelAt(server, next)
    const second = await ask(model, [QUESTION, kept(first), resultOf(first)], true)
    assert.equal(second.text, 'Rain.')
    const sent = JSON.stringify(server.requests[1]?.body)
    assert.match(sent, /Let me see\./)
    assert.doesNotMatch(sent, /I have to look|signature-1/, next)
    const loud = second.warnings.map((warning) => JSON.stringify(warning)).join()
    assert.doesNotMatch(loud, /easoning part|I have to look/, next)
  }
})

test('[C-5] after a switch between tool calls Claude is not asked to reason, which it would reject', async () => {
  await using server = await startModelServer([THINKS, ANSWERS, ANSWERS])
  const first = await ask(await modelAt(server, 'openai/gpt-5-nano'), [QUESTION], false)
  const claude = await modelAt(server, 'anthropic/claude-sonnet-4-5', { reasoning: 'low' })
  const { text, calls } = first
  const call = calls.map(({ id, tool, input }) => {
    return { type: 'tool-call', toolCallId: id, toolName: tool, input } as const
  })
  const said: Message = { role: 'assistant', content: [{ type: 'text', text }, ...call] }
  const amid = [QUESTION, said, resultOf(first)]
  const second = await ask(claude, amid, true)
  assert.match(JSON.stringify(second.warnings), /thinking resumes with the next turn/)
  await ask(claude, [...amid, userMessage('And tomorrow?')], true)
  const [, now, later] = server.requests
  assert.equal(now?.body['thinking'], undefined)
  assert.deepEqual(later?.body['thinking'], { type: 'enabled', budget_tokens: 1024 })
})

test('[C-9] reasoning is sent only to chat completions servers that require it', async () => {
  const rows = [
    ['deepseek/deepseek-chat', 'I have to look.'],
    ['groq/qwen', undefined],
    ['ollama/qwen', undefined],
    ['openai-compatible/x', undefined],
  ] as const
  for (const [name, thought] of rows) {
    for (const streams of [false, true]) {
      const { messages } = await secondRequest(name, streams)
      assert.ok(Array.isArray(messages))
      assert.equal(messages[1].content, 'Let me see.')
      assert.equal(messages[1].reasoning_content, thought, name)
    }
  }
})

test('[C-9] a conversation stored by openai is continued by the response id', async () => {
  await using server = await startModelServer([THINKS, ANSWERS])
  const model = await modelAt(server, 'openai/gpt-5-nano', { api: 'responses', store: true })
  const { conversation } = model
  assert.ok(conversation !== undefined)
  const first = await ask(model, [QUESTION], true)
  const id = conversation.idOf(first.metadata)
  assert.equal(id, 'resp_1')
  await ask(model, [resultOf(first)], false, { providerOptions: conversation.options(id) })
  const [, second] = server.requests
  assert.equal(second?.body['store'], true)
  assert.equal(second.body['previous_response_id'], 'resp_1')
  assert.deepEqual(second.body['input'], [
    { type: 'function_call_output', call_id: 'call-1-1', output: 'rain' },
  ])
})

test('[C-9] a stored conversation that is not continued is sent in full, without ids', async () => {
  await using server = await startModelServer([THINKS, ANSWERS])
  const model = await modelAt(server, 'openai/gpt-5-nano', { api: 'responses', store: true })
  const first = await ask(model, [QUESTION], false)
  const { warnings } = await ask(model, [QUESTION, kept(first), resultOf(first)], false)
  assert.deepEqual(warnings, [])
  const sent = JSON.stringify(server.requests[1]?.body)
  assert.match(sent, /Let me see\./)
  assert.doesNotMatch(sent, /item_reference|rs_1|msg_1/)
})

test('[C-9] nothing is stored by default, or if an answer has no id', async () => {
  await using server = await startModelServer([ANSWERS])
  const model = await modelAt(server, 'openai/gpt-5-nano', { api: 'chat', store: true })
  const { conversation } = model
  assert.ok(conversation !== undefined)
  const answer = await ask(model, [QUESTION], false)
  assert.equal(conversation.idOf(answer.metadata), undefined)
  for (const metadata of [
    undefined,
    null,
    'x',
    {},
    { openai: {} },
    { openai: { responseId: 1 } },
  ]) {
    assert.equal(conversation.idOf(metadata), undefined)
  }
  assert.equal((await modelAt(server, 'openai/gpt-5-nano')).conversation, undefined)
})
