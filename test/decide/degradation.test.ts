import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { z } from 'zod'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { apiError, type ScriptedAnswer } from '../../packages/echelon/src/testing/scripted-model.ts'
import type { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { calc, MATH_TASK, planOf, scripted, STOCK_TASK, stockPlan, toolsWith } from './fixtures.ts'

const RIGHT = planOf(calc('15 * 23'))
const WRONG = planOf(calc('15 + 23'))
const DOWN: ScriptedAnswer = { error: apiError(401) }

/** Advances time, second by second, until a promise settles. */
async function whileTimePasses<Value>(clock: SetClock, promise: Promise<Value>): Promise<Value> {
  const settled = promise.then((value) => ({ value }))
  await clock.advance(0)
  for (let second = 0; second < 1000; second++) {
    const over = await Promise.race([settled, clock.advance(1000)])
    if (over !== undefined) return over.value
  }
  return assert.fail('nothing came of it in a thousand seconds')
}

/** A tool that does nothing until its call is aborted. */
const hanging = (name: string, begun: () => void = () => undefined): Tool =>
  defineTool({
    name,
    description: 'Hangs.',
    input: z.record(z.string(), z.json()),
    timeoutMs: 3_600_000,
    run: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        begun()
      }),
  })

suite('graceful degradation', () => {
  test('[DD-13, R1.4] 1: a small model that fails is replaced by the big one', async () => {
    for (const small of [[DOWN], ['no', 'plan'], [WRONG, WRONG]]) {
      const { verified, counters } = await scripted({ small, big: [RIGHT] }).decider.runCase(
        MATH_TASK,
      )
      assert.deepEqual([verified, counters.llm_calls_big], [true, 1])
    }
  })

  test('[DD-13] 2: a failing big model is recorded, and the run stops', async () => {
    const { decider, big } = scripted({ small: [DOWN], big: [DOWN, DOWN] })
    const result = await decider.runOutcome(MATH_TASK)
    assert.deepEqual([result.finish_reason, result.verified], ['big_fail', false])
    assert.deepEqual(
      result.logs.flatMap(({ tier, error_code }) => (error_code === 'AUTH' ? [tier] : [])),
      ['small', 'big'],
    )
    assert.equal(
      result.explanation,
      'No answer: scripted/small and scripted/big: the key is missing or wrong (status 401); set a valid API key for scripted.',
    )
    assert.equal(big.calls.length, 1, 'a wrong key is wrong a second time, too')
  })

  test("[DD-13] 2: a provider's message goes to people, redacted, and to no other model", async () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD'
    const refuses: ScriptedAnswer = { error: apiError(403, { message: `no entry with ${key}` }) }
    const { decider, big } = scripted({ small: [refuses], big: [refuses] })
    const { explanation } = await decider.runOutcome(MATH_TASK)
    assert.match(
      explanation,
      /^No answer: scripted\/small and scripted\/big: .*\(no entry with \S*redacted/,
    )
    assert.ok(!explanation.includes(key.slice(8, 20)))
    assert.ok(!JSON.stringify(big.calls).includes('no entry'))
  })

  test('[DD-13] 4: an unknown price is reported as unknown, not as money spent', async () => {
    const settings = { budget: { max_cost_usd: 0.01 } }
    const { decider } = scripted({ price: () => null, settings })
    const result = await decider.runCase(MATH_TASK)
    assert.deepEqual([result.finish_reason, result.limit], ['budget', 'money'])
    const [, said = ''] = /^Stopped: (.*)\.$/.exec(result.explanation) ?? []
    assert.match(said, /^the price of scripted\/big is unknown/)
    const gates = result.logs.filter(({ step_type }) => step_type === 'act')
    assert.equal(gates.at(-1)?.output_summary, said)
    assert.ok(gates.every(({ output_summary }) => output_summary?.includes('is unknown')))
  })

  test('[DD-13] 3: a tool that is unavailable is evidence, and the plan goes on', async () => {
    const down = defineTool({
      name: 'calendar',
      description: 'Is down.',
      input: z.record(z.string(), z.json()),
      run() {
        throw new Error('the calendar is down')
      },
    })
    const plan = planOf({ tool: 'calendar', args: { query: 'today' } }, calc('15 * 23'))
    const { decider } = scripted({ small: [plan], tools: toolsWith(down) })
    const result = await decider.runCase(MATH_TASK)
    assert.equal(result.verified, true)
    assert.ok(
      result.logs.some(({ output_summary }) => output_summary?.includes('calendar is down')),
    )
  })

  test('[DD-13, R1.4] 4: an exhausted budget stops or escalates, as the policy says', async () => {
    const runWith = (escalate_when: 'fail' | 'fail_or_budget'): ReturnType<typeof run> =>
      run({ budget: { max_llm_calls_small: 1 }, flags: { escalate_when } })
    const run = (settings: object): Promise<unknown[]> =>
      scripted({ small: [WRONG], big: [RIGHT], settings })
        .decider.runCase(MATH_TASK)
        .then(({ finish_reason, limit, answer }) => [finish_reason, limit, answer])
    assert.deepEqual(await runWith('fail'), ['budget', 'calls.small', '38'])
    assert.deepEqual(await runWith('fail_or_budget'), ['success', null, '345'])
  })

  test('[DD-13, R2.4] 5: a timeout returns partial results, with the reason', async () => {
    const { decider, clock } = scripted({
      small: [
        { text: WRONG, delayMs: 10_000 },
        { text: RIGHT, delayMs: 120_000 },
      ],
      settings: { limits: { max_call_seconds: 300 } },
    })
    const result = await whileTimePasses(clock, decider.runCase(MATH_TASK))
    assert.deepEqual(
      [result.finish_reason, result.limit, result.answer, result.verified],
      ['budget', 'seconds', '38', false],
    )
    assert.equal(
      result.explanation,
      'Stopped at the limit of seconds: the question itself gives 345, the plan gave 38.',
    )
    assert.equal(result.logs.at(-1)?.ts, '2025-09-08T07:01:00.000+07:00')
    const cut = result.logs.find(({ event }) => event === 'call_cut_off')
    assert.deepEqual(
      [cut?.step_type, cut?.output_summary, cut?.details],
      ['H_plan', 'the time limit of the run was reached', { limit: 'seconds' }],
    )
  })

  test('[DD-13] 5: also in the middle of a plan, with the files so far', async () => {
    const plan = planOf(
      { tool: 'plotter', args: { series: [] } },
      { tool: 'numeric_analysis', args: { series: '$1.image_path' } },
    )
    const tools = toolsWith(hanging('numeric_analysis'))
    const { decider, clock } = scripted({ small: [plan], tools })
    const result = await whileTimePasses(clock, decider.runCase(MATH_TASK))
    assert.deepEqual([result.finish_reason, result.limit], ['budget', 'seconds'])
    assert.deepEqual(Object.keys(result.artifacts), ['plot.png'])
    assert.equal(clock.pending, 0)
  })
})

suite('a cancel', () => {
  test('[DD-22] ends the run with its partial results, and frees what it held', async () => {
    const canceler = new AbortController()
    const tools = toolsWith(hanging('numeric_analysis', () => canceler.abort()))
    const { decider, clock, big } = scripted({ small: [stockPlan()], tools })
    const run = await decider.start(STOCK_TASK, { signal: canceler.signal })
    const result = await run.result
    assert.deepEqual([result.finish_reason, result.verified], ['canceled', false])
    assert.equal(result.counters.tool_calls, 2)
    const [fetched, ...others] = run.view().evidence
    assert.equal(Object(fetched).tool, 'data_fetch_stock')
    assert.deepEqual(others, [])
    assert.equal(run.view().state, 'canceled')
    assert.deepEqual([clock.pending, big.calls.length], [0, 0])
    const { event, step_type, details } = result.logs.at(-1) ?? {}
    assert.deepEqual([event, step_type, details], ['canceled', 'L_exec', { by: 'user' }])
  })

  test('[DD-22] reaches a model that is thinking', async () => {
    const canceler = new AbortController()
    const { decider, clock, small } = scripted({ small: [{ text: RIGHT, delayMs: 50_000 }] })
    const running = decider.runCase(MATH_TASK, { signal: canceler.signal })
    await clock.advance(1000)
    canceler.abort()
    const result = await running
    assert.equal(result.finish_reason, 'canceled')
    assert.equal(small.calls[0]?.abortSignal?.aborted, true)
    assert.deepEqual(
      result.logs.map(({ event, step_type }) => [event, step_type]),
      [['canceled', 'H_plan']],
    )
  })

  test('[DD-22] before the start prevents everything', async () => {
    const { decider } = scripted()
    const result = await decider.runCase(MATH_TASK, { signal: AbortSignal.abort() })
    assert.deepEqual([result.finish_reason, result.answer], ['canceled', null])
    assert.deepEqual(
      result.logs.map(({ event }) => event),
      ['canceled'],
    )
    assert.deepEqual(result.counters, {
      llm_calls_small: 0,
      llm_calls_big: 0,
      tool_calls: 0,
      act_steps: 0,
    })
  })
})
