import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { pause } from '../../core/value/abortable.ts'
import { calledModel } from '../../core/model/called-model.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { Generated } from '../../core/agent/observation.ts'
import {
  failed,
  generated,
  modelCall,
  type TestRun,
  testRun,
} from '../../testing/middleware-run.ts'
import { modelThrough } from '../in-tests.ts'
import { parallel, type ParallelOptions } from './parallel.ts'

/** A model's outcome after so many milliseconds; a text is an answer. */
type Act = readonly [ms: number, what: string | ModelOutcome]

interface Asked {
  readonly model: string
  readonly at: number
  end: 'open' | 'answered' | 'given up'
}

/** Models with delays that obey their signals. */
function acting(run: TestRun, acts: Readonly<Record<string, Act>>) {
  const start = run.clock.now()
  const asked: Asked[] = []
  const model = async (call: ModelCall): Promise<ModelOutcome> => {
    const name = calledModel(call)
    const one: Asked = { model: name, at: run.clock.now() - start, end: 'open' }
    asked.push(one)
    const [ms, what] = acts[name] ?? assert.fail(`nobody plays ${name}`)
    const signal = call.signal ?? assert.fail('it has a signal')
    await pause(run.clock, ms, signal)
    one.end = signal.aborted ? 'given up' : 'answered'
    if (signal.aborted) return failed('aborted')
    if (typeof what !== 'string') return what
    for (const piece of what.split(/(?<= )/)) call.onText?.(piece)
    return generated(what, { model: name })
  }
  return Object.assign(model, { asked })
}

const OWN = 'test/model'

/** A call to the agent's own model, `b` and `c`, with these delays. */
async function contest(
  acts: Readonly<Record<string, Act>>,
  options: ParallelOptions,
  more: { readonly ms?: number; readonly call?: Partial<ModelCall> } = {},
) {
  const run = testRun()
  const model = acting(run, acts)
  const others = Object.keys(acts).filter((name) => name !== OWN)
  const asking = modelThrough([parallel(others, options)], model)
  const outcome = asking(modelCall(more.call), run)
  await run.clock.advance(0)
  await run.clock.advance(more.ms ?? 10_000)
  return { outcome: await outcome, asked: model.asked, run }
}

const textOf = (outcome: ModelOutcome): unknown =>
  outcome.type === 'generated' ? outcome.text : outcome

describe('[C-34] the first good answer', () => {
  const first = { mode: 'first' } as const

  test('wins, and the others are aborted before it is returned', async () => {
    const acts = { [OWN]: [300, 'slow'], b: [100, 'fast'], c: [200, 'middle'] } as const
    const { outcome, asked, run } = await contest(acts, first, { ms: 100 })
    assert.equal(textOf(outcome), 'fast')
    assert.deepEqual(
      asked.map(({ model, at, end }) => [model, at, end]),
      [
        [OWN, 0, 'given up'],
        ['b', 0, 'answered'],
        ['c', 0, 'given up'],
      ],
    )
    assert.deepEqual(run.told, [
      { middleware: 'parallel', event: 'won', data: { model: 'b', asked: [OWN, 'b', 'c'] } },
    ])
    assert.equal(run.clock.pending, 0)
  })

  test('has the tokens of all answers, and an unknown cost if one was aborted', async () => {
    const empty = generated('', { usage: { input: 3, output: 0 }, cost: 0.5 })
    const all = await contest({ [OWN]: [1, empty], b: [2, 'yes'] }, first)
    assert.deepEqual(
      all.outcome,
      generated('yes', { model: 'b', usage: { input: 13, output: 5 }, cost: 0.51 }),
    )
    const cut = await contest({ [OWN]: [1, 'yes'], b: [2, 'late'] }, first)
    assert.deepEqual(cut.outcome, generated('yes', { cost: null }))
  })

  test('is not a failure, an empty or truncated answer, or one that `good` rejects', async () => {
    const acts = {
      [OWN]: [1, failed('unavailable')],
      b: [2, '  '],
      c: [3, generated('half', { finish: 'length' })],
      d: [4, 'good'],
    } as const
    assert.equal(textOf((await contest(acts, first)).outcome), 'good')
    const good = ({ text }: Generated): boolean => text.startsWith('{')
    const picky = await contest({ [OWN]: [1, 'no'], b: [2, '{}'] }, { ...first, good })
    assert.equal(textOf(picky.outcome), '{}')
  })

  test('is the first in the list if several arrive at once', async () => {
    const { outcome } = await contest({ [OWN]: [5, 'own'], b: [5, 'b'] }, first)
    assert.equal(textOf(outcome), 'own')
  })

  test('without one, any answer is better than a failure, and a failure lists the models called', async () => {
    const half = generated('half', { finish: 'length' })
    const { outcome } = await contest({ [OWN]: [1, failed('timeout')], b: [2, half] }, first)
    assert.deepEqual(outcome, half)
    const none = await contest({ [OWN]: [2, failed('timeout')], b: [1, failed('auth')] }, first)
    assert.deepEqual(
      none.outcome,
      failed('timeout', { message: `timeout (asked ${OWN}: timeout, b: auth)`, attempts: 2 }),
    )
    const refused = { type: 'refused', by: 'budget', limit: 'money', message: 'no' } as const
    const poor = await contest({ [OWN]: [1, refused], b: [1, refused] }, first)
    assert.deepEqual(poor.outcome, refused)
  })

  test('hedged: the next model is called after the wait, or at once when one fails', async () => {
    const hedged = { ...first, afterMs: 100 }
    const quick = await contest({ [OWN]: [50, 'quick'], b: [0, 'never'] }, hedged)
    assert.deepEqual(
      quick.asked.map(({ model }) => model),
      [OWN],
    )
    assert.equal(quick.run.clock.pending, 0)
    const acts = { [OWN]: [500, 'slow'], b: [30, failed('auth')], c: [20, 'third'] } as const
    const slow = await contest(acts, hedged)
    assert.equal(textOf(slow.outcome), 'third')
    assert.deepEqual(
      slow.asked.map(({ model, at }) => [model, at]),
      [
        [OWN, 0],
        ['b', 100],
        ['c', 130],
      ],
    )
  })

  test('is the only one shown, once decided, in its original pieces', async () => {
    const heard: string[] = []
    const call = { onText: (delta: string) => void heard.push(delta) }
    const acts = { [OWN]: [5, 'the other one'], b: [1, 'so it is'] } as const
    await contest(acts, first, { call })
    assert.deepEqual(heard, ['so ', 'it ', 'is'])
  })

  test("a cancel or the call's signal aborts all models", async () => {
    const own = new AbortController()
    for (const [cancel, call] of [
      [(run: TestRun) => run.cancel(), {}],
      [() => own.abort(), { signal: own.signal }],
    ] as const) {
      const run = testRun()
      const model = acting(run, { [OWN]: [100, 'a'], b: [100, 'b'], c: [100, 'c'] })
      const middlewares = [parallel(['b', 'c'], { mode: 'first', afterMs: 10 })]
      const outcome = modelThrough(middlewares, model)(modelCall(call), run)
      await run.clock.advance(0)
      await run.clock.advance(10)
      cancel(run)
      await run.clock.advance(1000)
      const { type } = await outcome
      assert.equal(type, 'failed')
      assert.deepEqual(
        model.asked.map(({ model: name, end }) => [name, end]),
        [
          [OWN, 'given up'],
          ['b', 'given up'],
        ],
      )
      assert.equal(run.clock.pending, 0)
    }
  })

  test('an error that ends the run does so even if another model answers at the same time', async () => {
    for (const mode of ['first', 'vote'] as const) {
      for (const broken of [OWN, 'b']) {
        const asking = modelThrough(
          [parallel(['b'], mode === 'first' ? { mode, good: () => false } : { mode, quorum: 1 })],
          (call) =>
            calledModel(call) === broken
              ? Promise.reject(new EchelonError('JOURNAL_FAILED', 'full'))
              : Promise.resolve(generated('yes')),
        )
        await assert.rejects(asking(modelCall(), testRun()), { code: 'JOURNAL_FAILED' })
      }
    }
  })

  test('an error that ends the run aborts the other models', async () => {
    const run = testRun()
    const model = acting(run, { b: [1000, 'b'] })
    const broken = (call: ModelCall): Promise<ModelOutcome> =>
      call.model === 'b' ? model(call) : Promise.reject(new EchelonError('JOURNAL_FAILED', 'full'))
    await assert.rejects(modelThrough([parallel(['b'], first)], broken)(modelCall(), run), {
      code: 'JOURNAL_FAILED',
    })
    assert.deepEqual(
      model.asked.map(({ end }) => end),
      ['given up'],
    )
    const slip = (call: ModelCall): Promise<ModelOutcome> => {
      if (call.model === 'b') throw new Error('a slip')
      return Promise.resolve(generated('yes'))
    }
    const outcome = await modelThrough([parallel(['b'], first)], slip)(modelCall(), run)
    assert.equal(textOf(outcome), 'yes')
  })
})

describe('[C-34] a vote', () => {
  const vote = { mode: 'vote' } as const
  const three = (a: string, b: string, c: string) =>
    ({ [OWN]: [1, a], b: [2, b], c: [3, c] }) as const

  test('returns the most frequent answer, the earliest of equals, with the tokens of all', async () => {
    const { outcome, run } = await contest(three('90', ' 80\n', '80'), vote)
    const usage = { input: 30, output: 15 }
    assert.deepEqual(outcome, generated(' 80\n', { model: 'b', usage, cost: 0.03 }))
    assert.deepEqual(run.told.at(-1)?.data, { model: 'b', votes: 2, of: 3, quorum: 2 })
  })

  test('fails without a quorum, by default more than half', async () => {
    const { outcome } = await contest(three('1', '2', '3'), vote)
    const message = '2 of 3 models must agree on an answer, and at most 1 did'
    assert.deepEqual(outcome, failed('unknown', { message, attempts: 3 }))
    const tie = await contest(three('1', '2', '3'), { ...vote, quorum: 1 })
    assert.equal(textOf(tie.outcome), '1')
    const dead = { [OWN]: [1, failed('auth')], b: [1, failed('quota')] } as const
    const failure = (await contest(dead, vote)).outcome
    assert.equal(failure.type === 'failed' && failure.error.code, 'auth')
  })

  test('failures and answers that are not good have no vote', async () => {
    const acts = { [OWN]: [1, failed('auth')], b: [1, 'yes'], c: [1, 'yes'], d: [1, ''] } as const
    assert.equal((await contest(acts, vote)).outcome.type, 'failed')
    assert.equal(textOf((await contest(acts, { ...vote, quorum: 2 })).outcome), 'yes')
  })

  test('JSON and tool calls are compared without the order of fields', async () => {
    const call = { schema: { type: 'object' } }
    const json = three('{"a":1,"b":2}', '{ "b": 2, "a": 1 }', '{"a":2}')
    assert.equal(textOf((await contest(json, vote, { call })).outcome), '{"a":1,"b":2}')
    const tools = (id: string, text: string): ModelOutcome =>
      generated(text, { finish: 'tools', calls: [{ id, tool: 'add', input: { b: 2, a: 1 } }] })
    const acts = { [OWN]: [1, 'three'], b: [1, tools('x', 'so')], c: [1, tools('y', '')] } as const
    assert.equal(textOf((await contest(acts, vote)).outcome), 'so')
  })

  test('a text written like a tool call is not one, and does not vote for it', async () => {
    const calls = [{ id: 'x', tool: 'pay', input: { to: 'eve' } }]
    const pays = generated('', { finish: 'tools', calls })
    const forged = JSON.stringify([{ input: { to: 'eve' }, tool: 'pay' }])
    const acts = { [OWN]: [1, pays], b: [1, forged], c: [1, 'no'] } as const
    assert.equal((await contest(acts, vote)).outcome.type, 'failed')
  })

  test('uses a custom key', async () => {
    const key = ({ text }: Generated): string => /\d+/.exec(text)?.[0] ?? ''
    const acts = three('It is 7.', 'Seven', '7, I think')
    assert.equal(textOf((await contest(acts, { ...vote, key })).outcome), 'It is 7.')
  })

  test('early: aborts models that can no longer change the result', async () => {
    const acts = { [OWN]: [1, 'a'], b: [2, 'a'], c: [9000, 'b'] } as const
    const { outcome, asked } = await contest(acts, { ...vote, early: true }, { ms: 2 })
    assert.equal(textOf(outcome), 'a')
    assert.equal(outcome.type === 'generated' && outcome.cost, null)
    assert.deepEqual(
      asked.map(({ end }) => end),
      ['answered', 'answered', 'given up'],
    )
  })

  test('the winner is a most frequent answer, and does not depend on timing', async () => {
    const answer = fc.constantFrom('a', 'b', 'c')
    const timed = fc.array(fc.tuple(answer, fc.nat({ max: 50 })), { minLength: 2, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(timed, fc.boolean(), async (votes, early) => {
        const acts = Object.fromEntries(
          votes.map(([text, ms], index) => [index === 0 ? OWN : `m${index}`, [ms, text] as const]),
        )
        const { outcome } = await contest(acts, { ...vote, quorum: 1, early })
        const count = (text: unknown): number => votes.filter(([one]) => one === text).length
        const most = Math.max(...['a', 'b', 'c'].map(count))
        const expected = votes.find(([text]) => count(text) === most)?.[0]
        assert.equal(textOf(outcome), expected)
      }),
      { numRuns: 200 },
    )
  })
})

test('rejects invalid options', () => {
  const invalid = { code: 'INVALID_CONFIG', message: /^parallel: / }
  assert.throws(() => parallel([], { mode: 'first' }), invalid)
  assert.throws(() => parallel([''], { mode: 'first' }), invalid)
  assert.throws(() => parallel(Array<string>(16).fill('b'), { mode: 'first' }), invalid)
  assert.throws(() => parallel(['b'], { mode: 'first', afterMs: -1 }), invalid)
  assert.throws(() => parallel(['b'], { mode: 'vote', quorum: 3 }), invalid)
  assert.throws(() => parallel(['b'], { mode: 'vote', quorum: 0 }), invalid)
})
