import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../../../echelon/src/core/value/json.ts'
import { allOf, judge } from './judge.ts'
import type { Condition, PolicyRule, PolicyRules } from './rule.ts'

const rule = (given: Partial<PolicyRule>): PolicyRule => ({
  id: 'a-rule',
  tools: ['act'],
  when: null,
  require: () => true,
  effect: 'deny',
  because: 'it is not allowed',
  final: false,
  mode: 'enforce',
  ...given,
})
const policy = (...rules: readonly PolicyRule[]): PolicyRules => ({
  mode: 'enforce',
  tools: ['act'],
  constants: {},
  rules,
})
const FACTS = { tool: 'act', params: {} }
const no = (): boolean => false
const unclear = (): never => {
  throw new Error('No such key: delivered_at\n> 1 | order.delivered_at')
}

test('[S-5] a call that meets all rules is allowed, and the decision names the rules that apply', () => {
  const rules = [
    rule({ id: 'one' }),
    rule({ id: 'two', when: no, require: no }),
    rule({ id: 'three', tools: ['else'] }),
  ]
  assert.deepEqual(judge(policy(...rules), FACTS), {
    allowed: true,
    violations: [],
    requiresEscalation: false,
    rules: ['tools', 'one'],
  })
})

test('[S-5] an unlisted tool is refused, even if a rule names it', () => {
  const decision = judge(policy(rule({ tools: ['drop'] })), { tool: 'drop', params: {} })
  assert.equal(decision.allowed, false)
  assert.deepEqual(decision.rules, ['tools'])
})

test('[S-5] all refusals are reported once each, before rules that a person may waive', () => {
  const asks = rule({ id: 'asks', require: no, effect: 'escalate', because: 'a person has to' })
  const first = rule({ id: 'first', require: no })
  const second = rule({ id: 'second', require: no })
  const decision = judge(policy(asks, first, second), FACTS)
  assert.deepEqual(decision.violations, ['it is not allowed'])
  assert.deepEqual(decision.rules, ['first', 'second'])
  assert.equal(decision.requiresEscalation, false)
  assert.deepEqual(judge(policy(asks), FACTS), {
    allowed: false,
    violations: ['a person has to'],
    requiresEscalation: true,
    rules: ['asks'],
  })
})

test('[S-5] a failed lookup is reported as failed, not as absent', () => {
  const own = rule({
    id: 'own',
    require: () => {
      throw new Error('the database is down')
    },
    effect: 'not_found',
    because: 'Order {order_id} not found',
  })
  const decision = judge(policy(own), { tool: 'act', params: { order_id: 'O-1' } })
  assert.equal(decision.allowed, false)
  assert.equal(decision.asNotFound, undefined)
  assert.deepEqual(decision.violations, ['it could not be checked whether it is allowed'])
  assert.deepEqual(decision.rules, ['own (the database is down)'])
})

test('[S-19] a customer who may not know of an order hears of no other rule', () => {
  const hidden = rule({
    id: 'own',
    require: no,
    effect: 'not_found',
    because: 'Order {order_id} not found',
  })
  const other = rule({ id: 'other', require: no, because: 'it has been refunded' })
  const facts = { tool: 'act', params: { order_id: 'O-1' } }
  for (const rules of [
    [hidden, other],
    [other, hidden],
  ]) {
    assert.deepEqual(judge(policy(...rules), facts), {
      allowed: false,
      violations: ['Order O-1 not found'],
      requiresEscalation: false,
      rules: ['own'],
      asNotFound: true,
    })
  }
  const last = rule({ id: 'known', require: no, because: 'sign in', final: true })
  assert.deepEqual(judge(policy(last, hidden, other), facts).violations, ['sign in'])
})

test('[S-5] a person is never asked to approve what another, unreported rule forbids', () => {
  const asks = rule({ id: 'asks', require: no, effect: 'escalate', final: true })
  const decision = judge(policy(asks, rule({ id: 'forbids', require: no })), FACTS)
  assert.deepEqual([decision.rules, decision.requiresEscalation], [['asks'], false])
})

test('[S-5] an unjudgeable call is refused without details to the customer, and is named for operators', () => {
  const says = (given: Partial<PolicyRule>) => judge(policy(rule(given)), FACTS)
  for (const given of [
    { require: unclear },
    { when: unclear },
    { require: unclear, effect: 'escalate' },
  ] as const) {
    assert.deepEqual(says(given), {
      allowed: false,
      violations: ['it could not be checked whether it is allowed'],
      requiresEscalation: false,
      rules: ['a-rule (No such key: delivered_at)'],
    })
  }
  for (const value of [null, undefined, 1, 'true', {}, 0n]) {
    assert.deepEqual(says({ require: () => value }).rules, ['a-rule (neither true nor false)'])
  }
})

test('a sentence is filled from parameters, order and constants, short and on one line', () => {
  const because = '{order_id} is {status}, at most {most}, {unknown}'
  const params = { order_id: `O-1\n${'x'.repeat(100)}` }
  const facts = { tool: 'act', params, order: { order_id: 'O-2', status: 'shipped' } }
  const given = { ...policy(rule({ require: no, because })), constants: { most: 100 } }
  assert.deepEqual(judge(given, facts).violations, [
    `O-1 ${'x'.repeat(56)} is shipped, at most 100, it`,
  ])
})

test('[S-5] a rule on trial decides nothing, and its would-be decision is reported', () => {
  const trial = rule({ id: 'trial', require: no, mode: 'shadow' })
  const decision = judge(policy(trial, rule({ id: 'kept' })), FACTS)
  assert.equal(decision.allowed, true)
  assert.deepEqual(decision.rules, ['tools', 'kept'])
  assert.deepEqual(decision.shadow, {
    allowed: false,
    violations: ['it is not allowed'],
    requiresEscalation: false,
    rules: ['trial'],
  })
  const whole = judge({ ...policy(rule({ require: no })), mode: 'shadow' }, { tool: 'unlisted' })
  assert.equal(whole.allowed, true)
  assert.deepEqual(whole.shadow, {
    allowed: false,
    violations: ['that is not something I may do'],
    requiresEscalation: false,
    rules: ['tools'],
  })
})

const outcomes = fc.constantFrom<() => unknown>(
  () => true,
  no,
  unclear,
  () => null,
  () => 'yes',
)
const someRule = fc
  .record({
    id: fc.string({ minLength: 1, maxLength: 5 }),
    tools: fc.constantFrom(['act'], ['else'], ['act', 'else']),
    when: fc.oneof(fc.constant(null), outcomes),
    require: outcomes,
    effect: fc.constantFrom('deny', 'escalate', 'not_found'),
    final: fc.boolean(),
    mode: fc.constantFrom('enforce', 'shadow'),
  })
  .map(rule)
const rules = fc.array(someRule, { maxLength: 6 })

test('[S-5] with any rules: allowed only if each enforced rule is met or does not apply', () => {
  fc.assert(
    fc.property(rules, (given) => {
      const { allowed, violations } = judge(policy(...given), FACTS)
      const kept = given.every(
        ({ tools, mode, when, require }) =>
          mode === 'shadow' || !tools.includes('act') || holds(when, require),
      )
      assert.equal(allowed, kept)
      assert.equal(violations.length === 0, allowed)
    }),
  )
})

const holds = (when: Condition | null, require: Condition): boolean =>
  (when !== null && value(when) === false) ||
  ((when === null || value(when) === true) && value(require) === true)
function value(condition: Condition): unknown {
  try {
    return condition(FACTS)
  } catch {
    return 'threw'
  }
}

test('[S-5] an additional rule never allows more, and one on trial changes nothing', () => {
  fc.assert(
    fc.property(rules, someRule, fc.nat(), (given, added, place) => {
      const more = given.toSpliced(place % (given.length + 1), 0, added)
      const [before, after] = [judge(policy(...given), FACTS), judge(policy(...more), FACTS)]
      assert.ok(before.allowed || !after.allowed)
      if (!before.requiresEscalation && !before.allowed) assert.ok(!after.requiresEscalation)
      const trial = more.map((each) =>
        each === added ? { ...each, mode: 'shadow' as const } : each,
      )
      const { shadow: _, ...tried } = judge(policy(...trial), FACTS)
      const { shadow: __, ...plain } = before
      assert.deepEqual(tried, plain)
    }),
  )
})

test('[S-5] with any facts: a rule whose fact is missing refuses', () => {
  const needs = rule({
    require: ({ order }: JsonObject) =>
      Object(order).status === undefined ? unclear() : Object(order).status === 'delivered',
  })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (facts) => {
      const given = JSON.parse(JSON.stringify(facts))
      assert.equal(judge(policy(needs), { ...given, order: null, tool: 'act' }).allowed, false)
    }),
  )
})

test('several decisions: all must allow, and hiding outranks refusing, which outranks asking', () => {
  const yes = { allowed: true, violations: [], requiresEscalation: false, rules: ['y'] }
  const ask = { allowed: false, violations: ['ask'], requiresEscalation: true, rules: ['a'] }
  const deny = { allowed: false, violations: ['deny'], requiresEscalation: false, rules: ['d'] }
  const hide = { ...deny, violations: ['hide'], rules: ['h'], asNotFound: true }
  assert.equal(allOf([]).allowed, true)
  assert.deepEqual(allOf([yes, yes]).rules, ['y'])
  assert.deepEqual(allOf([yes, ask]), ask)
  assert.deepEqual(allOf([ask, deny, yes]), deny)
  assert.deepEqual(allOf([deny, hide, ask]), hide)
  assert.deepEqual(
    allOf([
      { ...yes, shadow: 1 },
      { ...yes, shadow: 2 },
    ]).shadow,
    [1, 2],
  )
})
