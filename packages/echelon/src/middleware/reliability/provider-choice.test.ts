import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { isJsonObject, type Json } from '../../core/value/json.ts'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import type { ProblemCode } from '../../core/model/problem.ts'
import { MOST_STATE_BYTES } from '../../core/state/state.ts'
import { failed, generated, modelCall, testRun } from '../../testing/middleware-run.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { fallback } from './fallback.ts'
import { modelThrough } from '../in-tests.ts'
import { providerChoice, type ProviderChoiceOptions } from './provider-choice.ts'

interface Temper {
  readonly ms?: number
  readonly cost?: number | null
  readonly fails?: ProblemCode
}

/** Models with behavior that may change, called from successive runs. */
function choosing(
  options: Partial<ProviderChoiceOptions>,
  tempers: Record<string, Temper>,
  seed = 1,
) {
  const clock = new SetClock(0)
  const shared = new Map<string, Json>()
  const middleware = providerChoice({
    models: Object.keys(tempers),
    explore: 0,
    fallBack: false,
    ...options,
  })
  const told: { readonly [key: string]: Json | undefined }[] = []
  const asked: string[] = []
  const testedRun = testRun({ clock, shared, seed })
  const through = modelThrough([middleware], async ({ model, modelId }): Promise<ModelOutcome> => {
    const name = typeof model === 'string' ? model : (model?.id ?? modelId)
    asked.push(name)
    const { ms = 100, cost = 0.01, fails } = tempers[name] ?? {}
    await clock.advance(ms)
    return fails === undefined ? generated('yes', { cost, model: name }) : failed(fails)
  })
  const call = async (times = 1, model?: string): Promise<readonly string[]> => {
    const before = asked.length
    for (let time = 0; time < times; time++) {
      await through(modelCall(model === undefined ? {} : { model }), testedRun)
    }
    told.splice(0, told.length)
    for (const { data } of testedRun.told) if (isJsonObject(data)) told.push(data)
    return asked.slice(before)
  }
  return { call, clock, shared, told, asked, through, testedRun }
}

const why = (told: readonly { readonly [key: string]: Json | undefined }[]): readonly Json[] =>
  told.map((data) => data['why'] ?? null)

describe('[C-34] a choice of models', () => {
  const three = {
    'a/quick': { ms: 100, cost: 0.05 },
    'b/cheap': { ms: 900, cost: 0.01 },
    'c/other': { ms: 500, cost: 0.03 },
  }

  test('tries each model first in turn, and then chooses by measurements', async () => {
    const { call, told } = choosing({ goal: 'fastest', trials: 2 }, three)
    assert.deepEqual(await call(9), [
      ...Object.keys(three),
      ...Object.keys(three),
      'a/quick',
      'a/quick',
      'a/quick',
    ])
    assert.deepEqual(why(told).slice(5), ['trial', 'best', 'kept', 'kept'])
    assert.deepEqual(told[6]?.['figures'], {
      'a/quick': {
        calls: 2,
        errors: 0,
        ms: 100,
        cost: 0.05,
        isDown: false,
        score: scoreOf(1 / 9, 1),
      },
      'b/cheap': {
        calls: 2,
        errors: 0,
        ms: 900,
        cost: 0.01,
        isDown: false,
        score: scoreOf(1, 0.2),
      },
      'c/other': {
        calls: 2,
        errors: 0,
        ms: 500,
        cost: 0.03,
        isDown: false,
        score: scoreOf(5 / 9, 0.6),
      },
    })
  })

  test('uses the configured goal or weights', async () => {
    const last = async (options: Partial<ProviderChoiceOptions>): Promise<string | undefined> =>
      (await choosing({ trials: 1, ...options }, three).call(4)).at(-1)
    assert.equal(await last({ goal: 'fastest' }), 'a/quick')
    assert.equal(await last({ goal: 'cheapest' }), 'b/cheap')
    assert.equal(await last({ goal: { cost: 1, latency: 1 } }), 'a/quick')
    assert.equal(await last({ goal: { cost: 3, latency: 1 } }), 'b/cheap')
    const flaky = { 'a/one': { fails: 'timeout' as const }, 'b/two': { ms: 9000, cost: 9 } }
    const { call } = choosing({ goal: 'most-reliable', trials: 1 }, flaky)
    assert.equal((await call(3)).at(-1), 'b/two')
  })

  test('treats an unknown cost as the highest, never as zero', async () => {
    const { call } = choosing(
      { goal: 'cheapest', trials: 1 },
      { 'a/unknown': { cost: null }, 'b/dear': { cost: 5 }, 'c/dearer': { cost: 6 } },
    )
    assert.equal((await call(4)).at(-1), 'b/dear')
  })

  test('includes the cost of failures in the price of an answer', async () => {
    const tempers: Record<string, Temper> = {
      'a/flaky': { cost: 0.03 },
      'b/steady': { cost: 0.04 },
    }
    const { call } = choosing({ goal: 'cheapest', trials: 4, downAfter: 50 }, tempers)
    await call(2)
    tempers['a/flaky'] = { fails: 'unavailable' }
    await call(4)
    tempers['a/flaky'] = { cost: 0.03 }
    await call(2)
    assert.equal((await call(1))[0], 'b/steady', 'half of the other’s calls failed')
  })

  test('keeps the current model until another is better by the margin', async () => {
    const tempers: Record<string, Temper> = { 'a/one': { ms: 100 }, 'b/two': { ms: 110 } }
    const { call } = choosing({ goal: { latency: 1 }, trials: 1, margin: 0.3 }, tempers)
    assert.equal((await call(3)).at(-1), 'a/one')
    tempers['a/one'] = { ms: 140 }
    assert.deepEqual(new Set(await call(30)), new Set(['a/one']))
    tempers['a/one'] = { ms: 400 }
    assert.equal((await call(30)).at(-1), 'b/two')
  })

  test('sends no calls to a model that is down; one call probes it after its cooldown', async () => {
    const tempers: Record<string, Temper> = {
      'a/one': { ms: 1, fails: 'unavailable' },
      'b/two': { ms: 50 },
    }
    const { call, clock, told } = choosing({ goal: 'fastest', downMs: 10_000 }, tempers)
    await call(6)
    assert.deepEqual(new Set(await call(20)), new Set(['b/two']))
    await clock.advance(10_000)
    assert.deepEqual(await call(3), ['a/one', 'b/two', 'b/two'])
    assert.equal(why(told).at(-3), 'probe')
    tempers['a/one'] = { ms: 1 }
    await clock.advance(10_000)
    assert.deepEqual(await call(3), ['a/one', 'a/one', 'a/one'])
  })

  test('calls the model that failed longest ago if all are down', async () => {
    const down: Temper = { fails: 'unavailable' }
    const { call, told } = choosing({ trials: 1, downAfter: 1 }, { 'a/one': down, 'b/two': down })
    assert.deepEqual(await call(4), ['a/one', 'b/two', 'a/one', 'b/two'])
    assert.deepEqual(why(told), ['trial', 'trial', 'all-down', 'all-down'])
  })

  test("explores by the run's seed, and finds a model that has improved", async () => {
    const tempers: Record<string, Temper> = { 'a/one': { ms: 100 }, 'b/two': { ms: 200 } }
    const run = async (seed: number) => {
      const made = choosing({ goal: 'fastest', trials: 1, explore: 0.2 }, { ...tempers }, seed)
      return made.call(60)
    }
    assert.deepEqual(await run(1), await run(1))
    assert.notDeepEqual(await run(1), await run(2))
    const made = choosing({ goal: 'fastest', trials: 1, explore: 0.2 }, tempers)
    const first = await made.call(60)
    assert.ok(first.filter((name) => name === 'a/one').length > 40)
    assert.ok(why(made.told).includes('explore'))
    tempers['b/two'] = { ms: 10 }
    const later = (await made.call(300)).slice(-60)
    assert.ok(later.filter((name) => name === 'b/two').length > 40)
  })

  test('tries several models at the same time', async () => {
    const { through, testedRun, asked } = choosing({ trials: 1 }, three)
    await Promise.all([1, 2, 3].map(() => through(modelCall(), testedRun)))
    assert.deepEqual(asked.toSorted(), Object.keys(three))
  })

  test('compares no model before its first call ends, and probes with one call at a time', async () => {
    const hangs = Promise.withResolvers<ModelOutcome>()
    const clock = new SetClock(0)
    const middleware = providerChoice({
      models: ['a/1', 'b/2'],
      explore: 0,
      trials: 1,
      downAfter: 1,
    })
    const asked: (string | undefined)[] = []
    let isDown = false
    const through = modelThrough([middleware], async ({ model }) => {
      asked.push(typeof model === 'string' ? model : undefined)
      if (model === 'b/2') {
        await clock.advance(10)
        return generated('b', { model })
      }
      return isDown ? failed('unavailable') : hangs.promise
    })
    const testedRun = testRun({ clock })
    const first = through(modelCall(), testedRun)
    for (let time = 0; time < 2; time++) await through(modelCall(), testedRun)
    assert.deepEqual(asked.splice(0), ['a/1', 'b/2', 'b/2'])
    hangs.resolve(failed('unavailable'))
    await first
    asked.splice(0)
    isDown = true
    await clock.advance(60_000)
    await Promise.all([1, 2, 3].map(() => through(modelCall(), testedRun)))
    assert.equal(asked.filter((name) => name === 'a/1').length, 1)
  })

  test('calls no other model that is down, and none after a cancel', async () => {
    const tempers: Record<string, Temper> = { 'a/1': {}, 'b/2': {}, 'c/3': { fails: 'timeout' } }
    const options = { fallBack: true, trials: 1, downAfter: 1 }
    const { call } = choosing({ ...options, goal: 'fastest' }, tempers)
    await call(3)
    tempers['a/1'] = { fails: 'unavailable' }
    tempers['b/2'] = { fails: 'unavailable' }
    assert.deepEqual(await call(1), ['a/1', 'b/2'])
    const testedRun = testRun()
    let made = 0
    const through = modelThrough([providerChoice({ models: ['a/1', 'b/2'] })], async () => {
      made++
      testedRun.cancel()
      return failed('unavailable')
    })
    await through(modelCall(), testedRun)
    assert.equal(made, 1)
  })

  test('does not redirect a call that names its model, but measures it', async () => {
    const { call, shared, asked } = choosing({ trials: 1 }, three)
    await call(1, 'b/cheap')
    await call(1, 'x/elsewhere')
    assert.deepEqual(asked, ['b/cheap', 'x/elsewhere'])
    const state = shared.get('echelon/providerChoice')
    assert.ok(isJsonObject(state) && isJsonObject(state['models']))
    assert.deepEqual(Object.keys(state['models']), ['b/cheap'])
    const outside = [fallback(['c/other']), providerChoice({ models: ['a/quick', 'b/cheap'] })]
    const through = modelThrough(outside, async ({ model }) =>
      model === 'c/other' ? generated('c') : failed('unavailable'),
    )
    const outcome = await through(modelCall(), testRun())
    assert.equal(outcome.type === 'generated' && outcome.text, 'c')
  })

  test('calls the next best models when the chosen one fails, each once', async () => {
    const down: Temper = { fails: 'unavailable' }
    const tempers: Record<string, Temper> = { 'a/1': {}, 'b/2': { ms: 50 }, 'c/3': { ms: 80 } }
    const { call, told } = choosing({ goal: 'fastest', fallBack: true, trials: 1 }, tempers)
    await call(4)
    tempers['b/2'] = down
    assert.deepEqual(await call(1), ['b/2', 'c/3'])
    assert.deepEqual(why(told).slice(-2), ['kept', 'instead'])
    Object.assign(tempers, { 'a/1': down, 'c/3': down })
    assert.equal((await call(1)).length, 3)
    tempers['b/2'] = tempers['c/3'] = tempers['a/1'] = { fails: 'content-filter' }
    assert.equal((await call(1)).length, 1)
  })

  test('learns that a model does not accept the requests', async () => {
    const tempers = { 'a/picky': { fails: 'invalid-request' as const }, 'b/two': { cost: 5 } }
    const { call, told } = choosing({ goal: 'cheapest', trials: 2, downAfter: 2 }, tempers)
    assert.equal((await call(4)).filter((name) => name === 'a/picky').length, 2)
    assert.deepEqual(new Set(await call(10)), new Set(['b/two']))
    assert.ok(told.length > 0)
    const falling = choosing({ fallBack: true, trials: 1 }, tempers)
    assert.deepEqual(await falling.call(1), ['a/picky', 'b/two'])
  })

  test('calls another model if the remaining money does not cover the chosen one', async () => {
    const no = (limit: string): ModelOutcome => ({
      type: 'refused',
      by: 'budget',
      limit,
      message: 'no',
    })
    for (const fallBack of [true, false]) {
      const middleware = providerChoice({ models: ['a/dear', 'b/cheap'], explore: 0, fallBack })
      const asked: (string | undefined)[] = []
      const outcomes: ModelOutcome[] = [no('money'), generated('yes')]
      const through = modelThrough([middleware], async ({ model }) => {
        asked.push(typeof model === 'string' ? model : model?.id)
        return outcomes.shift() ?? no('calls.small')
      })
      const testedRun = testRun()
      assert.equal((await through(modelCall(), testedRun)).type, 'generated')
      assert.deepEqual(asked.splice(0), ['a/dear', 'b/cheap'])
      assert.equal((await through(modelCall(), testedRun)).type, 'refused')
      assert.deepEqual(asked.splice(0), ['a/dear'], 'no other has another limit of calls')
      outcomes.push(no('money.small'), no('money'))
      const outcome = await through(modelCall(), testedRun)
      assert.equal(outcome.type === 'refused' && outcome.limit, 'money.small')
      assert.equal(asked.length, 2)
    }
  })

  test('never calls a model that is down while another is up', async () => {
    const fate = fc.array(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), {
      minLength: 1,
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(
        fate,
        fc.integer(),
        fc.integer({ min: 1, max: 3 }),
        async (fates, seed, down) => {
          const tempers: Record<string, Temper> = { 'a/1': {}, 'b/2': {}, 'c/3': {} }
          const names = Object.keys(tempers)
          const made = choosing(
            { goal: 'fastest', explore: 0.3, trials: 2, downAfter: down, downMs: 1000 },
            tempers,
            seed,
          )
          // Facts that follow from the outcomes alone.
          const seen = new Map(names.map((name) => [name, { failing: 0, at: 0 }]))
          const isDown = (name: string): boolean => {
            const { failing = 0, at = 0 } = seen.get(name) ?? {}
            return failing >= down && made.clock.now() < at + 1000
          }
          for (const fates3 of fates) {
            for (const [index, name] of names.entries())
              tempers[name] = {
                ms: 60,
                ...(fates3[index] === true ? { fails: 'unavailable' } : {}),
              }
            const before = new Set(names.filter(isDown))
            const [name = ''] = await made.call()
            assert.ok(!before.has(name) || before.size === names.length)
            const failing = tempers[name]?.fails === undefined ? 0 : 1
            const had = seen.get(name)?.failing ?? 0
            seen.set(name, { failing: failing * (had + 1), at: made.clock.now() })
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('keeps sixteen models within the state size', async () => {
    const names = Array.from({ length: 16 }, (_, n) => `p-${n}/${'m'.repeat(64)}`.slice(0, 64))
    const temper = { ms: 1234.5678912, cost: 0.000012345678 }
    const { call, shared } = choosing(
      { trials: 3 },
      Object.fromEntries(names.map((name) => [name, temper])),
    )
    await call(40)
    await call(16)
    // Of another agent that shares the states.
    const others = names.map((name) => `o${name}`.slice(0, 64))
    const other = providerChoice({ models: others })
    const testedRun = testRun({ shared, clock: new SetClock() })
    const through = modelThrough([other], async () => generated('yes', temper))
    for (let time = 0; time < 48; time++) await through(modelCall(), testedRun)
    const state = shared.get('echelon/providerChoice')
    assert.ok(Buffer.byteLength(JSON.stringify(state)) <= MOST_STATE_BYTES)
  })

  test('rejects invalid options and states of another shape', () => {
    const models = ['a/1', 'b/2']
    for (const options of [
      { models: ['a/1'] },
      { models: ['a/1', 'a/1'] },
      { models: Array.from({ length: 17 }, (_, n) => `p/${n}`) },
      { models, goal: {} },
      { models, goal: { cost: -1, latency: 2 } },
      { models, explore: 1.5 },
      { models, margin: 1 },
      { models, trials: 0 },
    ]) {
      assert.throws(() => providerChoice(options), { code: 'INVALID_CONFIG' })
    }
    const { slot } = providerChoice({ models })
    assert.ok(slot?.refusal({ current: '', models: { 'a/1': { calls: 1 } } }))
  })
})

/** Score for the goal `fastest` without failures. */
function scoreOf(latency: number, cost: number): number {
  return (latency + 0.01 * cost) / 1.02
}
