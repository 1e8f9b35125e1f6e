import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import { failed, generated, modelCall, testRun } from '../../testing/middleware-run.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { fallback } from './fallback.ts'
import { modelThrough } from '../in-tests.ts'
import { providerBreaker } from './provider-breaker.ts'
import { rateLimit, type RateLimitOptions } from './rate-limit.ts'

/** Calls through a limit, and when each reached the model. */
function limited(
  options: RateLimitOptions,
  answer: (call: ModelCall) => ModelOutcome | Promise<ModelOutcome> = () => generated('yes'),
) {
  const clock = new SetClock(0)
  const made: { readonly at: number; readonly name: string }[] = []
  const through = modelThrough([rateLimit(options)], async (call) => {
    made.push({ at: clock.now(), name: call.role })
    return answer(call)
  })
  let runs = 0
  /** A call in its own run, with its name as its role. */
  const ask = (name: string, more: Partial<ModelCall> = {}, ms = Infinity) => {
    const testedRun = testRun({ runId: `run-${runs++}`, clock, ms })
    return { testedRun, answer: through(modelCall({ role: name, ...more }), testedRun) }
  }
  const order = (): readonly string[] => made.map(({ name }) => name)
  return { clock, made, ask, order }
}

const codeOf = (outcome: ModelOutcome): string =>
  outcome.type === 'failed' ? outcome.error.code : outcome.type

describe('[C-34] a rate limit', () => {
  test('admits so many requests, and the others wait in order', async () => {
    const { clock, made, ask, order } = limited({ requestsPerMinute: 2, maxWaitMs: 200_000 })
    const asked = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name))
    await clock.advance(0)
    assert.deepEqual(order(), ['a', 'b'])
    await clock.advance(59_999)
    assert.equal(made.length, 2)
    await clock.advance(1)
    assert.deepEqual(order(), ['a', 'b', 'c', 'd'])
    await clock.advance(60_000)
    assert.deepEqual(order(), ['a', 'b', 'c', 'd', 'e'])
    for (const { answer } of asked) assert.equal(codeOf(await answer), 'generated')
    assert.deepEqual(
      asked.map(({ testedRun }) => testedRun.told.map(({ event, data }) => [event, data])),
      [
        [],
        [],
        [['wait', { of: 'test/model', ahead: 0 }]],
        [['wait', { of: 'test/model', ahead: 1 }]],
        [['wait', { of: 'test/model', ahead: 2 }]],
      ],
    )
    assert.equal(clock.pending, 0)
  })

  test('applies per model or per provider, and by name prefix', async () => {
    const models = ['a/one', 'a/two', 'b/one', 'c/one']
    const admitted = async (options: RateLimitOptions): Promise<readonly string[]> => {
      const { clock, ask, order } = limited(options)
      for (const model of [...models, ...models]) ask(model, { model })
      await clock.advance(0)
      return order().toSorted()
    }
    assert.deepEqual(await admitted({ requestsPerMinute: 1 }), models)
    assert.deepEqual(await admitted({ requestsPerMinute: 1, by: 'provider' }), [
      'a/one',
      'b/one',
      'c/one',
    ])
    const slash = { 'a/': { requestsPerMinute: 1 } }
    assert.equal(
      (await admitted({ models: slash, by: 'provider' })).join(),
      'a/one,b/one,b/one,c/one,c/one',
    )
    const some = { 'b/': { requestsPerMinute: 1 }, 'a/': { requestsPerMinute: 2 } }
    assert.deepEqual(await admitted({ models: some }), [
      'a/one',
      'a/one',
      'a/two',
      'a/two',
      'b/one',
      'c/one',
      'c/one',
    ])
  })

  test('counts estimated tokens first, and then the actual ones', async () => {
    let release: (outcome: ModelOutcome) => void = () => undefined
    const { clock, ask, order } = limited(
      { tokensPerMinute: 100, estimate: () => 60 },
      () => new Promise((resolve) => (release = resolve)),
    )
    const first = ask('a')
    ask('b')
    await clock.advance(1000)
    assert.deepEqual(order(), ['a'])
    release(generated('yes', { usage: { input: 30, output: 10 } }))
    await first.answer
    await clock.advance(0)
    assert.deepEqual(order(), ['a', 'b'], '20 tokens came back, without a wait')
  })

  test('admits a call larger than the limit alone', async () => {
    const { clock, ask, order } = limited({
      tokensPerMinute: 100,
      maxWaitMs: 60_000,
      estimate: () => 500,
    })
    ask('a')
    ask('b')
    await clock.advance(59_999)
    assert.deepEqual(order(), ['a'])
    await clock.advance(1)
    assert.deepEqual(order(), ['a', 'b'])
  })

  test('refuses a call that would wait too long, at once if that is certain, and says how long', async () => {
    const { clock, ask } = limited({ requestsPerMinute: 1, maxWaitMs: 20_000 })
    await ask('a').answer
    await clock.advance(10_000)
    const late = ask('b')
    assert.deepEqual(
      await late.answer,
      failed('rate-limit', {
        message:
          'test/model is called as often as its limit allows; it may be called again in 50 s',
        retryable: false,
        attempts: 0,
        retryAfterMs: 50_000,
      }),
    )
    assert.deepEqual(late.testedRun.told.at(-1)?.data, { of: 'test/model', waitMs: 50_000 })
    await clock.advance(30_000)
    const inTime = ask('c')
    const behind = ask('d')
    await clock.advance(20_000)
    assert.equal(codeOf(await inTime.answer), 'generated')
    assert.equal(codeOf(await behind.answer), 'rate-limit')
    assert.equal(clock.pending, 0)
  })

  test('admits everyone who may go at the end of the wait, in order', async () => {
    const { clock, ask, order } = limited({ requestsPerMinute: 2, maxWaitMs: 60_000 })
    const asked = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name))
    await clock.advance(0)
    await clock.advance(60_000)
    assert.deepEqual(order(), ['a', 'b', 'c', 'd'])
    assert.equal(codeOf((await asked.at(-1)?.answer) ?? generated('no')), 'rate-limit')
  })

  test("waits no longer than the run's remaining time", async () => {
    const { clock, ask } = limited({ requestsPerMinute: 1, maxWaitMs: 100_000 })
    await ask('a').answer
    assert.equal(codeOf(await ask('b', {}, 5000).answer), 'rate-limit')
    assert.equal(clock.now(), 0)
  })

  test('a cancel leaves the line, and the next call moves up', async () => {
    const { clock, ask, order } = limited({ requestsPerMinute: 1, maxWaitMs: 100_000 })
    await ask('a').answer
    const canceled = ask('b')
    const own = new AbortController()
    const aborted = ask('c', { signal: own.signal })
    const last = ask('d')
    await clock.advance(1000)
    canceled.testedRun.cancel()
    own.abort()
    assert.equal(codeOf(await canceled.answer), 'aborted')
    assert.equal(codeOf(await aborted.answer), 'aborted')
    await clock.advance(59_000)
    assert.equal(codeOf(await last.answer), 'generated')
    assert.deepEqual(order(), ['a', 'd'])
    assert.equal(clock.pending, 0)
  })

  test("respects a provider's own request to wait", async () => {
    const outcomes = [failed('rate-limit', { retryAfterMs: 7000 }), generated('yes')]
    const { clock, ask, made } = limited(
      { requestsPerMinute: 10 },
      () => outcomes.shift() ?? generated('again'),
    )
    await ask('a').answer
    ask('b')
    await clock.advance(7000)
    assert.deepEqual(
      made.map(({ at }) => at),
      [0, 7000],
    )
    outcomes.push(failed('rate-limit', { retryAfterMs: 1e12 }))
    await ask('c').answer
    assert.equal(codeOf(await ask('d').answer), 'rate-limit')
    await clock.advance(600_000)
    assert.equal(codeOf(await ask('e').answer), 'generated')
  })

  test("does not treat an inner limit's refusal as a provider's request", async () => {
    const middlewares = [
      rateLimit({ requestsPerMinute: 10, maxWaitMs: 0, by: 'provider' }),
      rateLimit({ requestsPerMinute: 1, maxWaitMs: 0 }),
    ]
    const through = modelThrough(middlewares, async () => generated('yes'))
    const testedRun = testRun()
    const ask = async (model: string) => codeOf(await through(modelCall({ model }), testedRun))
    assert.equal(await ask('p/one'), 'generated')
    assert.equal(await ask('p/one'), 'rate-limit')
    assert.equal(await ask('p/two'), 'generated')
  })

  test('holds for any wait that a provider asks for', async () => {
    for (const retryAfterMs of [Number.NaN, -1e9]) {
      const { ask, made } = limited({ requestsPerMinute: 1, maxWaitMs: 0 }, () =>
        failed('rate-limit', { retryAfterMs }),
      )
      for (let time = 0; time < 3; time++) await ask('a').answer
      assert.equal(made.length, 1)
    }
  })

  test('keeps the estimate for a call that reports no tokens', async () => {
    const { ask, made } = limited({ tokensPerMinute: 100, maxWaitMs: 0, estimate: () => 60 }, () =>
      generated('yes', { usage: { input: 0, output: 0 } }),
    )
    for (let time = 0; time < 3; time++) await ask('a').answer
    assert.equal(made.length, 1)
  })

  test('reports the length of the line to a call behind a larger one', async () => {
    const { clock, ask } = limited({
      tokensPerMinute: 100,
      maxWaitMs: 60_000,
      estimate: ({ role }) => Number(role),
    })
    await ask('40').answer
    await clock.advance(10_000)
    ask('90')
    const behind = await ask('10', {}, 0).answer
    assert.equal(behind.type === 'failed' && behind.error.retryAfterMs, 50_000)
  })

  test('does not count a call that was not made', async () => {
    const refused: ModelOutcome = { type: 'refused', by: 'budget', limit: 'money', message: 'no' }
    const { ask, made } = limited({ requestsPerMinute: 1, maxWaitMs: 0 }, () => refused)
    await ask('a').answer
    await ask('b').answer
    assert.equal(made.length, 2)
  })

  test('lets an outer fallback take over', async () => {
    const middlewares = [fallback(['b/two']), rateLimit({ requestsPerMinute: 1, maxWaitMs: 0 })]
    const asked: (string | undefined)[] = []
    const through = modelThrough(middlewares, async ({ model }) => {
      asked.push(typeof model === 'string' ? model : undefined)
      return generated('yes')
    })
    for (let time = 0; time < 2; time++) await through(modelCall(), testRun())
    assert.deepEqual(asked, [undefined, 'b/two'])
  })

  test('does not count as a provider failure for an outer breaker', async () => {
    const middlewares = [
      providerBreaker({ limit: 1 }),
      rateLimit({ requestsPerMinute: 1, maxWaitMs: 0 }),
    ]
    const through = modelThrough(middlewares, async () => generated('yes'))
    const testedRun = testRun()
    await through(modelCall(), testedRun)
    for (let time = 0; time < 3; time++)
      assert.equal(codeOf(await through(modelCall(), testedRun)), 'rate-limit')
  })

  test('is never exceeded in any minute, keeps the order, and admits every call that waits long enough', async () => {
    const arrivals = fc.array(
      fc.record({
        after: fc.integer({ min: 0, max: 30_000 }),
        tokens: fc.integer({ min: 1, max: 90 }),
      }),
      { maxLength: 25 },
    )
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        fc.record({
          requests: fc.integer({ min: 1, max: 5 }),
          tokens: fc.integer({ min: 90, max: 200 }),
          isHalf: fc.boolean(),
          maxWaitMs: fc.option(fc.integer({ min: 0, max: 180_000 })),
        }),
        async (calls, { requests, tokens, isHalf, maxWaitMs }) => {
          const took = (call: ModelCall): number => Number(call.role.split(' ')[1])
          const { clock, made, ask, order } = limited(
            {
              requestsPerMinute: requests,
              tokensPerMinute: tokens,
              maxWaitMs: maxWaitMs ?? Infinity,
              estimate: took,
            },
            (call) =>
              generated('yes', {
                usage: { input: isHalf ? Math.floor(took(call) / 2) : took(call), output: 0 },
              }),
          )
          for (const [index, { after, tokens: one }] of calls.entries()) {
            await clock.advance(after)
            ask(`${index} ${one}`)
            await clock.advance(0)
          }
          await clock.advance(calls.length * 60_000)
          const indexes = order().map((name) => Number(name.split(' ')[0]))
          assert.deepEqual(
            indexes,
            indexes.toSorted((a, b) => a - b),
          )
          if (maxWaitMs === null) assert.equal(indexes.length, calls.length)
          for (const { at: from } of made) {
            const within = made.filter(({ at }) => at >= from && at < from + 60_000)
            assert.ok(within.length <= requests)
            const sum = within.reduce((all, { name }) => {
              const one = Number(name.split(' ')[1])
              return all + (isHalf ? Math.floor(one / 2) : one)
            }, 0)
            assert.ok(sum <= tokens)
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  test('holds for each of very many models, and starts again after its minute', async () => {
    const { clock, ask, made } = limited({ requestsPerMinute: 1, maxWaitMs: 0 })
    for (let round = 1; round <= 3; round++) {
      for (let n = 0; n < 240; n++) await ask(`${n}`, { model: `p/${n % 120}` }).answer
      assert.equal(made.length, round * 120)
      await clock.advance(60_000)
    }
  })

  test('counts calls close to each other from the last of them', async () => {
    const { clock, ask, made } = limited({ requestsPerMinute: 2, maxWaitMs: 90_000 })
    await ask('a').answer
    await clock.advance(999)
    for (const name of ['b', 'c', 'd']) ask(name)
    await clock.advance(0)
    await clock.advance(90_000)
    assert.deepEqual(
      made.map(({ at }) => at),
      [0, 999, 60_999, 60_999],
    )
  })

  test('rejects invalid options', () => {
    for (const options of [
      {},
      { requestsPerMinute: 0 },
      { tokensPerMinute: 1.5 },
      { requestsPerMinute: 1, maxWaitMs: -1 },
      { models: { a: { requestsPerMinute: -1 } } },
      {
        requestsPerMinute: 1,
        by: 'provider' as const,
        models: { 'a/one': { requestsPerMinute: 2 } },
      },
    ]) {
      assert.throws(() => rateLimit(options), { code: 'INVALID_CONFIG' })
    }
  })
})
