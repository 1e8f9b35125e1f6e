import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { seededIds } from '../../packages/echelon/src/core/value/random.ts'
import type { CaseResult } from '../../packages/echelon/src/agents/decide/case/case-result.ts'
import { Decider } from '../../packages/echelon/src/agents/decide/decider.ts'
import {
  completeSettings,
  type PartialSettings,
} from '../../packages/echelon/src/agents/decide/settings/settings.ts'
import {
  apiError,
  asBound,
  type ScriptedAnswer,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { VERIFIERS } from './verifiers.ts'
import {
  artifacts,
  calc,
  DATE_TASK,
  date,
  DECLINED,
  MATH_TASK,
  planOf,
  scripted,
  type Scripts,
  STOCK_TASK,
  stockPlan,
  toldTo,
  TOOLS,
} from './fixtures.ts'

const RIGHT = planOf(calc('15 * 23'))
const WRONG = planOf(calc('15 + 23'))
const NO_PLAN = 'That is 345.'

/** The number of calls, by name, and the end. */
function summaryOf({ finish_reason, counters, answer, verified, limit }: CaseResult): object {
  const { llm_calls_small, llm_calls_big, tool_calls, act_steps } = counters
  return {
    finish_reason,
    answer,
    verified,
    limit,
    calls: [llm_calls_small, llm_calls_big, tool_calls, act_steps],
  }
}

/** Runs the math task, and checks that the models were called exactly as scripted. */
async function runMath(
  scripts: Scripts,
  mode: 'hrm_small_then_escalate' | 'fallback_only' = 'hrm_small_then_escalate',
): Promise<CaseResult> {
  const { decider, small, big } = scripted(scripts)
  const result = await decider.runCase(MATH_TASK, { mode })
  small.assertComplete()
  big.assertComplete()
  return result
}

const flags = (given: PartialSettings['flags']): PartialSettings => ({ flags: { ...given } })
const solved = (...calls: readonly number[]): object => ({
  finish_reason: 'success',
  answer: '345',
  verified: true,
  limit: null,
  calls,
})
const failed = (
  finish_reason: string,
  limit: string | null,
  ...calls: readonly number[]
): object => ({
  finish_reason,
  answer: '38',
  verified: false,
  limit,
  calls,
})

suite('the three tasks of the specification', () => {
  test('[R1.3, R5.1] math: the small model plans, the calculator answers, no big call', async () => {
    assert.deepEqual(summaryOf(await runMath({ small: [RIGHT] })), solved(1, 0, 1, 1))
  })

  test('[R5.2] calendar', async () => {
    const { decider } = scripted({ small: [planOf(date('September 8, 2025'))] })
    const { answer, verified } = await decider.runCase(DATE_TASK)
    assert.deepEqual([answer, verified], ['Monday, September 8, 2025', true])
  })

  test('[R5.3, R9.4] stock: three tools, and the plot as an artifact with its place', async () => {
    const { decider } = scripted({ small: [stockPlan()] })
    const { verified, counters, artifacts } = await decider.runCase(STOCK_TASK)
    assert.deepEqual([verified, counters.tool_calls], [true, 3])
    assert.deepEqual(artifacts, {
      'plot.png': {
        artifactId: 'ab12',
        name: 'plot.png',
        parts: [
          {
            kind: 'file',
            file: {
              name: 'plot.png',
              mimeType: 'image/png',
              uri: 'file:///artifacts/plot.png',
            },
          },
        ],
        metadata: { bytes: 4, sha256: 'ab12', width: 640, height: 480 },
      },
    })
  })
})

suite('the modes', () => {
  test('[R1.2, R3.1] hrm_small_then_escalate: the small model continues until it stalls', async () => {
    const result = await runMath({ small: [WRONG, WRONG], big: [RIGHT] })
    assert.deepEqual(summaryOf(result), solved(2, 1, 3, 3))
    const settings = { act: { no_progress_patience: 3 }, budget: { max_tool_calls: 9 } }
    const patient = await runMath({ small: [WRONG, WRONG, WRONG, RIGHT], settings })
    assert.deepEqual(summaryOf(patient), solved(4, 0, 4, 4))
  })

  test('[R3.2, R24.3] fallback_only: the small model has one round, then the big one', async () => {
    const result = await runMath({ small: [WRONG], big: [RIGHT] }, 'fallback_only')
    assert.deepEqual(summaryOf(result), solved(1, 1, 2, 2))
  })

  test('[R24.1] fallback_only with max_steps 1: the small model has two', async () => {
    const settings = { act: { max_steps: 1, no_progress_patience: 5 } }
    const scripts = { small: [WRONG, WRONG], big: [RIGHT], settings }
    assert.deepEqual(summaryOf(await runMath(scripts, 'fallback_only')), solved(2, 1, 3, 3))
  })

  test('[R24.5] one decider runs both, each with its own rounds', async () => {
    const { decider } = scripted({
      small: [WRONG, WRONG, WRONG],
      big: [RIGHT, RIGHT],
    })
    const fallback = await decider.runCase(MATH_TASK, { mode: 'fallback_only' })
    const full = await decider.runCase(MATH_TASK)
    assert.deepEqual(
      [summaryOf(fallback), summaryOf(full)],
      [solved(1, 1, 2, 2), solved(2, 1, 3, 3)],
    )
  })
})

suite('the big model', () => {
  test('may reason: its answer has a ceiling of its own, which the budget reserves', async () => {
    const scripts = { small: [WRONG, WRONG], big: [RIGHT] }
    const free = scripted(scripts)
    await free.decider.runCase(MATH_TASK)
    const ceilings = ({ small, big }: typeof free): readonly unknown[] =>
      [...small.calls, ...big.calls].map(({ maxOutputTokens }) => maxOutputTokens)
    assert.deepEqual(ceilings(free), [500, 500, 4096])
    const most = 7000
    const limited = scripted({ ...scripts, settings: { budget: { max_tokens: most } } })
    const { verified } = await limited.decider.runCase(MATH_TASK)
    const [, , clamped = 0] = ceilings(limited)
    assert.ok(verified && Number(clamped) < 4096 && Number(clamped) > 500, String(clamped))
  })

  test("is loaded with its rung's reasoning effort, the small one with the lowest", async () => {
    const loaded: unknown[] = []
    const { small, big } = scripted({ small: [WRONG, WRONG], big: [RIGHT] })
    const decider = new Decider({
      settings: completeSettings({ reasoning: { big: 'high' } }),
      tools: TOOLS,
      verifiers: VERIFIERS,
      resolveModel: (name, reasoning) => {
        loaded.push([name, reasoning])
        return Promise.resolve(asBound(name.endsWith('nano') ? small : big, name, () => 0))
      },
      services: { artifacts, clock: new SetClock(), ids: seededIds(7), timeZone: 'UTC' },
    })
    assert.equal((await decider.runCase(MATH_TASK)).verified, true)
    assert.deepEqual(loaded, [
      ['openai/gpt-5-nano', 'least'],
      ['openai/gpt-5', 'high'],
    ])
  })

  test('[R3.3] has a second attempt', async () => {
    const result = await runMath({ small: [WRONG, WRONG], big: [WRONG, RIGHT] })
    assert.deepEqual(summaryOf(result), solved(2, 2, 4, 4))
  })

  test('[R3.4] ends with big_fail if that fails', async () => {
    const result = await runMath({ small: [WRONG, WRONG], big: [WRONG, WRONG] })
    assert.deepEqual(summaryOf(result), failed('big_fail', null, 2, 2, 4, 4))
    assert.equal(
      result.explanation,
      'Not verified: the question itself gives 345, the plan gave 38.',
    )
  })

  test('[R3.4] has one attempt if the retry is off', async () => {
    const settings = flags({ allow_big_retry_once: false })
    const result = await runMath({ small: [WRONG, WRONG], big: [WRONG], settings })
    assert.deepEqual(summaryOf(result), failed('big_fail', null, 2, 1, 3, 3))
  })

  test('[R4.5, R13.3] gets the reason for its failed attempt in its retry', async () => {
    const { decider, big } = scripted({
      small: [WRONG, WRONG],
      big: [planOf(calc('15 - 23')), RIGHT],
    })
    await decider.runCase(MATH_TASK)
    const [attempt = '', retry = ''] = big.calls.map(toldTo)
    assert.ok(attempt.includes('an operation differs') && !attempt.includes('-8'))
    assert.ok(retry.includes('an operation differs') && retry.includes('"15 - 23"'))
    assert.ok(!`${attempt}${retry}`.includes('345'))
  })

  test('[R8.4, R11.4] gets the last plan and all evidence, also when the small model declined', async () => {
    const { decider, big } = scripted({ small: [WRONG, DECLINED], big: [RIGHT] })
    assert.equal((await decider.runCase(MATH_TASK)).verified, true)
    const told = big.calls.map(toldTo).join()
    assert.ok(told.includes('[{"tool":"calculator","args":{"expr":"15 + 23"}}]'), told)
    assert.ok(told.includes('-> {"value":"38","kind":"data"}') && told.includes('it is beyond me'))
  })

  test('[R2.5] is never called without any budget left', async () => {
    const settings = { budget: { max_tool_calls: 2 } }
    const result = await runMath({ small: [WRONG, WRONG], settings })
    assert.deepEqual(summaryOf(result), failed('budget', 'tools', 2, 0, 2, 2))
    assert.ok(result.logs.every(({ event }) => event !== 'escalate_to_big'))
  })

  test('[R2.3] gets the tool calls reserved for it', async () => {
    const stockFails = planOf({ tool: 'data_fetch_stock', args: { ticker: 'AAPL', n: 3 } })
    const { decider } = scripted({ small: [stockFails, stockPlan(3)], big: [stockPlan()] })
    const { verified, counters } = await decider.runCase(STOCK_TASK)
    assert.deepEqual([verified, counters.llm_calls_big, counters.tool_calls], [true, 1, 6])
  })
})

suite('a completion without a plan', () => {
  test('[R10.2, R18.2] is requested once more, with the error', async () => {
    const { decider, small } = scripted({ small: [NO_PLAN, RIGHT] })
    const result = await decider.runCase(MATH_TASK)
    assert.deepEqual(summaryOf(result), solved(2, 0, 1, 1))
    const [first = '', second = ''] = small.calls.map(toldTo)
    assert.ok(second.startsWith(first) && second.includes('there is no JSON in the answer'))
    const [entry] = result.logs
    assert.equal(entry?.event, 'plan_schema_error')
    assert.equal(entry?.error_code, 'PLAN_SCHEMA_ERROR')
    assert.deepEqual(entry?.details, {
      completion_text: NO_PLAN,
      error: 'there is no JSON in the answer',
    })
  })

  test('[R8.5, R18.4] twice is a failure, counted and handed to the big model', async () => {
    const result = await runMath({ small: [NO_PLAN, NO_PLAN], big: [RIGHT] })
    assert.deepEqual(summaryOf(result), solved(2, 1, 1, 2))
  })

  test('[DD-4] is logged with its first 200 characters', async () => {
    const { logs } = await runMath({ small: ['x'.repeat(5000), RIGHT] })
    assert.equal(logs[0]?.details?.['completion_text'], 'x'.repeat(200))
  })

  test('an answer cut at the token limit counts as no plan, whatever it holds', async () => {
    const cut: ScriptedAnswer = { text: RIGHT, finishReason: 'length' }
    const result = await runMath({ small: [cut, RIGHT] })
    assert.equal(result.logs[0]?.details?.['error'], 'the answer was cut at the token limit')
    assert.deepEqual(summaryOf(result), solved(2, 0, 1, 1))
  })

  test('a decline escalates at once, without a reprompt', async () => {
    const result = await runMath({ small: [DECLINED], big: [RIGHT] })
    assert.deepEqual(summaryOf(result), solved(1, 1, 1, 2))
    assert.deepEqual([result.logs[0]?.event, result.logs[0]?.error_code], ['declined', undefined])
  })

  test('a case that every rung declines has no answer', async () => {
    const result = await runMath({ small: [DECLINED], big: [DECLINED, DECLINED] })
    assert.deepEqual([result.answer, result.verified], [null, false])
    assert.equal(result.explanation, 'No answer: it is beyond me.')
  })
})

suite('a tool', () => {
  test('[R4.1, R5.5, R13.1] that fails is evidence, and the plan goes on', async () => {
    const plan = planOf(calc('fifteen'), calc('15 * 23'))
    const result = await runMath({ small: [plan] })
    assert.deepEqual(summaryOf(result), solved(1, 0, 2, 1))
    const entry = result.logs.find(({ error_code }) => error_code !== undefined)
    assert.deepEqual(
      [entry?.step_type, entry?.tool, entry?.error_code],
      ['L_exec', 'calculator', 'INVALID_ARGS'],
    )
    assert.equal(
      entry?.output_summary,
      '{"error":"fifteen is not arithmetic","code":"INVALID_ARGS"}',
    )
  })

  test('[R4.4, R10.3] that is unknown is skipped with a warning, and not counted', async () => {
    const plan = planOf({ tool: 'rm', args: { path: '/' } }, calc('15 * 23'))
    const result = await runMath({ small: [plan] })
    assert.deepEqual(summaryOf(result), solved(1, 0, 1, 1))
    const warning = result.logs.find(({ event }) => event === 'unknown_tool')
    assert.deepEqual([warning?.tool, warning?.error_code], ['rm', 'UNKNOWN_TOOL'])
  })

  test('an unproved answer stays if a later round has none', async () => {
    const small = [WRONG, planOf({ tool: 'rm', args: {} })]
    const result = await runMath({ small, big: [DECLINED, DECLINED] })
    assert.deepEqual(summaryOf(result), failed('big_fail', null, 2, 2, 1, 4))
  })

  test('[R8.3, R18.3] a plan of only unknown tools gains nothing, and gets no reprompt', async () => {
    const result = await runMath({ small: [planOf({ tool: 'rm', args: {} }), RIGHT] })
    assert.deepEqual(summaryOf(result), solved(2, 0, 1, 2))
    assert.ok(result.logs.every(({ event }) => event !== 'plan_schema_error'))
  })

  test('[R23.1, R23.2] that is not allowed, or denied, is unknown and not offered', async () => {
    for (const security of [{ allowed_tools: ['calendar'] }, { denied_tools: ['calculator'] }]) {
      const { decider, small } = scripted({
        small: [RIGHT, RIGHT],
        big: [RIGHT, RIGHT],
        settings: { security },
      })
      const result = await decider.runCase(MATH_TASK)
      assert.deepEqual([result.verified, result.counters.tool_calls], [false, 0])
      assert.ok(result.logs.some(({ event }) => event === 'unknown_tool'))
      const offered = JSON.stringify(small.calls[0])
      assert.ok(!offered.includes('calculator') && offered.includes('calendar'))
    }
  })
})

suite('the model that stays down', () => {
  test('[R13.5] is promoted at once, with the reason in the log', async () => {
    const down: ScriptedAnswer = { error: apiError(401) }
    const result = await runMath({ small: [down], big: [RIGHT] })
    assert.deepEqual(summaryOf(result), solved(1, 1, 1, 2))
    const [entry] = result.logs
    assert.deepEqual([entry?.event, entry?.error_code], ['model_failed', 'AUTH'])
  })

  test('a big model that is down has used its attempt', async () => {
    const down: ScriptedAnswer = { error: apiError(400) }
    const result = await runMath({ small: [WRONG, WRONG], big: [down, RIGHT] })
    assert.deepEqual(summaryOf(result), solved(2, 2, 3, 4))
  })
})

suite('known facts of a case', () => {
  test('[DD-20] the known answer verifies an equal answer, and no other', async () => {
    const runWith = (goldAnswer: string): Promise<CaseResult> =>
      scripted({ small: [RIGHT, RIGHT], big: [RIGHT, RIGHT] }).decider.runCase('Fifteen by 23?', {
        goldAnswer,
      })
    assert.equal((await runWith('345.0')).verified, true)
    const wrong = await runWith('346')
    assert.deepEqual([wrong.verified, wrong.answer], [false, '345'])
    assert.equal(wrong.explanation, 'Not verified: the answer is 345, and the known one is 346.')
  })

  test('[DD-20] no model reads the known answer', async () => {
    const { decider, small, big } = scripted({ small: [RIGHT, RIGHT], big: [RIGHT, RIGHT] })
    await decider.runCase('Fifteen by 23?', { goldAnswer: '98765' })
    const told = [...small.calls, ...big.calls]
    assert.equal(told.length, 4)
    assert.ok(!JSON.stringify(told).includes('98765'))
  })

  test('[DD-20] every expected tool must have given a result', async () => {
    const { decider, small } = scripted({
      small: [RIGHT, planOf(date('September 8, 2025'), calc('15 * 23'))],
    })
    const result = await decider.runCase(MATH_TASK, { expectedTools: ['calculator', 'calendar'] })
    assert.deepEqual([result.verified, result.counters.act_steps], [true, 2])
    assert.ok(small.calls.map(toldTo).every((told) => told.includes('calculator, calendar')))
  })

  test('[DD-8] a stock task with a known answer needs it in its report, and the evidence too', async () => {
    const known = scripted({ small: [stockPlan()] })
    const right = await known.decider.runCase(STOCK_TASK)
    assert.ok(right.verified && right.answer !== null)
    const same = await scripted({ small: [stockPlan()] }).decider.runCase(STOCK_TASK, {
      goldAnswer: right.answer.slice(0, 20),
    })
    assert.equal(same.verified, true)
    const other = scripted({ small: [stockPlan(), stockPlan()], big: [stockPlan(), stockPlan()] })
    const wrong = await other.decider.runCase(STOCK_TASK, { goldAnswer: 'a chart of TSLA' })
    assert.equal(wrong.verified, false)
  })
})

test('[R9.3, R23.5] unusable input is refused before any call', async () => {
  const { decider } = scripted({ settings: { limits: { max_input_chars: 5 } } })
  for (const input of ['', 'too long', '\uD83E']) {
    await assert.rejects(decider.runCase(input), { name: 'EchelonError', code: 'INVALID_INPUT' })
  }
})
