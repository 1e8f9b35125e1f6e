// A conversation with a question in the middle, a correction, a refund that a person approves, and an undo.
import {
  createSupportAgent,
  DEMO_DAY,
  JSONDataSource,
  OrderFacts,
  loadPolicies,
  LocalExecutor,
  RulePolicyEngine,
} from '@echelon/support'

// The demo orders are of one day; a real shop needs none of these three lines.
const clock = { now: () => Date.parse(`${DEMO_DAY}T12:00:00Z`) }
const dataSource = new JSONDataSource()
const policy = new RulePolicyEngine(await loadPolicies(), new OrderFacts({ dataSource, clock }))

const executor = new LocalExecutor(dataSource, { enforceIdentity: true, now: clock.now })
const agent = await createSupportAgent({ dataSource, policy, executor })
const talk = async (customerId: string, ...texts: readonly string[]) => {
  for (const text of texts) {
    const { text: answer } = await agent.resolve({ text, customerId }, customerId)
    console.log(`> ${text}\n${answer}\n`)
  }
}

await talk(
  'C-001',
  'send the lamp to 5 Main St, Boston',
  'wait, what else was in that order?',
  'sorry, 6 Main St',
  'yes, that is right',
  'undo that',
  'no, leave it',
)
await talk(
  'C-003',
  'the bedding is torn, I want my money back',
  'yes please',
  'is it approved yet?',
)
const approved = await agent.review('C-003', { approved: true, by: 'sofia' })
console.log(approved.text)
