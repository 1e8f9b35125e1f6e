import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { APICallError } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { apiError, asBound, promptText, scriptedModel } from './scripted-model.ts'
import { SetClock } from './set-clock.ts'

const asking = (text: string): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
})
const QUESTION = asking('how much is 6 * 7?')
const UNEXPECTED = { name: 'EchelonError', code: 'UNEXPECTED_CALL' }

async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

test('answers come in the order of the script, with the calls recorded', async () => {
  const model = scriptedModel(['one', { text: ['tw', 'o'], finishReason: 'length' }])
  const first = await model.doGenerate(QUESTION)
  const second = await model.doGenerate(asking('and now?'))
  assert.deepEqual(first.content, [{ type: 'text', text: 'one' }])
  assert.equal(first.finishReason.unified, 'stop')
  assert.deepEqual(second.content, [{ type: 'text', text: 'two' }])
  assert.equal(second.finishReason.unified, 'length')
  assert.equal(model.calls[0], QUESTION)
  assert.equal(model.calls.length, 2)
  model.assertComplete()
})

test('a tool call has its input as JSON text, an id of its own and its finish reason', async () => {
  const model = scriptedModel([
    {
      toolCalls: [
        { tool: 'calculator', input: { expr: '6*7' } },
        { id: 'x', tool: 'b', input: '{' },
      ],
    },
  ])
  const { content, finishReason } = await model.doGenerate(QUESTION)
  assert.deepEqual(content, [
    { type: 'tool-call', toolCallId: 'call-1-1', toolName: 'calculator', input: '{"expr":"6*7"}' },
    { type: 'tool-call', toolCallId: 'x', toolName: 'b', input: '{' },
  ])
  assert.equal(finishReason.unified, 'tool-calls')
})

test('usage is what the script says; null is a provider that reports none', async () => {
  const model = scriptedModel([{ usage: { input: 7, output: 3 } }, { usage: null }, 'default'])
  const totals = []
  while (totals.length < 3) {
    const { usage } = await model.doGenerate(QUESTION)
    totals.push([usage.inputTokens.total, usage.outputTokens.total])
  }
  assert.deepEqual(totals, [
    [7, 3],
    [undefined, undefined],
    [10, 5],
  ])
})

test('a stream carries the same text, calls, usage and reason as a call that does not stream', async () => {
  const reply = fc.record({
    text: fc.array(fc.string(), { maxLength: 4 }),
    toolCalls: fc.array(
      fc.record({ tool: fc.string(), input: fc.dictionary(fc.string(), fc.nat()) }),
    ),
    usage: fc.option(fc.record({ input: fc.nat(), output: fc.nat() })),
  })
  await fc.assert(
    fc.asyncProperty(reply, async (answer) => {
      const whole = await scriptedModel([answer]).doGenerate(QUESTION)
      const parts = await collect((await scriptedModel([answer]).doStream(QUESTION)).stream)
      const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
      assert.deepEqual(
        whole.content.filter(({ type }) => type === 'text'),
        [{ type: 'text', text }],
      )
      assert.deepEqual(
        whole.content.filter(({ type }) => type === 'tool-call'),
        parts.filter(({ type }) => type === 'tool-call'),
      )
      const { finishReason, usage } = whole
      assert.deepEqual(parts.at(-1), { type: 'finish', finishReason, usage })
    }),
    { numRuns: 50 },
  )
})

test('every part of a stream that is opened is closed, in the order of the interface', async () => {
  const answer = { text: ['a', 'b'], toolCalls: [{ tool: 't', input: {} }] }
  const { stream } = await scriptedModel([answer]).doStream(QUESTION)
  assert.deepEqual(
    (await collect(stream)).map(({ type }) => type),
    (
      'stream-start text-start text-delta text-delta text-end ' +
      'tool-input-start tool-input-delta tool-input-end tool-call finish'
    ).split(' '),
  )
})

test('a failure is thrown, before a stream exists or after its first pieces', async () => {
  const error = apiError(503)
  const model = scriptedModel([{ error }, { error }, { error, after: ['half'] }])
  await assert.rejects(async () => await model.doGenerate(QUESTION), error)
  await assert.rejects(async () => await model.doStream(QUESTION), error)
  const reader = (await model.doStream(QUESTION)).stream.getReader()
  const seen: unknown[] = []
  await assert.rejects(async () => {
    for (;;) seen.push((await reader.read()).value)
  }, error)
  assert.deepEqual(seen.at(-1), { type: 'text-delta', id: 'text-1', delta: 'half' })
})

test('a failure as a part is followed by a finish with the reason error', async () => {
  const error = { message: 'overloaded' }
  const { stream } = await scriptedModel([{ error, as: 'part' }]).doStream(QUESTION)
  const [, part, finish] = await collect(stream)
  assert.deepEqual(part, { type: 'error', error })
  assert.equal(finish?.type === 'finish' && finish.finishReason.unified, 'error')
})

test('a call beyond the script names its number and the last user message', async () => {
  const model = scriptedModel(['only'])
  await model.doGenerate(QUESTION)
  const beyond = {
    ...UNEXPECTED,
    message: /^call 2: the script ends before it.*"how much is 6 \* 7\?"$/,
  }
  await assert.rejects(async () => await model.doStream(QUESTION), beyond)
  assert.throws(() => model.assertComplete(), beyond, 'a swallowed surprise still fails the test')
})

test('an answer can expect a call, and refuses another', async () => {
  const model = scriptedModel([
    { text: 'cold', when: ({ temperature }) => temperature === 0 },
    { text: 'never', when: ({ seed }) => seed === 42 },
  ])
  await model.doGenerate({ ...QUESTION, temperature: 0 })
  const mismatch = { ...UNEXPECTED, message: /^call 2: .*another call/ }
  await assert.rejects(async () => await model.doGenerate({ ...QUESTION, seed: 1 }), mismatch)
  assert.throws(() => model.assertComplete(), mismatch)
})

test('answers that nobody asked for fail the end of the test', async () => {
  const model = scriptedModel(['one', 'two'])
  await model.doGenerate(QUESTION)
  assert.throws(() => model.assertComplete(), { ...UNEXPECTED, message: /1 times.*2 answers/ })
})

test('an answer can be computed from the call', async () => {
  const model = scriptedModel([({ seed }) => `seed ${seed}`, () => ({ error: apiError(500) })])
  const { content } = await model.doGenerate({ ...QUESTION, seed: 42 })
  assert.deepEqual(content, [{ type: 'text', text: 'seed 42' }])
  await assert.rejects(async () => await model.doGenerate(QUESTION), { statusCode: 500 })
})

test('an assertion inside an answer fails the test, even where the caller swallows it', async () => {
  const model = scriptedModel([({ seed }) => (assert.equal(seed, 42), 'right')])
  await assert.rejects(async () => await model.doGenerate(QUESTION), { name: 'AssertionError' })
  assert.throws(() => model.assertComplete(), { name: 'AssertionError' })
})

test('a delay is slept, and ends at once with the reason of the abort', async () => {
  const slept: number[] = []
  const sleep = async (ms: number): Promise<void> => void slept.push(ms)
  await scriptedModel([{ text: 'late', delayMs: 60_000 }], { sleep }).doGenerate(QUESTION)
  assert.deepEqual(slept, [60_000])

  const reason = new Error('the user left')
  const controller = new AbortController()
  const model = scriptedModel([{ text: 'late', delayMs: 60_000 }])
  const call = model.doGenerate({ ...QUESTION, abortSignal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await assert.rejects(async () => await call, reason)
})

test('an aborted call gets no answer, and a stream stops where it was aborted', async () => {
  const controller = new AbortController()
  const options = { ...QUESTION, abortSignal: controller.signal }
  const model = scriptedModel([{ text: ['a', 'b', 'c'] }, 'never'])
  const { stream } = await model.doStream(options)
  const seen: string[] = []
  await assert.rejects(
    async () => {
      for await (const part of stream) {
        if (part.type !== 'text-delta') continue
        seen.push(part.delta)
        controller.abort()
      }
    },
    { name: 'AbortError' },
  )
  assert.ok(!seen.includes('c'), `nothing after the abort, but saw ${seen.join()}`)
  await assert.rejects(async () => await model.doGenerate(options), { name: 'AbortError' })
})

test('apiError is what the SDK throws: its class, headers and rule of what is retryable', () => {
  const error = apiError(429, { headers: { 'retry-after': '2' }, code: 'rate_limit_exceeded' })
  assert.ok(APICallError.isInstance(error))
  assert.deepEqual(error.responseHeaders, { 'retry-after': '2' })
  assert.match(error.responseBody ?? '', /"code":"rate_limit_exceeded"/)
  const retryable = [400, 401, 404, 408, 409, 429, 500, 503].filter((s) => apiError(s).isRetryable)
  assert.deepEqual(retryable, [408, 409, 429, 500, 503])
  assert.equal(apiError(undefined).isRetryable, true)
  assert.equal(apiError(undefined).statusCode, undefined)
  assert.equal(apiError(200, { isRetryable: true }).isRetryable, true)
})

test('asBound names the model and lets a price be stated', () => {
  const model = scriptedModel([], { modelId: 'small' })
  assert.equal(asBound(model).id, 'scripted/small')
  assert.equal(asBound(model).price({ input: 1e6, output: 1e6 }), 0)
  const dear = asBound(model, 'openai/gpt-5', ({ input }) => input / 1e6)
  assert.equal(dear.id, 'openai/gpt-5')
  assert.equal(dear.price({ input: 5e5, output: 0 }), 0.5)
})

test('thoughts, sources and cut inputs of tools are streamed in the pieces that were chosen', async () => {
  const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://example.org' } as const
  const answer = {
    reasoning: ['let me', ' see'],
    text: 'well',
    content: [source],
    toolCalls: [{ tool: 'add', input: { a: 12 }, cutAt: [5, 1] }],
    providerMetadata: { acme: { responseId: 'r1' } },
    usage: { input: 10, output: 8, cacheRead: 4, reasoning: 6 },
  }
  const parts = await collect((await scriptedModel([answer]).doStream(QUESTION)).stream)
  const deltas = parts.map((part) => ('delta' in part ? part.delta : part.type))
  assert.equal(
    deltas.slice(1, -1).join('|'),
    'reasoning-start|let me| see|reasoning-end|text-start|well|text-end|source|' +
      'tool-input-start|{|"a":|12}|tool-input-end|tool-call',
  )
  const whole = await scriptedModel([answer]).doGenerate(QUESTION)
  assert.deepEqual(
    whole.content.map(({ type }) => type),
    ['reasoning', 'text', 'source', 'tool-call'],
  )
  assert.deepEqual(whole.providerMetadata, { acme: { responseId: 'r1' } })
  assert.deepEqual(whole.usage.inputTokens, {
    total: 10,
    noCache: 6,
    cacheRead: 4,
    cacheWrite: undefined,
  })
  assert.deepEqual(whole.usage.outputTokens, { total: 8, text: 2, reasoning: 6 })
})

test('a function answers by what it is asked and how often, also after a wait', async () => {
  const echo = scriptedModel([], {
    beyond: async (call, number) => {
      await Promise.resolve()
      return `${number}: ${promptText(call)}`
    },
  })
  for (const text of ['one', 'two']) await echo.doGenerate(asking(text))
  const { content } = await echo.doGenerate(asking('three'))
  assert.deepEqual(content, [{ type: 'text', text: '3: user: three' }])
  echo.assertComplete()
})

test('answers in any order go to the calls that they expect', async () => {
  const about = (word: string) => ({
    text: word,
    when: (call: LanguageModelV4CallOptions) => promptText(call).includes(word),
  })
  const model = scriptedModel([about('Oslo'), about('Rome')], { inAnyOrder: true })
  const { content } = await model.doGenerate(asking('what of Rome?'))
  assert.deepEqual(content, [{ type: 'text', text: 'Rome' }])
  assert.throws(() => model.assertComplete(), { message: /nobody asked for number 1$/ })
  await assert.rejects(async () => await model.doGenerate(asking('what of Paris?')), {
    ...UNEXPECTED,
    message: /no answer that is left expects it/,
  })
})

test('delays and the time between pieces pass on the clock of the test', async () => {
  const clock = new SetClock(0)
  const model = scriptedModel([{ text: ['a', 'b', 'c'], delayMs: 1000, betweenMs: 500 }], { clock })
  const read = async () => await collect((await model.doStream(QUESTION)).stream)
  const parts = await clock.runUntil(read())
  assert.equal(parts.at(-1)?.type, 'finish')
  assert.equal(clock.now(), 2000)
})

test('a model that never answers does so until it is given up', async () => {
  const reason = new Error('enough')
  for (const options of [{}, { clock: new SetClock() }]) {
    const up = new AbortController()
    const model = scriptedModel([{ delayMs: Infinity }], options)
    const answer = model.doGenerate({ ...QUESTION, abortSignal: up.signal })
    setImmediate(() => up.abort(reason))
    await assert.rejects(async () => await answer, reason)
  }
})

test('a stream may end without a word', async () => {
  const { stream } = await scriptedModel([
    { error: 'unused', after: ['half'], as: 'end' },
  ]).doStream(QUESTION)
  assert.equal((await collect(stream)).at(-1)?.type, 'text-delta')
})

test('a prompt as text has a line for each message', () => {
  const text = promptText({
    prompt: [
      { role: 'system', content: 'be brief' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: '1', toolName: 'add', input: { a: 1 } }],
      },
    ],
  })
  assert.equal(
    text,
    'system: be brief\nassistant: {"type":"tool-call","toolCallId":"1","toolName":"add","input":{"a":1}}',
  )
})
