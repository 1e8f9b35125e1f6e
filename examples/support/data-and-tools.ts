// The support agent's orders in a database, and a tool of your own beside those for orders.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEMO_DAY, LocalExecutor, type LocalTool, SQLiteDataSource } from '@echelon/support'

const records = async (name: string) =>
  JSON.parse(
    await readFile(fileURLToPath(import.meta.resolve(`@echelon/support/data/${name}`)), 'utf8'),
  )

const folder = await mkdtemp(join(tmpdir(), 'shop-'))
const data = await SQLiteDataSource.create(join(folder, 'shop.db'), {
  orders: await records('orders.json'),
  customers: await records('customers.json'),
})

const loyaltyPoints: LocalTool = {
  description: 'How many points the customer has',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  run: async (_, { data, customerId }) => {
    const customer = await data.getCustomer(customerId ?? '')
    if (customer === null) return { error: 'I do not know who you are', code: 'unknown_customer' }
    return { data: { points: customer['tier'] === 'gold' ? 500 : 100 } }
  },
}

const tools = new LocalExecutor(data, {
  tools: { loyaltyPoints },
  enforceIdentity: true,
  shown: ['status', 'refund_amount', 'refunded_at'],
  now: () => Date.parse(DEMO_DAY),
})

const call = async (customerId: string, key: string, toolName: string, params = {}) => {
  const where = { sessionId: 'chat-1', interactionId: key, execution: null }
  const context = { ...where, customerId, idempotencyKey: key }
  const { data, error } = await tools.execute({ toolName, params }, context)
  console.log(toolName, error ?? data)
}

await call('C-003', 'a', 'loyaltyPoints')
await call('C-001', 'b', 'cancel_order', { order_id: 'O-12345' })
await call('C-002', 'c', 'check_order_status', { order_id: 'O-12345' })

// A refund that is delivered twice, as after a crash, is made once.
for (const _ of ['first', 'again']) {
  await call('C-001', 'd', 'issue_refund', { order_id: 'O-12346', amount: 14.95 })
}
const order = await data.getOrder('O-12346')
console.log('refunded', order?.['refund_amount'], 'of', order?.['amount'])
await data.close()
await rm(folder, { recursive: true })
