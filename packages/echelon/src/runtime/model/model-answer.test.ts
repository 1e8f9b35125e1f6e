import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { type ModelAnswer, readResult, readStream } from './model-answer.ts'

const ASKED = { prompt: [] }
type Script = Parameters<typeof scriptedModel>[0]

/** The same script, streamed or not. */
async function bothWays(script: Script): Promise<readonly ModelAnswer[]> {
  const { stream } = await scriptedModel(script).doStream(ASKED)
  return [
    readResult(await scriptedModel(script).doGenerate(ASKED)),
    await readStream(stream, () => undefined),
  ]
}

test('an answer is the same streamed or not', async () => {
  const scripts: readonly Script[] = [
    ['345'],
    [{ text: ['3', '4', '5'], usage: { input: 7, output: 3 }, finishReason: 'length' }],
    [
      {
        text: 'let me see',
        toolCalls: [
          { tool: 'add', input: { a: 1 } },
          { tool: 'add', input: { a: 2 } },
        ],
      },
    ],
    [{ usage: null }],
  ]
  for (const script of scripts) {
    const [atOnce, streamed] = await bothWays(script)
    assert.ok(atOnce !== undefined)
    assert.deepEqual(streamed, atOnce)
  }
})

test('text, calls, finish and usage are read', async () => {
  for (const answer of await bothWays([
    { text: ['3', '45'], toolCalls: [{ id: 'x', tool: 'add', input: { a: [1] } }] },
  ])) {
    assert.deepEqual(answer, {
      text: '345',
      calls: [{ id: 'x', tool: 'add', input: { a: [1] } }],
      finish: 'tool-calls',
      usage: { input: 10, output: 5 },
      warnings: [],
    })
  }
})

test('an answer without content, reason and usage is a retryable failure', async () => {
  const none = [{ finishReason: 'other', usage: null }] as const
  const result = await scriptedModel(none).doGenerate(ASKED)
  assert.throws(() => readResult(result), { name: 'AI_APICallError' })
  const [spent] = await bothWays([{ finishReason: 'other' }])
  assert.equal(spent?.text, '')
})

test('arguments that are not JSON stay text, and missing ones are an empty object', async () => {
  const inputs = ['{"a": ', '', '  ', '5', '"text"', 'null', '{"a":1}']
  const toolCalls = inputs.map((input) => ({ tool: 'add', input }))
  const [answer] = await bothWays([{ toolCalls }])
  assert.deepEqual(
    answer?.calls.map(({ input }) => input),
    ['{"a": ', {}, {}, 5, 'text', null, { a: 1 }],
  )
})

test('missing or partial usage is unknown', async () => {
  const [answer] = await bothWays([{ text: '1', usage: null }])
  assert.equal(answer?.usage, undefined)
})

test('each piece of a stream is passed on as it arrives', async () => {
  const heard: string[] = []
  const { stream } = await scriptedModel([{ text: ['3', '', '45'] }]).doStream(ASKED)
  await readStream(stream, (delta) => heard.push(delta))
  assert.deepEqual(heard, ['3', '', '45'])
})

test('[C-21] a stream that breaks, reports an error or has no end is a failure', async () => {
  const error = new Error('cut')
  for (const as of ['cut', 'part'] as const) {
    const { stream } = await scriptedModel([{ error, after: ['3'], as }]).doStream(ASKED)
    await assert.rejects(
      readStream(stream, () => undefined),
      error,
    )
  }
  const endless: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-delta', id: '1', delta: '3' },
  ]
  await assert.rejects(
    readStream(ReadableStream.from(endless), () => undefined),
    { name: 'AI_APICallError', message: 'the stream ended before the answer did' },
  )
})

test('a listener can end the stream', async () => {
  let given = 0
  const endless = new ReadableStream<LanguageModelV4StreamPart>({
    pull(controller) {
      controller.enqueue({ type: 'text-delta', id: '1', delta: String(given++) })
    },
  })
  const reading = readStream(endless, (delta) => {
    if (delta === '3') throw new Error('enough')
  })
  await assert.rejects(reading, { message: 'enough' })
  const before = given
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(given, before)
})

test('an answer is complete with its finish part, even if its stream stays open', async () => {
  let canceled = false
  const open = new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      controller.enqueue({ type: 'text-delta', id: '1', delta: 'all' })
      controller.enqueue(END)
    },
    cancel: async () => {
      canceled = true
      await new Promise(() => undefined)
    },
  })
  assert.equal((await readStream(open, () => undefined)).text, 'all')
  assert.ok(canceled)
})

test('warnings are kept', async () => {
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [{ type: 'other', message: 'no seed' }] },
    {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
    },
  ]
  const answer = await readStream(ReadableStream.from(parts), () => undefined)
  assert.deepEqual(answer.warnings, [{ type: 'other', message: 'no seed' }])
  assert.equal(answer.usage, undefined, 'half a usage is none')
})

const USAGE = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
}
const END: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: USAGE,
  providerMetadata: { some: { responseId: 'r-1' } },
}

async function* streaming(
  ...parts: readonly LanguageModelV4StreamPart[]
): AsyncGenerator<LanguageModelV4StreamPart> {
  await Promise.resolve()
  yield* parts
}

const read = async (...parts: readonly LanguageModelV4StreamPart[]): Promise<ModelAnswer> =>
  await readStream(streaming(...parts, END), () => undefined)

test('[C-9] parts other than text and calls are kept in order for the next prompt', async () => {
  const signed = { maker: { signature: 's' } }
  const answer = await read(
    { type: 'reasoning-start', id: '1', providerMetadata: { maker: { itemId: 'rs' } } },
    { type: 'text-start', id: '1' },
    { type: 'reasoning-delta', id: '1', delta: 'it ' },
    { type: 'text-delta', id: '1', delta: 'a' },
    { type: 'reasoning-delta', id: '1', delta: 'rains', providerMetadata: signed },
    { type: 'reasoning-end', id: '1' },
    { type: 'text-delta', id: '1', delta: 'b' },
    { type: 'text-end', id: '1', providerMetadata: { maker: { phase: 'final' } } },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
    { type: 'tool-input-start', id: 'c1', toolName: 'add' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: '{"a":1}' },
    {
      type: 'tool-call',
      toolCallId: 'c2',
      toolName: 'search',
      input: '{}',
      providerExecuted: true,
      providerMetadata: signed,
    },
    { type: 'tool-result', toolCallId: 'c2', toolName: 'search', result: 'so', preliminary: true },
    { type: 'tool-result', toolCallId: 'c2', toolName: 'search', result: 'sought' },
    { type: 'tool-result', toolCallId: 'c3', toolName: 'search', result: 'no', isError: true },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2]) } },
    { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'AQI=' } },
    { type: 'custom', kind: 'maker.memory', providerMetadata: signed },
    { type: 'text-start', id: '2' },
    { type: 'text-end', id: '2' },
  )
  assert.equal(answer.text, 'ab')
  assert.deepEqual(answer.calls, [{ id: 'c1', tool: 'add', input: { a: 1 } }])
  assert.deepEqual(answer.metadata, { some: { responseId: 'r-1' } })
  const value = (type: 'json' | 'error-json', result: string) => ({ type, value: result })
  assert.deepEqual(answer.content, [
    { type: 'reasoning', text: 'it rains', providerOptions: signed },
    { type: 'text', text: 'ab', providerOptions: { maker: { phase: 'final' } } },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: { a: 1 } },
    {
      type: 'tool-call',
      toolCallId: 'c2',
      toolName: 'search',
      input: {},
      providerExecuted: true,
      providerOptions: signed,
    },
    {
      type: 'tool-result',
      toolCallId: 'c2',
      toolName: 'search',
      output: value('json', 'sought'),
    },
    {
      type: 'tool-result',
      toolCallId: 'c3',
      toolName: 'search',
      output: value('error-json', 'no'),
    },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQI=' } },
    { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'AQI=' } },
    { type: 'custom', kind: 'maker.memory', providerOptions: signed },
  ])
})

test('[C-9] an answer with only text and calls has no other content', async () => {
  const answer = await read(
    { type: 'text-delta', id: '1', delta: 'a' },
    { type: 'text-delta', id: '2', delta: 'b' },
    { type: 'text-delta', id: '1', delta: 'c' },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: '{}' },
  )
  assert.equal(answer.text, 'acb')
  assert.ok(!('content' in answer))
})

test('[C-9] a part with provider metadata is kept, even without text', async () => {
  const answer = await read(
    { type: 'reasoning-start', id: '1', providerMetadata: { maker: { itemId: 'rs' } } },
    { type: 'reasoning-end', id: '1', providerMetadata: { maker: { itemId: 'rs', cipher: 'x' } } },
    { type: 'text-delta', id: '2', delta: '42' },
  )
  assert.deepEqual(answer.content, [
    {
      type: 'reasoning',
      text: '',
      providerOptions: { maker: { itemId: 'rs', cipher: 'x' } },
    },
    { type: 'text', text: '42' },
  ])
})
