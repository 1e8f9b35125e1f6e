import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PartialSettings } from '../../packages/echelon/src/agents/decide/settings/settings.ts'
import { FINISH_REASONS } from '../../packages/echelon/src/agents/decide/state.ts'
import { agentFor, type Configuration, explore, GENEROUS } from './explore.ts'
import { share } from '../share.ts'
import { policyOf } from './fixtures.ts'
import { RULES } from './rules.ts'
import { GATED, MATH, OPEN, STOCK } from './world.ts'

/** A setting's values, default first. Together: 34,560 configurations. */
const CHOICES = {
  rungs: [2, 1, 3, 4],
  world: [MATH, STOCK, OPEN],
  rounds: [
    ['hrm_small_then_escalate', null],
    ['hrm_small_then_escalate', 1],
    ['hrm_small_then_escalate', 0],
    ['fallback_only', null],
    ['fallback_only', 1],
  ],
  escalateWhen: ['fail_or_budget', 'fail'],
  bigRetry: [true, false],
  patience: [1, 0, 2],
  toolCalls: [6, 2, 3, GENEROUS],
  calls: [6, 1, 2, GENEROUS],
  purse: [{}, { max_tokens: 1 }, { max_cost_usd: 1 }],
} as const

const COUNT = Object.values(CHOICES).reduce((product, { length }) => product * length, 1)

/** Ladders, kinds of task, modes and rounds, escalate_when and retry: every combination, always. */
const CROSSED = 240

/** Number of them that `npm test` explores: every fifth, which is prime to the counts of most choices. */
const FAST = CROSSED / 5

/**
 * Each combination of the crossed choices, with one combination of the rest that moves along: 37 is
 * prime to their number, so that every value meets every other. `npm test` takes a share of these.
 * ECHELON_EXPLORE=13 takes one of thirteen of all combinations instead, ECHELON_EXPLORE=1 all of
 * them, in about half an hour.
 */
const STRIDE = Number(process.env['ECHELON_EXPLORE'] ?? 0)
const NUMBERS =
  STRIDE > 0
    ? Array.from({ length: Math.ceil(COUNT / STRIDE) }, (_, nth) => nth * STRIDE)
    : share(
        Array.from(
          { length: CROSSED },
          (_, nth) => nth + CROSSED * ((nth * 37) % (COUNT / CROSSED)),
        ),
        FAST,
      )

/** One in this many configurations is also checked for purity, which takes twice the time. */
const PURE = 10

function configuration(number: number): Configuration {
  let rest = number
  function pick<Value>(values: readonly Value[]): Value {
    const value = values[rest % values.length]
    rest = Math.floor(rest / values.length)
    assert.ok(value !== undefined)
    return value
  }
  const rungs = pick(CHOICES.rungs)
  const world = pick(CHOICES.world)
  const [mode, max_steps] = pick(CHOICES.rounds)
  const flags = {
    escalate_when: pick(CHOICES.escalateWhen),
    allow_big_retry_once: pick(CHOICES.bigRetry),
  }
  const act = { max_steps, no_progress_patience: pick(CHOICES.patience) }
  const max_tool_calls = pick(CHOICES.toolCalls)
  const calls = pick(CHOICES.calls)
  const budget = {
    max_tool_calls,
    max_llm_calls_small: calls,
    max_llm_calls_big: calls,
    max_seconds: 1,
    ...pick<PartialSettings['budget']>(CHOICES.purse),
  }
  const models = { ladder: Array.from({ length: rungs }, (_, rung) => `m/${rung}`) }
  return { world, policy: policyOf({ models, budget, act, flags }, mode) }
}

/** The state diagram of the design, with what the settlements add to it. */
const SMALL_LOOP = [
  'Init->PlanH',
  'PlanH->ExecuteL',
  'ExecuteL->Verify',
  'Verify->ACTGate',
  'ACTGate->PlanH',
  'ACTGate->Success',
  'ACTGate->Escalate',
  'Escalate->BigAttempt1',
  // Settled: reprompted once; no plan, model down, declined or refused; refused; budget; canceled.
  'PlanH->PlanH',
  'PlanH->ACTGate',
  'ExecuteL->ACTGate',
  'ACTGate->Budget',
  // Settled: nothing can check the answer, or no model can fix it.
  'ACTGate->Unchecked',
  'ACTGate->Blocked',
  'Escalate->Budget',
  'PlanH->Canceled',
  'ExecuteL->Canceled',
  'Verify->Canceled',
]
const BIG_ATTEMPTS = [
  'BigAttempt1->Success',
  'BigAttempt1->BigRetry',
  'BigAttempt1->BigFail',
  'BigRetry->Success',
  'BigRetry->BigFail',
  // Settled: budget, canceled.
  'BigAttempt1->Budget',
  'BigRetry->Budget',
  'BigAttempt1->Unchecked',
  'BigRetry->Unchecked',
  'BigAttempt1->Blocked',
  'BigRetry->Blocked',
  'BigAttempt1->Canceled',
  'BigRetry->Canceled',
]
const EDGES: Readonly<Record<number, readonly string[]>> = {
  1: ['Init->BigAttempt1', ...BIG_ATTEMPTS],
  2: [...SMALL_LOOP, ...BIG_ATTEMPTS],
  // Settled: on a ladder Escalate leads to the next rung.
  3: [...SMALL_LOOP, 'Escalate->PlanH', ...BIG_ATTEMPTS],
  4: [...SMALL_LOOP, 'Escalate->PlanH', ...BIG_ATTEMPTS],
}

suite('the policy, explored', { timeout: 7_200_000 }, () => {
  const began = performance.now()
  const found = NUMBERS.map((number, place) => {
    const one = configuration(number)
    return { one, explored: explore(one, agentFor(one), place % PURE === 0) }
  })
  const seconds = (performance.now() - began) / 1000
  const all = found.map(({ explored }) => explored)
  const unionOf = (sets: readonly ReadonlySet<string>[]): readonly string[] =>
    [...new Set(sets.flatMap((set) => [...set]))].sort()

  test('[DD-2] every run halts', (t) => {
    const states = all.reduce((sum, one) => sum + one.states, 0)
    const deepest = Math.max(...all.map((one) => one.longest ?? Infinity))
    t.diagnostic(
      `${all.length} configurations, ${states} states, deepest run ${deepest} observations, ${seconds.toFixed(1)} s`,
    )
    assert.ok(states > 400 * all.length, `only ${states} states`)
    assert.ok(deepest < 100)
    for (const { one, explored } of found) {
      assert.deepEqual([...explored.broken], [], JSON.stringify([one.world.name, one.policy]))
    }
  })

  for (const rule of Object.keys(RULES)) {
    test(`[DD-2] in every run: ${rule}`, () => {
      const wrong = found.filter(({ explored }) => explored.broken.has(rule))
      assert.deepEqual(
        wrong.map(({ one }) => [one.world.name, one.policy]),
        [],
      )
    })
  }

  for (const [rungs, documented] of Object.entries(EDGES)) {
    test(`[DD-2] with ${rungs} rungs exactly the documented edges are taken`, () => {
      const some = found.filter(({ one }) => one.policy.rungs.length === Number(rungs))
      assert.deepEqual(unionOf(some.map(({ explored }) => explored.edges)), documented.toSorted())
    })
  }

  test('[R17.1] every finish reason is reached, and no other', () => {
    const wanted = FINISH_REASONS.filter((reason) => reason !== 'supported')
    assert.deepEqual(unionOf(all.map(({ reasons }) => reasons)), wanted.toSorted())
  })
})

suite('the policy with a gate, explored', () => {
  const found = [1, 2, 3].flatMap((rungs) =>
    (['answer', 'escalate', 'refuse'] as const).map((unchecked) => {
      const ladder = Array.from({ length: rungs }, (_, rung) => `m/${rung}`)
      const settings = { models: { ladder }, flags: { unchecked }, budget: { max_seconds: 1 } }
      const policy = policyOf(settings, 'hrm_small_then_escalate', GATED.gate?.ask)
      return { rungs, unchecked, explored: explore({ world: GATED, policy }) }
    }),
  )

  test('every run halts within the rules', () => {
    for (const { rungs, unchecked, explored } of found) {
      assert.deepEqual([...explored.broken], [], `${rungs} rungs, ${unchecked}`)
      assert.ok((explored.longest ?? Infinity) < 100)
      assert.ok(explored.states > 100)
    }
  })

  test('supported answers end a run, and others go to the next model', () => {
    for (const { rungs, explored } of found) {
      const reasons = [...explored.reasons]
      assert.ok(reasons.includes('supported') && reasons.includes('big_fail'), reasons.join())
      assert.ok(!reasons.includes('success'))
      assert.equal(explored.edges.has('Judge->Verify'), rungs > 1)
    }
  })
})
