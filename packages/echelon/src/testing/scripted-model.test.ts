import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
  APICallError,
} from '@ai-sdk/provider'
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

test('answers in script order and records the calls', async () => {
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

test('gives a tool call its JSON input, a unique id and the finish reason', async () => {
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

test('reports the script’s usage, or none for null', async () => {
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

test('streams the same text, calls, usage and reason as a call without streaming', async () => {
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

test('closes every opened stream part, in the order of the interface', async () => {
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

test('throws a failure before a stream or after its first pieces', async () => {
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

test('sends a failure as a part, followed by finish reason error', async () => {
  const error = { message: 'overloaded' }
  const { stream } = await scriptedModel([{ error, as: 'part' }]).doStream(QUESTION)
  const [, part, finish] = await collect(stream)
  assert.deepEqual(part, { type: 'error', error })
  assert.equal(finish?.type === 'finish' && finish.finishReason.unified, 'error')
})

test('names the number and the last user message of a call beyond the script', async () => {
  const model = scriptedModel(['only'])
  await model.doGenerate(QUESTION)
  const beyond = {
    ...UNEXPECTED,
    message: /^call 2: the script ends before it.*"how much is 6 \* 7\?"$/,
  }
  await assert.rejects(async () => await model.doStream(QUESTION), beyond)
  assert.throws(() => model.assertComplete(), beyond, 'a swallowed surprise still fails the test')
})

test('refuses a call that does not match its answer’s expectation', async () => {
  const model = scriptedModel([
    { text: 'cold', when: ({ temperature }) => temperature === 0 },
    { text: 'never', when: ({ seed }) => seed === 42 },
  ])
  await model.doGenerate({ ...QUESTION, temperature: 0 })
  const mismatch = { ...UNEXPECTED, message: /^call 2: .*another call/ }
  await assert.rejects(async () => await model.doGenerate({ ...QUESTION, seed: 1 }), mismatch)
  assert.throws(() => model.assertComplete(), mismatch)
})

test('fails the end of the test if answers are left', async () => {
  const model = scriptedModel(['one', 'two'])
  await model.doGenerate(QUESTION)
  assert.throws(() => model.assertComplete(), { ...UNEXPECTED, message: /1 times.*2 answers/ })
})

test('computes an answer from the call', async () => {
  const model = scriptedModel([({ seed }) => `seed ${seed}`, () => ({ error: apiError(500) })])
  const { content } = await model.doGenerate({ ...QUESTION, seed: 42 })
  assert.deepEqual(content, [{ type: 'text', text: 'seed 42' }])
  await assert.rejects(async () => await model.doGenerate(QUESTION), { statusCode: 500 })
})

test('fails the test for an assertion inside an answer, even if the caller swallows it', async () => {
  const model = scriptedModel([({ seed }) => (assert.equal(seed, 42), 'right')])
  await assert.rejects(async () => await model.doGenerate(QUESTION), { name: 'AssertionError' })
  assert.throws(() => model.assertComplete(), { name: 'AssertionError' })
})

test('waits for a delay, and ends it at once with the abort’s reason', async () => {
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

test('gives an aborted call no answer, and stops a stream at the abort', async () => {
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

test('apiError matches the SDK’s class, headers and retry rule', () => {
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

test('asBound names the model and accepts a price', () => {
  const model = scriptedModel([], { modelId: 'small' })
  assert.equal(asBound(model).id, 'scripted/small')
  assert.equal(asBound(model).price({ input: 1e6, output: 1e6 }), 0)
  const dear = asBound(model, 'openai/gpt-5', ({ input }) => input / 1e6)
  assert.equal(dear.id, 'openai/gpt-5')
  assert.equal(dear.price({ input: 5e5, output: 0 }), 0.5)
})

test('streams reasoning, sources and cut tool inputs in the configured pieces', async () => {
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

test('calls a function with the call and its number, also after a wait', async () => {
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

test('gives answers in any order to the matching calls', async () => {
  const about = (word: string) => ({
    text: word,
    when: (call: LanguageModelV4CallOptions) => promptText(call).includes(word),
  })
  const model = scriptedModel([about('Oslo'), about('Rome')], { inAnyOrder: true })
  const { content } = await model.doGenerate(asking('what of Rome?'))
  assert.deepEqual(content, [{ type: 'text', text: 'Rome' }])
  assert.throws(() => model.assertComplete(), { message: /unused: number 1$/ })
  await assert.rejects(async () => await model.doGenerate(asking('what of Paris?')), {
    ...UNEXPECTED,
    message: /no remaining answer expects it/,
  })
})

test('waits for delays and pauses on the test’s clock', async () => {
  const clock = new SetClock(0)
  const model = scriptedModel([{ text: ['a', 'b', 'c'], delayMs: 1000, betweenMs: 500 }], { clock })
  const read = async () => await collect((await model.doStream(QUESTION)).stream)
  const parts = await clock.runUntil(read())
  assert.equal(parts.at(-1)?.type, 'finish')
  assert.equal(clock.now(), 2000)
})

test('can model a call that never answers until it is aborted', async () => {
  const reason = new Error('enough')
  for (const options of [{}, { clock: new SetClock() }]) {
    const up = new AbortController()
    const model = scriptedModel([{ delayMs: Infinity }], options)
    const answer = model.doGenerate({ ...QUESTION, abortSignal: up.signal })
    setImmediate(() => up.abort(reason))
    await assert.rejects(async () => await answer, reason)
  }
})

test('can end a stream without a finish', async () => {
  const { stream } = await scriptedModel([
    { error: 'unused', after: ['half'], as: 'end' },
  ]).doStream(QUESTION)
  assert.equal((await collect(stream)).at(-1)?.type, 'text-delta')
})

test('prints a prompt with one line per message', () => {
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
