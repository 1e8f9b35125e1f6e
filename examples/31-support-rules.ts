// Rules of a file: enforced ones, a shadow rule on trial, and a plan that waits for a person.
import {
  createSupportAgent,
  JSONDataSource,
  MockSink,
  OrderFacts,
  parsePolicies,
  RulePolicyEngine,
} from '@echelon/support'

const RULES = `
tools: [issue_refund]
constants: { refund_alone: 100 }
rules:
  - id: own-orders
    tools: [issue_refund]
    require: customer != null && order != null && order.customer_id == customer.customer_id
    because: Order {order_id} not found
    effect: not_found
  - id: refund-alone
    tools: [issue_refund]
    require: double(order.amount) <= double(constants.refund_alone)
    because: a refund above {refund_alone} dollars has to be approved by a person
    effect: escalate
  - id: gold-only
    tools: [issue_refund]
    mode: shadow
    require: customer.tier == "gold"
    because: refunds are for gold customers
`
const dataSource = new JSONDataSource()
const clock = { now: () => Date.parse('2025-10-18T12:00:00Z') }
const policy = new RulePolicyEngine(
  await parsePolicies(RULES, 'rules.yaml'),
  new OrderFacts({ dataSource, clock }),
)
const telemetry = new MockSink()
const agent = await createSupportAgent({ dataSource, policy, telemetry })

for (const [customerId, order] of [
  ['C-001', 'O-12346'],
  ['C-008', 'O-12367'],
] as const) {
  const ask = async (text: string) => (await agent.resolve({ text, customerId }, customerId)).text
  console.log(await ask(`I want a refund for ${order}`))
  console.log(await ask('yes'))
}

// The shadow rule's verdict on the first refund; it has no effect.
const [first] = telemetry.events.filter(({ stage }) => stage === 'policy_check')
console.log(first?.payload['allowed'], first?.payload['shadow'])

// The next day a person reviews waiting plans.
const approved = await agent.review('C-008', { approved: true, by: 'sofia' })
console.log(approved.text, approved.execution?.steps.map(({ status }) => status).join(' '))
