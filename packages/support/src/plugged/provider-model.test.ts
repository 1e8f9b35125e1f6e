import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { EchelonError } from '../../../echelon/src/core/value/error.ts'
import { userMessage } from '../../../echelon/src/core/message/thread.ts'
import { modelContract } from '../../../echelon/src/testing/contract/model-contract.ts'
import type { LLMProvider } from '../primitives/llm-provider.ts'
import { MockLLMProvider } from '../mock-llm-provider.ts'
import { modelOfProvider } from './provider-model.ts'

const ASK: LanguageModelV4CallOptions = { prompt: [userMessage('hello')] }
const ALWAYS = Array.from({ length: 10 }, () => 'hello')

for (const { name, holds } of modelContract(
  () => modelOfProvider(new MockLLMProvider(ALWAYS), 'mock/one').model,
)) {
  test(`a provider as a model: ${name} [S-4]`, holds)
}

test('the provider receives what the runtime asks of a model [S-4]', async () => {
  const provider = new MockLLMProvider([{ toolCalls: [{ toolName: 'a', params: { b: 1 } }] }])
  const { signal } = new AbortController()
  const { model } = modelOfProvider(provider, 'mock/a/b')
  assert.deepEqual([model.provider, model.modelId], ['mock', 'a/b'])
  const inputSchema = { type: 'object', properties: {} } as const
  const called = { type: 'tool-call', toolCallId: 'call-1', toolName: 'a', input: {} } as const
  const { content, finishReason } = await model.doGenerate({
    prompt: [...ASK.prompt, { role: 'assistant', content: [called] }],
    tools: [{ type: 'function', name: 'a', inputSchema }],
    responseFormat: { type: 'json', name: 'reading', schema: inputSchema },
    temperature: 0,
    maxOutputTokens: 9,
    abortSignal: signal,
  })
  assert.deepEqual(provider.calls[0]?.options, {
    tools: [{ name: 'a', description: '', parameters: inputSchema }],
    responseFormat: { name: 'reading', jsonSchema: inputSchema },
    temperature: 0,
    maxTokens: 9,
    signal,
  })
  assert.deepEqual(content, [
    { type: 'tool-call', toolCallId: 'call-2', toolName: 'a', input: '{"b":1}' },
  ])
  assert.equal(finishReason.unified, 'tool-calls')
})

test('usage is reported in its parts, or estimated from its sum', async () => {
  const rows = [
    [{ content: 'x', usage: { input: 7, output: 3 }, tokensUsed: 10 }, 7, 3],
    [{ content: 'x'.repeat(40), tokensUsed: 100 }, 90, 10],
    [{ content: 'x'.repeat(40), tokensUsed: 4 }, 0, 4],
  ] as const
  for (const [answer, input, output] of rows) {
    const { model } = modelOfProvider(new MockLLMProvider([answer]), 'mock/one')
    const { usage } = await model.doGenerate(ASK)
    assert.deepEqual([usage.inputTokens.total, usage.outputTokens.total], [input, output])
  }
})

test('a price that is not an amount is unknown', () => {
  const rows = [
    [() => 2, 2],
    [() => null, null],
    [() => Number.NaN, null],
    [() => -1, null],
  ] as const
  for (const [price, expected] of rows) {
    const bound = modelOfProvider(new MockLLMProvider([], { price }), 'mock/one')
    assert.equal(bound.price({ input: 1, output: 1 }), expected)
  }
})

test("errors pass through, and Echelon's own are mapped to their meaning", async () => {
  const error = new Error('socket hang up')
  const { model, normalizeError } = modelOfProvider(new MockLLMProvider([error]), 'mock/one')
  await assert.rejects(async () => await model.doGenerate(ASK), error)
  assert.equal(normalizeError?.(error), undefined)
  const rows = [
    ['MISSING_KEY', 'auth'],
    ['MISSING_PACKAGE', 'not-found'],
    ['UNKNOWN_MODEL', 'not-found'],
    ['UNEXPECTED_CALL', undefined],
  ] as const
  for (const [code, type] of rows) {
    assert.equal(normalizeError?.(new EchelonError(code, 'a sentence'))?.type, type)
  }
})

test('a provider in a few lines of its own is a model too', async () => {
  const own: LLMProvider = {
    generate: async () => ({
      content: 'hi',
      toolCalls: [],
      model: 'own',
      tokensUsed: 3,
      latencyMs: 1,
    }),
    getCost: () => null,
  }
  const { content } = await modelOfProvider(own, 'own/one').model.doGenerate(ASK)
  assert.deepEqual(content, [{ type: 'text', text: 'hi' }])
})
