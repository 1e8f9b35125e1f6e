import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import {
  actGate,
  type Decision,
  toolAllowance,
  type Trouble,
} from '../../packages/echelon/src/agents/decide/act-gate.ts'
import type {
  EscalateWhen,
  PartialSettings,
} from '../../packages/echelon/src/agents/decide/settings/settings.ts'
import type { Loop } from '../../packages/echelon/src/agents/decide/state.ts'
import type { Verdict } from '../../packages/echelon/src/agents/decide/verification/verdict.ts'
import { loopOf, policyOf } from './fixtures.ts'

const WRONG: Verdict = {
  passed: false,
  metric: 0,
  binary: true,
  checked: 'refuted',
  answer: '1',
  reason: 'wrong',
}
const RIGHT: Verdict = { ...WRONG, passed: true, metric: 1, reason: 'right' }
const graded = (metric: number): Verdict => ({ ...WRONG, binary: false, metric })

/** The observations of a round, and the amounts spent so far. */
interface Round {
  readonly loop?: Partial<Loop>
  readonly verdict?: Verdict
  readonly trouble?: Trouble
  readonly spent?: Amounts
  readonly settings?: PartialSettings
}

/** Money and tokens are limited, so that the limits can be reached. */
const PURSE = { max_tokens: 1000, max_cost_usd: 1 }

function decide({ loop, verdict = WRONG, trouble, spent = {}, settings = {} }: Round): Decision {
  const policy = policyOf({ ...settings, budget: { ...PURSE, ...settings.budget } })
  const round = { verdict, trouble: trouble ?? { type: 'none' as const } }
  return actGate(loopOf(loop), round, { at: 0, spent, limits: policy.limits }, policy).decision
}

const fail = (why: string): Trouble => ({ type: 'fail', why })
const limit = (name: string): Trouble => ({ type: 'limit', limit: name })
const escalate = (by: string | null): Decision => ({ type: 'escalate', limit: by })
const budget = (by: string): Decision => ({ type: 'stop', reason: 'budget', limit: by })
const BIG_FAIL: Decision = { type: 'stop', reason: 'big_fail', limit: null }
const ON = { type: 'continue' } as const

/** The stop rule reached below the top, with the decisions under `fail` and under `fail_or_budget`. */
type Row = readonly [reached: string, round: Round, fail: Decision, failOrBudget: Decision]

const FAILURES: readonly Row[] = [
  ['a stall beyond patience', { loop: { stalled: 1 } }, escalate(null), escalate(null)],
  ['no plan after the reprompt', { trouble: fail('no plan') }, escalate(null), escalate(null)],
  ['a decline', { trouble: fail('declined') }, escalate(null), escalate(null)],
  ['a provider down', { trouble: fail('model down') }, escalate(null), escalate(null)],
]
const LIMITS: readonly Row[] = [
  ['rounds', { loop: { rounds: 3 } }, budget('rounds'), escalate('rounds')],
  ['small calls', { spent: { 'calls.small': 6 } }, budget('calls.small'), escalate('calls.small')],
  ['tool calls', { spent: { tools: 3 } }, budget('tools'), escalate('tools')],
  ['tokens', { spent: { tokens: 1000 } }, budget('tokens'), escalate('tokens')],
  ['seconds', { spent: { seconds: 60 } }, budget('seconds'), escalate('seconds')],
  ['money', { spent: { money: 1 } }, budget('money'), escalate('money')],
  ...['calls.small', 'tools', 'tokens', 'seconds', 'money'].map((name): Row => [
    `${name}, which refused`,
    { trouble: limit(name) },
    budget(name),
    escalate(name),
  ]),
]
/** Without the verifier's own calls nothing can be proved, so promoting would be wasted. */
const CHECKS: Row = [
  'calls of the verifier, which refused',
  { trouble: limit('checks') },
  budget('checks'),
  budget('checks'),
]
const NEITHER: readonly Row[] = [
  CHECKS,
  ['nothing', {}, ON, ON],
  ['nothing yet', { loop: { rounds: 2 }, spent: { 'calls.small': 5, tools: 2 } }, ON, ON],
]

suite('the gate below the top', () => {
  const check = (rows: readonly Row[], escalate_when: EscalateWhen, column: 2 | 3): void => {
    for (const row of rows) {
      const [reached, round] = row
      const decision = decide({ ...round, settings: { flags: { escalate_when } } })
      assert.deepEqual(decision, row[column], reached)
    }
  }

  test('[R11.3, R17.3] escalate_when: fail promotes failures, and a limit ends the run', () => {
    check([...FAILURES, ...LIMITS, ...NEITHER], 'fail', 2)
  })

  test('[R2.5, R6.5] escalate_when: fail_or_budget also promotes at a limit', () => {
    check([...FAILURES, ...LIMITS, ...NEITHER], 'fail_or_budget', 3)
  })

  test('[R17.3] fail_or_budget is the default', () => {
    assert.deepEqual(decide({ spent: { seconds: 60 } }), escalate('seconds'))
  })

  test('[R6.2] patience is the number of consecutive rounds without improvement', () => {
    for (const no_progress_patience of [0, 1, 2, 5]) {
      const settings = { act: { no_progress_patience, max_steps: 100 } }
      for (let stalled = 0; stalled < 8; stalled++) {
        const expected = stalled + 1 > no_progress_patience ? escalate(null) : ON
        assert.deepEqual(decide({ loop: { stalled }, settings }), expected)
      }
    }
  })

  test('[R6.3] max_steps is the number of further rounds', () => {
    for (const max_steps of [0, 1, 3]) {
      const settings = { act: { max_steps, no_progress_patience: 100 } }
      for (let rounds = 0; rounds < 6; rounds++) {
        const expected = rounds + 1 > max_steps ? escalate('rounds') : ON
        assert.deepEqual(decide({ loop: { rounds }, settings }), expected)
      }
    }
  })

  test('a stall is a failure even if a limit is reached in the same round', () => {
    const settings = { flags: { escalate_when: 'fail' } } as const
    const round = { loop: { stalled: 1 }, trouble: limit('tools'), settings }
    assert.deepEqual(decide(round), escalate(null))
  })

  test('free models need no money', () => {
    assert.deepEqual(decide({ settings: { budget: { max_cost_usd: 0 } } }), ON)
  })
})

suite('the gate at the top', () => {
  const top = { rung: 1 }
  const SHARED = ['tools', 'tokens', 'seconds', 'money']
  const USED_UP: Amounts = { tools: 6, tokens: 1000, seconds: 60, money: 1 }

  test('[R3.3] the big model may retry once, after any kind of failure', () => {
    for (const trouble of [undefined, fail('declined'), fail('model down')]) {
      const round = trouble === undefined ? { loop: top } : { loop: top, trouble }
      assert.deepEqual(decide(round), ON)
      assert.deepEqual(decide({ ...round, loop: { rung: 1, rounds: 1 } }), BIG_FAIL)
    }
  })

  test('a model that would fail alike is not asked again', () => {
    const trouble = { ...fail('model down'), forGood: true }
    assert.deepEqual(decide({ loop: top, trouble }), BIG_FAIL)
    assert.deepEqual(decide({ trouble }), escalate(null))
  })

  test('[R3.4] without a retry the first failure is big_fail', () => {
    const settings = { flags: { allow_big_retry_once: false } }
    assert.deepEqual(decide({ loop: top, settings }), BIG_FAIL)
  })

  test('[R3.4] a big model without calls left is big_fail', () => {
    assert.deepEqual(decide({ loop: top, spent: { 'calls.big': 2 } }), BIG_FAIL)
    assert.deepEqual(decide({ loop: top, trouble: limit('calls.big') }), BIG_FAIL)
  })

  test('[R11.3] a limit of all rungs ends the run by budget, under both values', () => {
    for (const escalate_when of ['fail', 'fail_or_budget'] as const) {
      const settings = { flags: { escalate_when } }
      for (const name of SHARED) {
        const spent = { [name]: USED_UP[name] ?? 0 }
        assert.deepEqual(decide({ loop: top, spent, settings }), budget(name))
        assert.deepEqual(decide({ loop: top, trouble: limit(name), settings }), budget(name))
      }
    }
  })

  test('patience and max_steps do not apply to the big model', () => {
    const settings = { act: { max_steps: 0, no_progress_patience: 0 } }
    assert.deepEqual(decide({ loop: top, settings }), ON)
  })
})

test('[R6.1, R11.2] a verified answer stops with success, whatever else was met', () => {
  const spent = { tools: 6, seconds: 60, tokens: 1000, money: 1, 'calls.small': 6, 'calls.big': 2 }
  for (const rung of [0, 1]) {
    const loop = { rung, rounds: 9, stalled: 9 }
    const decision = decide({ loop, verdict: RIGHT, spent })
    assert.deepEqual(decision, { type: 'stop', reason: 'success', limit: null })
  }
})

suite('progress', () => {
  const after = (loop: Partial<Loop>, verdict: Verdict, settings: PartialSettings = {}): Loop => {
    const policy = policyOf(settings)
    const meter = { at: 0, spent: {}, limits: policy.limits }
    return actGate(loopOf(loop), { verdict, trouble: { type: 'none' } }, meter, policy).loop
  }
  const metric = fc.double({ min: 0, max: 1, noNaN: true })

  test('[R6.4, R11.1] an improvement is a gain of at least min_improvement', () => {
    fc.assert(
      fc.property(metric, metric, metric, fc.nat(5), (best, now, min_improvement, stalled) => {
        const loop = after({ best, stalled }, graded(now), { act: { min_improvement } })
        const improved = now - best >= min_improvement
        assert.equal(loop.stalled, improved ? 0 : stalled + 1)
        assert.equal(loop.best, Math.max(best, now))
      }),
    )
  })

  test('[DD-9] for a right-or-wrong task only the step from 0 to 1 is an improvement', () => {
    const settings = { act: { min_improvement: 0 } }
    assert.equal(after({ stalled: 2 }, WRONG, settings).stalled, 3)
    assert.equal(after({ stalled: 2 }, RIGHT, settings).stalled, 0)
    assert.equal(after({ stalled: 2 }, graded(0.1), settings).stalled, 0)
  })

  test('a decision is counted within the rung and overall, and ends the reprompt', () => {
    const loop = after({ rounds: 1, actSteps: 4, reprompt: 'no JSON' }, WRONG)
    assert.deepEqual([loop.rounds, loop.actSteps, loop.reprompt], [2, 5, null])
  })
})

test('tool calls are reserved below the top: one full plan for each rung above', () => {
  const rows: readonly [rungs: number, limit: number | null, rung: number, allowance: number][] = [
    [2, null, 0, 3],
    [2, null, 1, 6],
    [2, 4, 0, 3],
    [2, 3, 0, 3],
    [2, 2, 0, 2],
    [2, 0, 1, 0],
    [2, 10, 0, 7],
    [3, null, 0, 3],
    [3, null, 1, 6],
    [3, null, 2, 9],
    [1, null, 0, 6],
  ]
  for (const [rungs, max_tool_calls, rung, allowance] of rows) {
    const ladder = Array.from({ length: rungs }, (_, index) => `m/${index}`)
    const policy = policyOf({ models: { ladder }, budget: { max_tool_calls } })
    const meter = { at: 0, spent: {}, limits: policy.limits }
    assert.equal(toolAllowance(rung, meter, policy), allowance)
    const spent = { tools: 2 }
    assert.equal(toolAllowance(rung, { ...meter, spent }, policy), Math.max(0, allowance - 2))
  }
})
