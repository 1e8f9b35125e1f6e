import assert from 'node:assert/strict'
import test from 'node:test'
import type { Customer, Order } from '../primitives/data-source.ts'
import type { Interaction } from '../interaction.ts'
import type { Plan, ToolCall } from '../plan.ts'
import type { PolicyEngine } from '../primitives/policy-engine.ts'
import type { FactsGatherer } from './facts-gatherer.ts'
import { NullPolicyEngine } from './null-policy-engine.ts'
import { OrderFacts } from './order-facts.ts'
import { RulePolicyEngine } from './rule-policy-engine.ts'
import type { PolicyRule, PolicyRules } from './rule.ts'

const ORDERS: Readonly<Record<string, Order>> = { 'O-1': { order_id: 'O-1', customer_id: 'C-1' } }
const CUSTOMERS: Readonly<Record<string, Customer>> = {
  'C-1': { customer_id: 'C-1', tier: 'gold' },
}
const clock = { now: () => 1_000 }
const dataSource = {
  getOrder: async (id: string) => ORDERS[id] ?? null,
  getCustomer: async (id: string) => CUSTOMERS[id] ?? null,
}
const interaction = (given: Partial<Interaction> = {}): Interaction => ({
  id: 'i-1',
  text: 'hello',
  customerId: 'C-1',
  context: {},
  ...given,
})
const plan = (...calls: readonly ToolCall[]): Plan => ({
  intentId: 'look',
  steps: calls,
  reasoning: '',
})
const call = (params: ToolCall['params'] = {}, toolName = 'look'): ToolCall => ({
  toolName,
  params,
})

/** Rules that hold for the expected facts, and expose what was gathered. */
function seeing(facts: unknown[]): PolicyRules {
  const require: PolicyRule['require'] = (given) => {
    const { constants: _, ...seen } = given
    facts.push(seen)
    return true
  }
  const rule: PolicyRule = {
    id: 'see',
    tools: ['look'],
    when: null,
    require,
    effect: 'deny',
    because: 'no',
    final: false,
    mode: 'enforce',
  }
  return { mode: 'enforce', tools: ['look'], constants: {}, rules: [rule] }
}

test('[S-5] the null engine allows everything', () => {
  const engine: PolicyEngine = new NullPolicyEngine()
  assert.deepEqual(engine.validate(plan(call({}, 'anything')), interaction(), []), {
    allowed: true,
    violations: [],
    requiresEscalation: false,
    rules: [],
  })
})

test('[S-5] the facts: the verified customer, the named order, the call, the time', async () => {
  const seen: unknown[] = []
  const engine = new RulePolicyEngine(seeing(seen), new OrderFacts({ dataSource, clock }))
  const context = { channel: 'email', desk: 4 }
  await engine.validate(plan(call({ order_id: 'O-1' })), interaction({ context }), [])
  await engine.validate(plan(call()), interaction({ customerId: null }), [])
  const given = { tool: 'look', intent: 'look', now: 1_000 }
  assert.deepEqual(seen, [
    {
      ...given,
      params: { order_id: 'O-1' },
      channel: 'email',
      context,
      customer: CUSTOMERS['C-1'],
      order: ORDERS['O-1'],
    },
    {
      ...given,
      params: {},
      channel: 'chat',
      context: {},
      customer: null,
      order: null,
      totals: null,
    },
  ])
})

test('[S-5] an unavailable fact is missing, and a gatherer cannot change given facts', async () => {
  const seen: unknown[] = []
  const broken = { ...dataSource, getOrder: () => Promise.reject(new Error('database is down')) }
  await new RulePolicyEngine(seeing(seen), new OrderFacts({ dataSource: broken, clock })).validate(
    plan(call({ order_id: 'O-1' }), call({ order_id: 7 })),
    interaction(),
    [],
  )
  const rest = {
    tool: 'look',
    intent: 'look',
    now: 1_000,
    channel: 'chat',
    context: {},
    customer: CUSTOMERS['C-1'],
  }
  assert.deepEqual(seen, [
    { ...rest, params: { order_id: 'O-1' } },
    { ...rest, params: { order_id: 7 } },
  ])
  seen.length = 0
  const liar: FactsGatherer = {
    gather: async () => ({ tool: 'look', params: { a: 1 }, channel: 'staff' }),
  }
  const gone: FactsGatherer = { gather: () => Promise.reject(new Error('gone')) }
  assert.equal(
    (
      await new RulePolicyEngine(seeing(seen), liar).validate(
        plan(call({}, 'drop')),
        interaction(),
        [],
      )
    ).allowed,
    false,
  )
  await new RulePolicyEngine(seeing(seen), gone).validate(plan(call()), interaction(), [])
  assert.deepEqual(seen, [
    { tool: 'look', params: {}, intent: 'look', channel: 'chat', context: {} },
  ])
})

test('[S-5] each call of a plan is judged, and a plan without calls is allowed', async () => {
  const engine = new RulePolicyEngine(seeing([]), new OrderFacts({ dataSource, clock }))
  const decision = await engine.validate(plan(call(), call({}, 'drop')), interaction(), [])
  assert.deepEqual([decision.allowed, decision.rules], [false, ['tools']])
  const asking = { intentId: 'look', steps: [{ param: 'order_id', prompt: '?' }], reasoning: '' }
  assert.equal((await engine.validate(asking, interaction(), [])).allowed, true)
})

test('rules in force and rules on trial work side by side', async () => {
  const trial: PolicyRules = { mode: 'shadow', tools: [], constants: {}, rules: [] }
  const engine = new RulePolicyEngine([seeing([]), trial], new OrderFacts({ dataSource, clock }))
  const decision = await engine.validate(plan(call()), interaction(), [])
  assert.equal(decision.allowed, true)
  assert.deepEqual(decision.rules, ['tools', 'see'])
  assert.partialDeepStrictEqual(decision.shadow, { allowed: false, rules: ['tools'] })
})

test('totals are those that the caller tracks', async () => {
  const seen: unknown[] = []
  const totals = async (id: string) => ({ refunds: id.length })
  const facts = new OrderFacts({ dataSource, clock, totals, orderParam: 'order' })
  await new RulePolicyEngine(seeing(seen), facts).validate(
    plan(call({ order: 'O-1' })),
    interaction(),
    [],
  )
  assert.partialDeepStrictEqual(seen[0], { totals: { refunds: 3 }, order: ORDERS['O-1'] })
})
