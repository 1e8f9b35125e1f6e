import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { CaseResult } from '../../packages/echelon/src/agents/decide/case/case-result.ts'
import { ToolError, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { apiError, type ScriptedAnswer } from '../../packages/echelon/src/testing/scripted-model.ts'
import {
  calc,
  date,
  DECLINED,
  MATH_TASK,
  planOf,
  scripted,
  type Scripts,
  STOCK_TASK,
  stockPlan,
  TOOLS,
  toldTo,
  toolsWith,
} from './fixtures.ts'

const OPEN = 'What is the capital of Australia?'
const inWords = (answer: string): string => JSON.stringify({ actions: null, answer, cannot: null })

interface Ended {
  readonly result: CaseResult
  /** Calls of the small and of the big model. */
  readonly calls: readonly [small: number, big: number]
  readonly told: readonly string[]
}

async function ended(
  task: string,
  scripts: Scripts,
  options: Parameters<ReturnType<typeof scripted>['decider']['runCase']>[1] = {},
): Promise<Ended> {
  const { decider, small, big } = scripted(scripts)
  const result = await decider.runCase(task, options)
  return {
    result,
    calls: [small.calls.length, big.calls.length],
    told: small.calls.map(({ prompt }) => JSON.stringify(prompt)),
  }
}

const facts = ({ answer, checked, verified, finish_reason }: CaseResult): readonly unknown[] => [
  answer,
  checked,
  verified,
  finish_reason,
]

/** The tool with that name, failing with that error. */
function failing(name: string, error: Error): Tool {
  const tool = TOOLS.find((one) => one.name === name)
  assert.ok(tool !== undefined)
  const run = (): never => {
    throw error
  }
  return { ...tool, run }
}

suite('a question that nothing can check', () => {
  test("returns the small model's answer in words, and asks no bigger one", async () => {
    const { result, calls, told } = await ended(OPEN, { small: [inWords('Canberra')] })
    assert.deepEqual(facts(result), ['Canberra', 'not_checked', false, 'unchecked'])
    assert.deepEqual(calls, [1, 0])
    assert.equal(result.explanation, 'Not checked: the question holds no quantity.')
    assert.match(told.join(), /answer \{\\"answer\\":/)
  })

  test("returns a plan's result, and repeats nothing", async () => {
    const { result, calls } = await ended('fifth root of 161051', {
      small: [planOf(calc('161051 / 14641'))],
    })
    assert.deepEqual(facts(result), ['11', 'not_checked', false, 'unchecked'])
    assert.deepEqual(calls, [1, 0])
  })

  test('ends with the reason when the small model declines, or gives no plan', async () => {
    const declined = await ended(OPEN, { small: [DECLINED] })
    assert.deepEqual(facts(declined.result), [null, 'not_checked', false, 'unchecked'])
    assert.deepEqual(declined.calls, [1, 0])
    assert.equal(declined.result.explanation, 'No answer: it is beyond me.')
    const mute = await ended(OPEN, { small: ['well', 'well'] })
    assert.deepEqual([mute.result.finish_reason, mute.calls], ['unchecked', [2, 0]])
  })

  test('lets the small model fix a plan without an answer, in its own rounds', async () => {
    const { result, calls } = await ended('fifth root of 161051', {
      small: [planOf(calc('the fifth root')), planOf(calc('161051 / 14641'))],
    })
    assert.deepEqual([...facts(result), ...calls], ['11', 'not_checked', false, 'unchecked', 2, 0])
    const never = await ended('fifth root of 161051', {
      small: [planOf(calc('the fifth root')), planOf(calc('its root'))],
    })
    assert.deepEqual([never.result.finish_reason, never.calls], ['unchecked', [2, 0]])
  })

  test('asks the bigger model if the small one cannot be reached', async () => {
    const { result, calls } = await ended(OPEN, {
      small: [{ error: apiError(401) }],
      big: [inWords('Canberra')],
    })
    assert.deepEqual(
      [...facts(result), ...calls],
      ['Canberra', 'not_checked', false, 'unchecked', 1, 1],
    )
  })

  test('asks bigger models too with escalate, and none with refuse', async () => {
    const words = inWords('Canberra')
    const more = await ended(
      OPEN,
      { small: [words, words], big: [words, words] },
      { unchecked: 'escalate' },
    )
    assert.deepEqual(
      [...facts(more.result), ...more.calls],
      ['Canberra', 'not_checked', false, 'big_fail', 2, 2],
    )
    const none = await ended(OPEN, {}, { unchecked: 'refuse' })
    assert.deepEqual(
      [...facts(none.result), ...none.calls],
      [null, 'not_checked', false, 'unchecked', 0, 0],
    )
    assert.match(none.result.explanation, /^Refused: .*holds no quantity.*set to answer/)
    assert.equal(none.result.logs.at(-1)?.decision, 'stop')
  })

  test('follows the setting if the case does not set it', async () => {
    const settings = { flags: { unchecked: 'refuse' as const } }
    const refused = await ended(OPEN, { settings })
    assert.deepEqual(refused.calls, [0, 0])
    const asked = await ended(OPEN, { settings, small: [DECLINED] }, { unchecked: 'answer' })
    assert.deepEqual(asked.calls, [1, 0])
  })

  test('treats a date with two readings as unreadable, before any plan', async () => {
    const task = 'What day of the week is 03/04/2025?'
    const { result, calls } = await ended(task, { small: [planOf(date('September 8, 2025'))] })
    assert.deepEqual([result.finish_reason, calls], ['unchecked', [1, 0]])
    assert.match(result.explanation, /03\/04\/2025 can be two dates; write the month as a word/)
  })

  test('accepts no answer in words if an answer can be checked, or must rest on tools', async () => {
    for (const options of [{ goldAnswer: 'Canberra' }, { expectedTools: ['calculator'] }]) {
      const { result, told } = await ended(
        OPEN,
        { small: [inWords('Canberra'), inWords('Canberra')], big: [DECLINED, DECLINED] },
        options,
      )
      assert.equal(result.answer, null)
      assert.doesNotMatch(told.join(), /\\"answer\\"/)
    }
    const math: readonly ScriptedAnswer[] = [
      inWords('345'),
      (options) => {
        assert.match(toldTo(options), /has to be planned with the tools/)
        return planOf(calc('15 * 23'))
      },
    ]
    const { result } = await ended(MATH_TASK, { small: math })
    assert.deepEqual(facts(result), ['345', 'verified', true, 'success'])
  })
})

suite('whether an answer was checked', () => {
  test('is refuted if a check found another value', async () => {
    const wrong = planOf(calc('15 + 23'))
    const { result } = await ended(MATH_TASK, { small: [wrong, wrong], big: [wrong, wrong] })
    assert.deepEqual(facts(result), ['38', 'refuted', false, 'big_fail'])
  })

  test('a case without an answer is not checked', async () => {
    const { result } = await ended(MATH_TASK, { small: [DECLINED], big: [DECLINED, DECLINED] })
    assert.deepEqual(facts(result), [null, 'not_checked', false, 'big_fail'])
  })
})

suite('a problem that no model can fix', () => {
  const missing = new EchelonError(
    'MISSING_PACKAGE',
    'vega is not installed; run: npm install vega',
  )
  const folder = new ToolError('TOOL_ERROR', 'the folder may not be written to; allow it', {
    fault: 'setup',
  })

  for (const error of [missing, folder]) {
    test(`ends the run at once, with what to do: ${error.message}`, async () => {
      const tools = toolsWith(failing('plotter', error))
      const { result, calls } = await ended(STOCK_TASK, { small: [stockPlan()], tools })
      assert.deepEqual([result.finish_reason, result.verified, calls], ['blocked', false, [1, 0]])
      assert.equal(result.explanation, `No model can fix this: ${error.message}.`)
    })
  }

  test('does not matter if the answer is proved without it', async () => {
    const plan = planOf({ tool: 'plotter', args: { series: [] } }, calc('15 * 23'))
    const { result } = await ended(MATH_TASK, {
      small: [plan],
      tools: toolsWith(failing('plotter', folder)),
    })
    assert.deepEqual(facts(result), ['345', 'verified', true, 'success'])
  })

  const noValue = new ToolError('INVALID_ARGS', 'it divides by zero', { fault: 'value' })

  test('is a division by zero in the question', async () => {
    const { result, calls } = await ended('What is 10 / 0?', {
      small: [planOf(calc('10 / 0'))],
      tools: toolsWith(failing('calculator', noValue)),
    })
    assert.deepEqual([result.finish_reason, calls], ['blocked', [1, 0]])
    assert.equal(result.explanation, 'No model can fix this: it divides by zero.')
  })

  test('is not a division by zero in the plan of an unread question', async () => {
    const question = 'What is the fifth root of 161051?'
    const slip = { small: [planOf(calc('1 / 0')), planOf(calc('161051 / 14641'))] }
    const tools = toolsWith(failing('calculator', noValue))
    const { result } = await ended(question, { ...slip, tools })
    assert.notEqual(result.finish_reason, 'blocked')
  })

  test('is not a division by zero that the model made up', async () => {
    const { result, calls } = await ended(MATH_TASK, {
      small: [planOf(calc('15 / 0')), planOf(calc('15 * 23'))],
    })
    assert.deepEqual([...facts(result), ...calls], ['345', 'verified', true, 'success', 2, 0])
  })
})
