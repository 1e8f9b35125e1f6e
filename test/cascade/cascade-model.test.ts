import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, Output, streamText, tool } from 'ai'
import { z } from 'zod'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { apiError, modelContract, promptText, startModelServer } from 'echelon/testing'
import {
  type Attempt,
  cascadeModel,
  type CascadeModelOptions,
  cascadeReport,
  type CascadeReport,
  scored,
  type Verifier,
  type VerifierEffect,
} from '../../packages/echelon/src/verify.ts'
import { isError } from '../chat/kit.ts'
import { dear, OPTIONS, trusting } from './kit.ts'

const [SMALL, BIG] = ['a/small', 'b/big'] as const

function told(metadata: Parameters<typeof cascadeReport>[0]): CascadeReport {
  const report = cascadeReport(metadata)
  assert.ok(report !== undefined)
  return report
}

describe('a cascade as a model of the AI SDK', () => {
  test('answers with the small model where its answer is supported', async () => {
    const [small, big] = [dear(['four'], SMALL), dear([], BIG)]
    const model = cascadeModel([small, big], OPTIONS)
    const { text, usage, providerMetadata } = await generateText({ model, prompt: '2 + 2?' })
    assert.equal(text, 'four')
    assert.equal(usage.totalTokens, 15)
    assert.deepEqual(told(providerMetadata), {
      model: SMALL,
      status: 'supported',
      confidence: 0.9,
      evidence: 'it sounds right',
      promotions: 0,
      cost: 15,
      calls: [{ model: SMALL, purpose: 'answer', usage: { input: 10, output: 5 }, cost: 15 }],
    })
    assert.equal(big.model.calls.length, 0)
    assert.deepEqual(model.spent, { calls: 1, tokens: 15, money: 15, unpriced: 0 })
  })

  test('promotes with the evidence, never with the draft, and adds up the usage', async () => {
    const [small, big] = [dear(['maybe five'], SMALL), dear(['surely four'], BIG)]
    const model = cascadeModel([small, big], OPTIONS)
    const { text, usage, providerMetadata } = await generateText({ model, prompt: '2 + 2?' })
    assert.deepEqual([text, usage.totalTokens], ['surely four', 30])
    const { status, promotions, cost } = told(providerMetadata)
    assert.deepEqual([status, promotions, cost], ['proved', 1, 30])
    const [call] = big.model.calls
    const asked = call === undefined ? '' : promptText(call)
    assert.match(asked, /not accepted: it sounds right/)
    assert.ok(!asked.includes('five'))
  })

  test('streams an accepted answer whole, and the last model as it speaks', async () => {
    for (const [small, shown] of [
      [{ text: ['surely ', 'four'] }, ['surely ', 'four']],
      [{ text: ['maybe ', 'five'] }, ['I say ', 'four']],
    ] as const) {
      const model = cascadeModel(
        [dear([small], SMALL), dear([{ text: ['I say ', 'four'] }], BIG)],
        OPTIONS,
      )
      const result = streamText({ model, prompt: '2 + 2?' })
      const deltas: string[] = []
      for await (const delta of result.textStream) deltas.push(delta)
      assert.deepEqual(deltas, shown)
      const metadata = told(await result.providerMetadata)
      const isPromoted = metadata.model === BIG
      assert.equal((await result.usage).totalTokens, isPromoted ? 30 : 15)
      assert.equal(metadata.status, isPromoted ? 'supported' : 'proved')
    }
  })

  test('judges tool calls before the SDK makes them, and answers from their results', async () => {
    const paid: number[] = []
    const seen: Attempt[] = []
    const pay = tool({
      description: 'sends money',
      inputSchema: z.object({ euros: z.number(), note: z.string() }),
      execute: ({ euros }) => {
        paid.push(euros)
        return `paid ${euros}`
      },
    })
    const pays = (euros: number, note: string) => ({
      toolCalls: [{ tool: 'pay', input: { euros, note } }],
    })
    const run = { tools: { pay }, prompt: 'Pay 20 euros.', stopWhen: isStepCount(5) }
    for (const streams of [false, true]) {
      paid.length = 0
      seen.length = 0
      const model = cascadeModel(
        [dear([pays(2000, 'wrong'), 'Done, surely.'], SMALL), dear([pays(20, 'as asked')], BIG)],
        { ...OPTIONS, verify: trusting(seen) },
      )
      const result = streams ? streamText({ model, ...run }) : await generateText({ model, ...run })
      assert.equal(await result.text, 'Done, surely.')
      assert.deepEqual(paid, [20])
      const [draft, , last] = seen
      assert.deepEqual(draft?.task.tools?.[0]?.name, 'pay')
      assert.equal(draft?.answer.type, 'calls')
      assert.deepEqual(last?.made[0]?.outcome, { type: 'ok', value: 'paid 20' })
    }
  })

  test('gives structured output, judged as JSON', async () => {
    const seen: Attempt[] = []
    const model = cascadeModel([dear(['{"name":"wrong"}'], SMALL), dear(['{"name":"Ada"}'], BIG)], {
      ...OPTIONS,
      verify: trusting(seen),
    })
    const output = Output.object({ schema: z.object({ name: z.string() }) })
    const result = await generateText({ model, output, prompt: 'Who?' })
    assert.deepEqual(result.output, { name: 'Ada' })
    assert.deepEqual(seen[0]?.answer, { type: 'json', value: { name: 'wrong' } })
    assert.equal(seen[0]?.task.wanted.kind, 'json')
  })

  test('promotes a model that fails, is cut off or says nothing; refused content it does not', async () => {
    const bad = [
      { error: apiError(503) },
      { error: apiError(401) },
      { error: new Error('cut'), after: ['sure'], as: 'end' as const },
      { text: 'surely', finishReason: 'length' as const },
      '',
    ]
    for (const small of bad) {
      for (const streams of [false, true]) {
        const model = cascadeModel([dear([small], SMALL), dear(['maybe'], BIG)], OPTIONS)
        const asked = { model, prompt: 'Well?', maxRetries: 0 }
        const result = streams ? streamText(asked) : await generateText(asked)
        assert.equal(await result.text, 'maybe')
        const { status, confidence } = told(await result.providerMetadata)
        assert.deepEqual([status, confidence], ['unsupported', 0.3])
      }
    }
    const withheld = dear([{ text: '', finishReason: 'content-filter' }], SMALL)
    const model = cascadeModel([withheld, dear([], BIG)], OPTIONS)
    const { finishReason } = await generateText({ model, prompt: 'Well?' })
    assert.equal(finishReason, 'content-filter')
  })

  test('throws the error of the last model as it is, and the SDK tries again', async () => {
    const model = cascadeModel(
      [
        dear(['maybe', 'maybe'], SMALL),
        dear([{ error: apiError(503, { headers: { 'retry-after-ms': '1' } }) }, 'four'], BIG),
      ],
      OPTIONS,
    )
    const { text } = await generateText({ model, prompt: '2 + 2?', maxRetries: 1 })
    assert.equal(text, 'four')
    assert.equal(model.spent.calls, 4)
  })

  test('reports an error during the last answer as a part of the stream', async () => {
    const cut = { error: new Error('the line broke'), after: ['I say '], as: 'part' as const }
    const model = cascadeModel([dear(['maybe'], SMALL), dear([cut], BIG)], OPTIONS)
    const parts: string[] = []
    const result = streamText({ model, prompt: '2 + 2?', maxRetries: 0, onError: () => undefined })
    for await (const part of result.stream) {
      if (part.type === 'text-delta') parts.push(part.text)
      if (part.type === 'error') parts.push(String(part.error))
    }
    assert.deepEqual(parts, ['I say ', 'Error: the line broke'])
    assert.equal(model.spent.calls, 2)
  })

  test('stops at an abort, and asks no further model', async () => {
    const big = dear([], BIG)
    for (const streams of [false, true]) {
      const controller = new AbortController()
      const small = dear([{ text: 'late', delayMs: 60_000 }], SMALL)
      const model = cascadeModel([small, big], OPTIONS)
      const asked = { model, prompt: '2 + 2?', abortSignal: controller.signal }
      setImmediate(() => controller.abort())
      const work = streams
        ? model.doStream({ prompt: [userMessage('2 + 2?')], abortSignal: controller.signal })
        : generateText(asked)
      await assert.rejects(Promise.resolve(work), { name: 'AbortError' })
      assert.equal(model.spent.unpriced, 1)
    }
    assert.equal(big.model.calls.length, 0)
  })

  test('aborts the last model when the reader leaves', async () => {
    const big = dear([{ text: ['one ', 'two'], betweenMs: 60_000 }], BIG)
    const model = cascadeModel([dear(['maybe'], SMALL), big], OPTIONS)
    const { stream } = await model.doStream({ prompt: [userMessage('Count.')] })
    for await (const part of stream) if (part.type === 'text-delta') break
    assert.equal(big.model.calls[0]?.abortSignal?.aborted, true)
  })

  test('resolves names, and says what is missing', async () => {
    const model = cascadeModel(['nobody/small', 'offline/big'], OPTIONS)
    await assert.rejects(
      generateText({ model, prompt: 'Hello' }),
      isError('MISSING_PACKAGE', /nobody/),
    )
    const offline = cascadeModel(['offline/small', 'offline/big'], {
      ...OPTIONS,
      unchecked: 'accept',
    })
    const { providerMetadata } = await generateText({ model: offline, prompt: 'What is 3 * 4?' })
    assert.equal(told(providerMetadata).model, 'offline/small')
    assert.equal(offline.modelId, 'offline/small > offline/big')
  })

  test('refuses options that cannot work', () => {
    const acts = defineTool({
      name: 'pay',
      description: 'pays',
      does: 'acts',
      input: z.object({}),
      run: () => null,
    })
    const wrong: readonly [readonly string[], Partial<CascadeModelOptions>, RegExp][] = [
      [[SMALL], {}, /name at least two models/],
      [[SMALL, BIG], { accept: -1 }, /accept cannot be -1/],
      [[SMALL, BIG], { limits: { money: NaN } }, /limit of money is NaN/],
      [[SMALL, BIG], { perCall: { calls: -1 } }, /limit of calls/],
      [[SMALL, BIG], { tools: [acts] }, /cannot call pay/],
    ]
    for (const [models, options, says] of wrong) {
      assert.throws(
        () => cascadeModel(models, { ...OPTIONS, ...options }),
        isError('INVALID_CONFIG', says),
      )
    }
  })
})

describe('the limits of a cascade', () => {
  test('refuse a promotion, and never give the draft in its place', async () => {
    const big = dear([], BIG)
    const model = cascadeModel([dear(['maybe five'], SMALL), big], {
      ...OPTIONS,
      perCall: { calls: 1 },
    })
    await assert.rejects(
      generateText({ model, prompt: '2 + 2?' }),
      isError(
        'LIMIT_REACHED',
        /^b\/big was not asked: .* limit of calls; the answer before it was not accepted: it sounds right$/,
      ),
    )
    assert.equal(big.model.calls.length, 0)
  })

  test('hold over the life of the model, for calls at the same time too', async () => {
    const small = dear(
      Array.from({ length: 10 }, () => 'four'),
      SMALL,
    )
    const model = cascadeModel([small, dear([], BIG)], { ...OPTIONS, limits: { calls: 3 } })
    const asked = await Promise.allSettled(
      Array.from({ length: 5 }, () => generateText({ model, prompt: '2 + 2?' })),
    )
    assert.equal(asked.filter(({ status }) => status === 'fulfilled').length, 3)
    assert.equal(small.model.calls.length, 3)
  })

  test('charge nothing for a call that is aborted while it waits for another', async () => {
    const small = dear([{ text: 'four', delayMs: 20 }, 'four'], SMALL)
    const model = cascadeModel([small, dear([], BIG)], { ...OPTIONS, limits: { tokens: 4500 } })
    const prompt = [userMessage('2 + 2?')]
    const first = model.doGenerate({ prompt })
    const controller = new AbortController()
    const second = model.doGenerate({ prompt, abortSignal: controller.signal })
    setImmediate(() => controller.abort())
    await assert.rejects(Promise.resolve(second), { name: 'AbortError' })
    assert.equal((await first).finishReason.unified, 'stop')
    assert.deepEqual([model.spent.calls, model.spent.tokens], [1, 15])
    // Its reservation is released.
    await model.doGenerate({ prompt })
    assert.deepEqual([model.spent.calls, model.spent.tokens], [2, 30])
  })

  test('clamp the answer to what the money leaves', async () => {
    const small = dear(['four'], SMALL)
    const model = cascadeModel([small, dear([], BIG)], { ...OPTIONS, limits: { money: 500 } })
    await generateText({ model, prompt: '2 + 2?' })
    const most = small.model.calls[0]?.maxOutputTokens ?? Infinity
    assert.ok(most < 500 && most > 16, `${most}`)
  })

  test('refuse what has no known price or no bound', async () => {
    const unpriced = dear([], SMALL).model
    const money = cascadeModel([unpriced, dear([], BIG)], { ...OPTIONS, limits: { money: 500 } })
    await assert.rejects(
      generateText({ model: money, prompt: '2 + 2?' }),
      isError('LIMIT_REACHED', /price of scripted\/a\/small is unknown.*\{ id, model, price \}/),
    )
    const searching = cascadeModel([dear([], SMALL), dear([], BIG)], {
      ...OPTIONS,
      limits: { tokens: 5000 },
    })
    const search = { type: 'provider', id: 'x.search', name: 'search', args: {} } as const
    await assert.rejects(
      Promise.resolve(searching.doGenerate({ prompt: [userMessage('News?')], tools: [search] })),
      isError('LIMIT_REACHED', /a tool that the provider runs/),
    )
  })

  test('without one, an unknown price is an unknown cost', async () => {
    const model = cascadeModel([dear(['four'], SMALL).model, dear([], BIG)], OPTIONS)
    const { providerMetadata } = await generateText({ model, prompt: '2 + 2?' })
    assert.equal(told(providerMetadata).cost, null)
    assert.equal(model.spent.unpriced, 1)
  })
})

/** Asks for these effects, and takes an answer by what came of them. */
const asking = (effects: readonly VerifierEffect[], good: RegExp): Verifier => ({
  name: 'asking',
  features: [],
  verify: (_, observed) =>
    observed.length < effects.length
      ? { verdict: 'ask', effects }
      : scored(good.test(JSON.stringify(observed)) ? 0.9 : 0.1, 'others were asked'),
})

const OPINION = {
  type: 'generate',
  role: 'opinion',
  messages: Thread.of([userMessage('What is 2 + 2?')]),
  maxTokens: 50,
  sampling: { temperature: 1, stop: ['\n'] },
} as const

describe('what a verifier asks for in a cascade of the AI SDK', () => {
  test('is metered, and told with the cost of each call', async () => {
    const other = dear(['four too'], 'c/other')
    const model = cascadeModel([dear(['four'], SMALL), dear([], BIG)], {
      verify: asking([OPINION], /four too/),
      accept: 0.8,
      ask: { opinion: other },
    })
    const { text, usage, providerMetadata } = await generateText({ model, prompt: '2 + 2?' })
    assert.deepEqual([text, usage.totalTokens], ['four', 30])
    assert.deepEqual(
      told(providerMetadata).calls.map(({ model, purpose }) => [model, purpose]),
      [
        [SMALL, 'answer'],
        ['c/other', 'opinion'],
      ],
    )
    const [call] = other.model.calls
    assert.deepEqual(
      [call?.maxOutputTokens, call?.temperature, call?.stopSequences],
      [50, 1, ['\n']],
    )
  })

  test('is refused within the limits of the call', async () => {
    const model = cascadeModel([dear(['four'], SMALL), dear([], BIG)], {
      verify: asking([{ ...OPINION, role: 'small' }], /"refused".*"limit":"calls"/),
      accept: 0.8,
      perCall: { calls: 1 },
    })
    assert.equal((await generateText({ model, prompt: '2 + 2?' })).text, 'four')
  })

  test('may be calls of the tools that the cascade was given', async () => {
    const check = defineTool({
      name: 'check',
      description: 'checks a number',
      input: z.object({ value: z.number() }),
      run: ({ value }) => value === 4,
    })
    const calls = [
      { id: '1', tool: 'check', input: { value: 4 } },
      { id: '2', tool: 'check', input: { value: 'four' } },
      { id: '3', tool: 'none', input: {} },
    ]
    const observed = /"ok","value":true.*INVALID_ARGS.*UNKNOWN_TOOL/
    const model = cascadeModel([dear(['four'], SMALL), dear([], BIG)], {
      verify: asking([{ type: 'call-tools', calls }], observed),
      accept: 0.8,
      tools: [check],
    })
    assert.equal((await generateText({ model, prompt: '2 + 2?' })).text, 'four')
  })
})

test('works over the wire, through the OpenAI package of the AI SDK', async () => {
  const reply = (text: string) => ({ type: 'reply', text: [text] }) as const
  const script = [reply('maybe five'), reply('surely four')]
  await using server = await startModelServer([...script, ...script])
  const openai = createOpenAI({ baseURL: server.baseUrl, apiKey: 'none' })
  const price = (usage: { readonly input: number; readonly output: number }): number =>
    (usage.input + usage.output) / 1e6
  const model = cascadeModel(
    [
      { id: 'openai/small', model: openai('small'), price },
      { id: 'openai/big', model: openai('big'), price },
    ],
    { ...OPTIONS, limits: { money: 1, calls: 4 } },
  )
  const { text, usage } = await generateText({ model, prompt: '2 + 2?' })
  assert.deepEqual([text, usage.totalTokens], ['surely four', 30])
  const streamed = streamText({ model, prompt: '2 + 2?' })
  assert.equal(await streamed.text, 'surely four')
  assert.equal((await streamed.usage).totalTokens, 30)
  assert.deepEqual(
    server.requests.map(({ body }) => body['model']),
    ['small', 'big', 'small', 'big'],
  )
  assert.match(JSON.stringify(server.requests[1]?.body), /not accepted: it sounds right/)
  assert.equal(Math.round(model.spent.money * 1e6), 60)
  server.assertComplete()
})

describe('the contract of models holds for a cascade', () => {
  for (const small of ['surely', 'maybe']) {
    const open = () =>
      cascadeModel([dear([small, small], SMALL), dear(['Hello.', 'Hello.'], BIG)], OPTIONS)
    for (const { name, holds } of modelContract(open)) test(`${name} (${small})`, holds)
  }
})
