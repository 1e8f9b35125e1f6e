import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { z } from 'zod'
import type {
  MiddlewareRun,
  ModelCall,
  ModelOutcome,
  TurnEnd,
} from '../../core/extension/middleware.ts'
import { MOST_STATE_BYTES } from '../../core/state/state.ts'
import { Thread, userMessage } from '../../core/message/thread.ts'
import { failed, generated, modelCall, testRun } from '../../testing/middleware-run.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { variantFor } from './ab-assignment.ts'
import { abResults } from './ab-results.ts'
import { abSplit, type AbSplitOptions } from './ab-split.ts'
import { compose } from '../compose.ts'

const TWO = [{ name: 'a' }, { name: 'b' }]
const END: TurnEnd = { status: 'finished', reason: 'stop', text: 'done' }

/** A turn with one model call through a split. */
function splitting(
  options: Partial<AbSplitOptions> = {},
  outcome: ModelOutcome = generated('yes'),
) {
  const clock = new SetClock(0)
  const middleware = abSplit({ experiment: 'tone', variants: TWO, ...options })
  const { turn, prompt, generate } = compose([middleware])
  const sent: ModelCall[] = []
  const run = async (testedRun: MiddlewareRun, call = modelCall()): Promise<string> => {
    const answer = async (): Promise<TurnEnd> => {
      const filtered = await prompt?.(call.prompt, async (passed) => passed, testedRun)
      const model = async (passed: ModelCall): Promise<ModelOutcome> => {
        sent.push(passed)
        await clock.advance(100)
        return outcome
      }
      await generate?.({ ...call, prompt: filtered ?? call.prompt }, model, testedRun)
      return END
    }
    const asked = { messages: [userMessage('hi')], history: Thread.of([]) }
    await turn?.(asked, answer, testedRun)
    return middleware.read?.(testedRun).variant ?? ''
  }
  return { run, sent, clock, middleware }
}

describe('[C-34] a split between variants', () => {
  test('assigns units by weight, each unit always to the same variant', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(
        weights.filter((all) => all.some((weight) => weight > 0)),
        fc.string(),
        (all, experiment) => {
          const variants = all.map((weight, index) => ({ name: `v${index}`, weight }))
          const sum = all.reduce((a, b) => a + b)
          const had = new Map<string, number>()
          for (let unit = 0; unit < 2000; unit++) {
            const name = variantFor(variants, experiment, `unit ${unit}`)?.name ?? ''
            assert.equal(variantFor(variants, experiment, `unit ${unit}`)?.name, name)
            had.set(name, (had.get(name) ?? 0) + 1)
          }
          for (const { name, weight } of variants) {
            const expected = weight / sum
            const off = (had.get(name) ?? 0) / 2000 - expected
            // Five standard deviations.
            assert.ok(Math.abs(off) <= 5 * Math.sqrt((expected * (1 - expected)) / 2000))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('differs between experiments and is independent of them', () => {
    const counts = { same: 0, other: 0 }
    for (let unit = 0; unit < 2000; unit++) {
      const variants = TWO.map(({ name }) => ({ name, weight: 1 }))
      const [one, two] = ['tone', 'length'].map((name) => variantFor(variants, name, `${unit}`))
      counts[one?.name === two?.name ? 'same' : 'other']++
    }
    assert.ok(Math.abs(counts.same - 1000) < 5 * Math.sqrt(500), JSON.stringify(counts))
  })

  test('assigns by session, else by caller, else by run, or as configured', async () => {
    const variantsOf = async (
      by: AbSplitOptions['by'],
      hostOf: (n: number) => Parameters<typeof testRun>[0],
    ): Promise<number> => {
      const had = new Set<string>()
      for (let n = 0; n < 20; n++) {
        had.add(await splitting(by && { by }).run(testRun({ runId: `run-${n}`, ...hostOf(n) })))
      }
      return had.size
    }
    assert.equal(await variantsOf(undefined, () => ({})), 2)
    assert.equal(await variantsOf(undefined, () => ({ session: 's' })), 1)
    assert.equal(await variantsOf(undefined, () => ({ caller: 'ada' })), 1)
    assert.equal(await variantsOf(undefined, (n) => ({ caller: 'ada', session: `s-${n}` })), 2)
    assert.equal(await variantsOf('caller', (n) => ({ caller: 'ada', session: `s-${n}` })), 1)
    assert.equal(await variantsOf('run', () => ({ session: 's' })), 2)
  })

  test("applies the variant's settings to a call", async () => {
    const variants = [
      { name: 'old', weight: 0 },
      { name: 'new', model: 'b/two', instructions: 'Be brief.', sampling: { temperature: 0 } },
    ]
    const { run, sent } = splitting({ variants })
    await run(testRun(), modelCall({ sampling: { temperature: 1, seed: 3 } }))
    assert.equal(sent[0]?.model, 'b/two')
    assert.deepEqual(sent[0]?.sampling, { temperature: 0, seed: 3 })
    assert.deepEqual(sent[0]?.prompt.head, [{ role: 'system', content: 'Be brief.' }])
    await run(testRun(), modelCall({ model: 'c/three' }))
    assert.equal(sent[1]?.model, 'c/three')
  })

  test('emits the assignment and its result', async () => {
    const { run, clock } = splitting({
      variants: [{ name: 'a' }, { name: 'b', weight: 0 }],
      judge: ({ text }, { variant }) => text === 'done' && variant === 'a',
    })
    const testedRun = testRun({ clock })
    await run(testedRun)
    const { turn } = z.object({ turn: z.string() }).parse(testedRun.told[1]?.data)
    assert.match(turn, /^[a-z0-9]+$/)
    assert.deepEqual(
      testedRun.told.map(({ event, data }) => [event, data]),
      [
        ['variant', { experiment: 'tone', variant: 'a' }],
        [
          'result',
          {
            experiment: 'tone',
            runId: 'run-1',
            turn,
            variant: 'a',
            success: true,
            cost: 0.01,
            tokens: 15,
            ms: 100,
          },
        ],
      ],
    )
  })

  test('keeps the recorded variant when weights change', async () => {
    const before = splitting({ variants: [{ name: 'a' }, { name: 'b', weight: 0 }] })
    const testedRun = testRun({ session: 's' })
    assert.equal(await before.run(testedRun), 'a')
    const saved = testedRun.record()
    const after = splitting({ variants: [{ name: 'a', weight: 0 }, { name: 'b' }] })
    const resumed = testRun({ session: 's', runId: 'run-2', saved })
    assert.equal(await after.run(resumed), 'a')
    assert.ok(!resumed.told.some(({ event }) => event === 'variant'))
    assert.equal(await after.run(testRun({ session: 's' })), 'b')
    const gone = splitting({ variants: [{ name: 'b' }, { name: 'c', weight: 0 }] })
    const other = testRun({ session: 's', saved })
    assert.equal(await gone.run(other), 'b')
    assert.deepEqual(other.told[0]?.data, { experiment: 'tone', variant: 'b', instead: 'a' })
  })

  test("counts a run's usage before and after a break, and no other run's", async () => {
    const results = abResults()
    const testedRun = testRun({ session: 's' })
    const first = splitting({ results }, generated('yes', { cost: 0.25 }))
    await first.run(testedRun)
    const saved = testedRun.record()
    // The same run, resumed in another process.
    const later = abResults()
    const second = splitting({ results: later }, generated('yes', { cost: 0.5 }))
    await second.run(testRun({ session: 's', saved }))
    assert.equal(Object.values(later.figures())[0]?.cost.value, 0.75)
    await second.run(testRun({ session: 's', runId: 'run-2', saved }))
    assert.equal(Object.values(later.figures())[0]?.cost.value, (0.75 + 0.5) / 2)
  })

  test('treats a judge that throws or hangs as no judgment', async () => {
    const tried = async (judge: NonNullable<AbSplitOptions['judge']>) => {
      const results = abResults()
      const made = splitting({ results, judge, judgeMs: 1000 })
      const testedRun = testRun({ clock: made.clock })
      const running = made.run(testedRun)
      while (made.sent.length === 0) await made.clock.advance(0)
      for (let time = 0; time < 5; time++) await made.clock.advance(1000)
      await running
      const { success } = Object.values(results.figures())[0] ?? {}
      return [success?.n, testedRun.told.find(({ event }) => event === 'judge-failed')?.data]
    }
    assert.deepEqual(await tried(() => true), [1, undefined])
    assert.deepEqual(await tried(() => undefined), [0, undefined])
    assert.deepEqual(
      await tried(() => {
        throw new Error('no idea')
      }),
      [0, { message: 'no idea' }],
    )
    assert.deepEqual(await tried(() => new Promise(() => undefined)), [
      0,
      { message: 'no answer within 1000 ms' },
    ])
  })

  test('keeps the answer when figures are invalid or the results collector throws', async () => {
    const results = abResults()
    const odd = generated('yes', { cost: Number.NaN, usage: { input: Number.NaN, output: 5 } })
    const testedRun = testRun()
    await splitting({ results }, odd).run(testedRun)
    testedRun.record()
    const [figures] = Object.values(results.figures())
    assert.deepEqual([figures?.unpriced, figures?.tokens.value], [1, 5])
    const broken = { ...results, add: () => assert.fail('no room') }
    const other = testRun()
    await splitting({ results: broken }).run(other)
    assert.deepEqual(other.told.at(-1)?.data, { message: 'no room' })
    assert.equal(other.told.at(-1)?.event, 'results-failed')
  })

  test('supports several experiments at once', () => {
    const middlewares = [
      abSplit({ experiment: 'tone', variants: TWO }),
      abSplit({ experiment: 'length', variants: TWO }),
    ]
    assert.deepEqual(
      compose(middlewares).slots.map(({ key }) => key),
      ['tone/abSplit', 'length/abSplit'],
    )
    assert.throws(() => compose([...middlewares, ...middlewares]), { code: 'INVALID_DEFINITION' })
  })

  test('rejects invalid options and states of another shape', async () => {
    for (const options of [
      { experiment: 'no way' },
      { variants: [{ name: 'a' }] },
      { variants: [{ name: 'a' }, { name: 'a' }] },
      { variants: [{ name: 'a' }, { name: 'not this' }] },
      {
        variants: [
          { name: 'a', weight: 0 },
          { name: 'b', weight: 0 },
        ],
      },
      { variants: [{ name: 'a', weight: -1 }, { name: 'b' }] },
      { judgeMs: 0 },
    ]) {
      assert.throws(() => abSplit({ experiment: 'tone', variants: TWO, ...options }), {
        code: 'INVALID_CONFIG',
      })
    }
    const { run, middleware } = splitting({}, failed('unavailable'))
    const testedRun = testRun({ session: 's'.repeat(5000) })
    await run(testedRun)
    assert.ok(Buffer.byteLength(JSON.stringify(testedRun.record())) < MOST_STATE_BYTES)
    assert.ok(middleware.slot?.refusal({ variant: 'a', unit: '', run: { id: '' } }))
  })
})

describe('[C-34] the results of a split', () => {
  const run = { experiment: 'tone', turn: 't', cost: 0.01, tokens: 100, ms: 1000, success: true }

  test('have figures with intervals for each variant, and differences between two', () => {
    const results = abResults()
    for (let n = 0; n < 200; n++) {
      const variant = n % 2 === 0 ? 'old' : 'new'
      const isNew = variant === 'new'
      results.add({
        experiment: 'tone',
        runId: `run-${n}`,
        turn: 't',
        variant,
        success: n % 10 < (isNew ? 9 : 5),
        cost: n % 20 === 0 ? null : 0.01 * (isNew ? 2 : 1) + 0.001 * (n % 3),
        tokens: 100 + (n % 7),
        ms: 1000 + (isNew ? 0 : 500) + (n % 11),
      })
    }
    const { old, new: fresh } = results.figures()
    assert.deepEqual([old?.runs, old?.unpriced, old?.cost.n], [100, 10, 90])
    assert.deepEqual([old?.success.value, fresh?.success.value], [0.6, 0.8])
    const { success, cost, tokens, ms } = results.compare('new', 'old')
    assert.ok(success.value !== null && Math.abs(success.value - 0.2) < 1e-9)
    assert.ok((success.low ?? 0) > 0 && (success.high ?? 1) < 0.4)
    assert.ok((cost.low ?? 0) > 0.008 && (cost.high ?? 1) < 0.012)
    assert.ok((tokens.low ?? 1) < 0 && (tokens.high ?? -1) > 0, 'as many as each other')
    assert.ok((ms.high ?? 0) < -490)
  })

  test('count each run once, and only judged runs as judged', () => {
    const results = abResults()
    for (const runId of ['1', '1', '2']) results.add({ runId, variant: 'a', ...run })
    results.add({ ...run, runId: '3', variant: 'a', success: null })
    const { a } = results.figures()
    assert.deepEqual([a?.runs, a?.success.n], [3, 2])
    assert.throws(() => results.compare('a', 'b'), { code: 'INVALID_INPUT' })
  })

  test('accept only the data of an event', async () => {
    const results = abResults()
    const testedRun = testRun()
    await splitting({ judge: () => true }).run(testedRun)
    results.add(testedRun.told.at(-1)?.data ?? null)
    const before = results.figures()
    assert.equal(Object.values(before)[0]?.runs, 1)
    const whole = { ...run, runId: '1', variant: 'a' }
    for (const wrong of [
      null,
      'result',
      {},
      { ...whole, cost: Number.NaN },
      { ...whole, tokens: '100' },
      { ...whole, success: 'yes' },
      { ...whole, experiment: 'length' },
    ]) {
      assert.throws(() => results.add(wrong), { code: 'INVALID_INPUT' })
    }
    assert.deepEqual(results.figures(), before)
  })
})
