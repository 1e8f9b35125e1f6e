import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import { PROBLEMS, type ProblemCode } from '../../core/model/problem.ts'
import {
  failed,
  generated,
  modelCall,
  type TestRun,
  testRun,
} from '../../testing/middleware-run.ts'
import { compose } from '../compose.ts'
import { modelOf, modelThrough } from '../in-tests.ts'
import { retry, type RetryOptions } from './retry.ts'

const CODES = Object.keys(PROBLEMS).filter((code): code is ProblemCode => code in PROBLEMS)

/** Advances the clock until the call ends, and returns when the model was called. */
async function timed(
  options: RetryOptions,
  outcomes: readonly ModelOutcome[],
  { testedRun = testRun(), call = modelCall() }: { testedRun?: TestRun; call?: ModelCall } = {},
): Promise<{ outcome: ModelOutcome; times: number[] }> {
  const began = testedRun.clock.now()
  const times: number[] = []
  const answer = modelOf(...outcomes)
  const model = (asked: ModelCall): Promise<ModelOutcome> => {
    // A policy that never gives up must fail here instead of running forever.
    assert.ok(times.push(testedRun.clock.now() - began) <= 100, 'the model is asked without end')
    return answer(asked)
  }
  const end = { isOver: false }
  const running = modelThrough([retry(options)], model)(call, testedRun).finally(() => {
    end.isOver = true
  })
  await testedRun.clock.advance(0)
  for (let turn = 0; !end.isOver && turn < 100; turn++) await testedRun.clock.advance(60_000)
  return { outcome: await running, times }
}

const steady = { jitter: 0 }

test('[C-21] retries a failed call with doubling waits, and returns the last outcome', async () => {
  const down = failed('unavailable')
  const well = await timed(steady, [down, down, generated('yes')])
  assert.equal(well.outcome.type, 'generated')
  assert.deepEqual(well.times, [0, 500, 1500])
  const ill = await timed(steady, [down])
  assert.deepEqual(ill.times, [0, 500, 1500])
  assert.deepEqual(ill.outcome, failed('unavailable', { attempts: 3 }))
})

test('[C-21] replaces the built-in retry, so that attempts never multiply', () => {
  assert.deepEqual([...compose([retry()]).replaces], ['retry'])
})

test('[C-21] retries only transient failures unless others are configured', async () => {
  for (const code of CODES) {
    const failure = failed(code)
    const { times } = await timed({}, [failure])
    assert.equal(times.length, failure.error.retryable ? 3 : 1, code)
    const chosen = await timed({ on: ['quota'] }, [failure])
    assert.equal(chosen.times.length, code === 'quota' ? 3 : 1, code)
  }
})

test('[C-21] skips the wait for a retry that the budget would refuse', async () => {
  const testedRun = testRun({ mayCall: (role) => role !== modelCall().role })
  const { outcome, times } = await timed(steady, [failed('unavailable')], { testedRun })
  assert.deepEqual(times, [0])
  assert.deepEqual(outcome, failed('unavailable'))
})

test('[C-21] models have their own rules, by the longest matching name prefix', async () => {
  const options: RetryOptions = {
    ...steady,
    retries: 1,
    models: { 'openai/': { retries: 3, baseMs: 10 }, 'openai/gpt-5': { retries: 0 } },
  }
  const triesOf = async (model: string): Promise<readonly number[]> =>
    (await timed(options, [failed('unavailable')], { call: modelCall({ model }) })).times
  assert.deepEqual(await triesOf('openai/gpt-4'), [0, 10, 30, 70])
  assert.deepEqual(await triesOf('openai/gpt-5-nano'), [0])
  assert.deepEqual(await triesOf('google/gemini'), [0, 500])
  const bound = modelCall({ modelId: 'openai/gpt-5' })
  assert.equal((await timed(options, [failed('unavailable')], { call: bound })).times.length, 1)
})

test('[C-21] emits each retry before its wait', async () => {
  const testedRun = testRun()
  await timed(steady, [failed('rate-limit', { retryAfterMs: 7000 }), generated('yes')], {
    testedRun,
  })
  assert.deepEqual(testedRun.told, [
    {
      middleware: 'retry',
      event: 'retry',
      data: {
        model: 'test/model',
        attempt: 1,
        code: 'rate-limit',
        message: 'rate-limit',
        waitMs: 7000,
      },
    },
  ])
})

test("[C-21] never retries earlier than asked, more often than allowed, or beyond the run's time", async () => {
  const problem = fc.record({
    code: fc.constantFrom<ProblemCode>('rate-limit', 'unavailable', 'auth'),
    retryAfterMs: fc.integer({ min: 0, max: 30_000 }),
  })
  const settings = fc.record({
    retries: fc.integer({ min: 0, max: 5 }),
    baseMs: fc.integer({ min: 0, max: 5000 }),
    factor: fc.integer({ min: 1, max: 4 }),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    longestWaitMs: fc.integer({ min: 0, max: 20_000 }),
  })
  const cases = fc.asyncProperty(
    settings,
    fc.array(problem, { minLength: 1, maxLength: 7 }),
    fc.integer({ min: 1, max: 60_000 }),
    async (options, problems, ms) => {
      const testedRun = testRun({ ms })
      const failures = problems.map(({ code, retryAfterMs }) => failed(code, { retryAfterMs }))
      const { outcome, times } = await timed(options, failures, { testedRun })
      assert.ok(times.length <= options.retries + 1)
      assert.ok((times.at(-1) ?? 0) < ms)
      assert.equal(outcome.type === 'failed' && outcome.error.attempts, times.length)
      for (const [index, time] of times.slice(1).entries()) {
        const after = problems[Math.min(index, problems.length - 1)]
        const waited = time - (times[index] ?? 0)
        assert.notEqual(after?.code, 'auth')
        assert.ok(waited >= (after?.retryAfterMs ?? 0) - 1e-6)
        assert.ok(waited <= options.longestWaitMs + 1e-6)
      }
    },
  )
  await fc.assert(cases, { numRuns: 60 })
})

test('a run canceled during the wait makes no more attempts', async () => {
  const testedRun = testRun()
  const model = modelOf(failed('unavailable'))
  const running = modelThrough([retry()], model)(modelCall(), testedRun)
  await testedRun.clock.advance(1)
  testedRun.cancel()
  const outcome = await running
  assert.equal(outcome.type === 'failed' && outcome.error.code, 'aborted')
  assert.equal(model.asked.length, 1)
  assert.equal(testedRun.clock.pending, 0)
})

test("a call with its own signal uses that instead of the run's", async () => {
  const testedRun = testRun()
  const own = new AbortController()
  const model = modelOf(failed('unavailable'), generated('yes'))
  const call = modelCall({ signal: own.signal })
  const running = modelThrough([retry()], model)(call, testedRun)
  await testedRun.clock.advance(1)
  testedRun.cancel()
  await testedRun.clock.advance(1000)
  assert.equal((await running).type, 'generated')
})

test('if the budget refuses a retry the earlier failure is returned; a first refusal stays one', async () => {
  const refusal = { type: 'refused', by: 'budget', limit: 'money', message: 'none left' } as const
  const { outcome } = await timed({}, [failed('unavailable'), refusal])
  assert.deepEqual(outcome, failed('unavailable'))
  assert.deepEqual((await timed({}, [refusal])).outcome, refusal)
})

test('retries after text was shown, unless that is disabled', async () => {
  const speaking = (): { call: ModelCall; model: (call: ModelCall) => Promise<ModelOutcome> } => {
    const answers = modelOf(failed('unavailable'), generated('hello'))
    return {
      call: modelCall({ onText: () => undefined }),
      model: (call) => {
        call.onText?.('hel')
        return answers(call)
      },
    }
  }
  const run = async (options: RetryOptions): Promise<ModelOutcome> => {
    const testedRun = testRun()
    const { call, model } = speaking()
    const running = modelThrough([retry(options)], model)(call, testedRun)
    await testedRun.clock.advance(0)
    await testedRun.clock.advance(1000)
    return running
  }
  assert.equal((await run({})).type, 'generated')
  assert.equal((await run({ afterText: false })).type, 'failed')
  const unheard = await timed({ afterText: false }, [failed('unavailable'), generated('yes')])
  assert.equal(unheard.outcome.type, 'generated')
})

test('rejects invalid options', () => {
  for (const [options, name] of [
    [{ retries: 1.5 }, 'retries'],
    [{ baseMs: -1 }, 'baseMs'],
    [{ factor: 0.5 }, 'factor'],
    [{ longestWaitMs: NaN }, 'longestWaitMs'],
    [{ models: { 'openai/': { jitter: -1 } } }, 'jitter'],
  ] as const) {
    const message = new RegExp(`^retry: ${name} cannot be .*; give a (?:whole )?number from`)
    assert.throws(() => retry(options), { code: 'INVALID_CONFIG', message })
  }
})
