// The six parts of a support agent, each replaced by a custom one.
import {
  AgentRouter,
  type ConversationMemory,
  type DataSource,
  IntentsRegistry,
  type LLMProvider,
  loadIntents,
  LocalExecutor,
  type Message,
  type PolicyEngine,
  type TelemetrySink,
} from '@echelon/support'

const NOTHING = { toolCalls: [], model: 'mine', tokensUsed: 0, latencyMs: 0 }
const kept = new Map<string, Message[]>()
const memory: ConversationMemory = {
  getHistory: async (id) => kept.get(id) ?? [],
  append: async (id, message) => void kept.set(id, [...(kept.get(id) ?? []), message]),
  clear: async (id) => void kept.delete(id),
}
const dataSource: DataSource = {
  getOrder: async (id) => ({ order_id: id, customer_id: 'ann', status: 'shipped', carrier: 'DHL' }),
  getCustomer: async (id) => ({ customer_id: id, tier: 'gold' }),
}
const llmProvider: LLMProvider = {
  generate: async () => ({ ...NOTHING, content: 'It is on its way to you with DHL.' }),
  getCost: () => 0,
}
const policy: PolicyEngine = {
  validate: (_, { customerId }) => ({
    allowed: customerId === 'ann',
    violations: ['we only know Ann'],
    requiresEscalation: false,
  }),
}
const telemetry: TelemetrySink = { record: ({ stage }) => void stages.push(stage) }
const stages: string[] = []

// A custom tool and its intent.
const executor = new LocalExecutor(dataSource, { builtIn: false }).register('check_order_status', {
  description: 'Where an order is',
  parameters: { type: 'object', properties: { order_id: { type: 'string' } } },
  run: async ({ order_id: id }, { data }) => ({
    data: (typeof id === 'string' ? await data.getOrder(id) : null) ?? {},
  }),
})
const { config } = await loadIntents()
const intents = new IntentsRegistry({
  ...config,
  intents: config.intents.filter(({ id }) => id === 'order_status'),
})

const parts = { memory, dataSource, policy, executor, telemetry, intents }
const router = new AgentRouter({ ...parts, llmProvider, understanding: { embedded: true } })
for (const customerId of ['ann', 'bob']) {
  console.log((await router.resolve({ text: 'where is O-20001?', customerId }, customerId)).text)
}
console.log(stages.length, 'stages', kept.get('ann')?.length, 'messages')
