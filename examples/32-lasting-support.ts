// A conversation with a model that outlives its process: the question waits, and nothing is done twice.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSupportAgent, demoOrders, JSONDataSource, MockLLMProvider } from '@echelon/support'
import { openStore, type Store } from '@echelon/store'

// Scripted answers stand for those of a model, such as new OpenAIProvider({ model: 'gpt-5-nano' }).
const reading = (order_id: string | null, act: string) => ({
  content: JSON.stringify({
    intent_id: 'cancel',
    extracted_params: { order_id, reason: null, address: null },
    missing_params: order_id === null ? ['order_id'] : [],
    confidence: 0.9,
    act,
    further_intents: [],
  }),
})
const llmProvider = new MockLLMProvider([
  reading(null, 'wish'),
  reading('O-12347', 'answer'),
  reading(null, 'yes'),
])

const folder = await mkdtemp(join(tmpdir(), 'echelon-'))
const agentIn = (store: Store) =>
  createSupportAgent({
    store,
    llmProvider,
    wording: { natural: false },
    dataSource: new JSONDataSource({ orders: demoOrders(), changes: join(folder, 'changes.json') }),
  })
const messages = ['please stop an order for me', 'O-12347', 'yes', 'yes']
for (const [n, text] of messages.entries()) {
  // Each message reaches another process; the last one is delivered twice.
  const store = await openStore(join(folder, 'echelon.db'))
  const agent = await agentIn(store)
  const id = `message-${Math.min(n, 2)}`
  const { text: answer, runId } = await agent.resolve({ id, text, customerId: 'C-001' }, 'maya')
  console.log(answer, `(${runId})`)
  await store.close()
}
console.log(llmProvider.calls.length, 'calls of the model')
await rm(folder, { recursive: true })
