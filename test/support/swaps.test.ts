import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openStore } from '@echelon/store'
import {
  AgentRouter,
  createSupportAgent,
  InMemoryConversationMemory,
  JSONDataSource,
  LocalExecutor,
  MockSink,
  NullPolicyEngine,
  type RouterOptions,
  SQLiteDataSource,
  StoreConversationMemory,
} from '@echelon/support'

const ORDER = { order_id: 'O-12345', customer_id: 'C-001', status: 'delivered' }
const TEXT = { text: "Where's order O-12345?", customerId: 'C-001' }

/** Runs one turn of a router with one part replaced. */
const answered = async (options: RouterOptions): Promise<string> =>
  (await new AgentRouter(options).resolve(TEXT, 's')).text

const SHIPPED = 'Your order O-12345 is shipped via UPS, ETA Oct 20'

describe('each of the six parts can be replaced, in under five lines', () => {
  test('[S-1] the memory', async () => {
    const said: string[] = []
    const memory = {
      getHistory: async () => [],
      append: async (_: string, { text }: { readonly text: string }) => void said.push(text),
      clear: async () => undefined,
    }
    assert.equal(await answered({ memory }), SHIPPED)
    assert.deepEqual(said, [TEXT.text, SHIPPED])
  })

  test('[S-1] the data source', async () => {
    const dataSource = {
      getOrder: async () => ORDER,
      getCustomer: async () => null,
    }
    assert.equal(await answered({ dataSource }), 'Your order O-12345 was delivered')
  })

  test('[S-1] [S-3] the JSON files by a database', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'echelon-swap-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const records = { orders: { 'O-12345': ORDER }, customers: {} }
    const dataSource = await SQLiteDataSource.create(join(folder, 'orders.db'), records)
    t.after(() => dataSource.close())
    assert.equal(await answered({ dataSource }), 'Your order O-12345 was delivered')
    assert.equal(await answered({ dataSource: new JSONDataSource() }), SHIPPED)
  })

  test('[S-1] the model', async () => {
    const reply = { toolCalls: [], model: 'mine', tokensUsed: 0, latencyMs: 0 }
    const llmProvider = {
      generate: async () => ({ ...reply, content: 'It is with UPS.' }),
      getCost: () => 0,
    }
    const understanding = { embedded: true }
    assert.equal(await answered({ llmProvider, understanding }), 'It is with UPS.')
  })

  test('[S-1] the policy', async () => {
    const no = { allowed: false, violations: ['we are closed'], requiresEscalation: false }
    const policy = { validate: () => no }
    assert.equal(await answered({ policy }), "I can't process that request: we are closed")
    assert.equal(await answered({ policy: new NullPolicyEngine() }), SHIPPED)
  })

  test('[S-1] the executor', async () => {
    const data = { order_id: 'O-12345', status: 'delayed' }
    const executor = {
      execute: async () => ({ success: true, data, error: null, executionTimeMs: 0 }),
      describe: () => new LocalExecutor(new JSONDataSource()).describe(),
    }
    assert.equal(await answered({ executor }), 'Your order O-12345 is delayed')
  })

  test('[S-1] the sink', async () => {
    const stages: string[] = []
    const telemetry = { record: ({ stage }: { readonly stage: string }) => void stages.push(stage) }
    await answered({ telemetry: [telemetry, new MockSink()] })
    assert.equal(stages.length, 10)
  })

  test('[S-1] [S-2] and an in-process memory by a persistent one', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'echelon-swap-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const store = await openStore(join(folder, 'store.db'))
    t.after(() => store.close())
    for (const memory of [
      new InMemoryConversationMemory(),
      new StoreConversationMemory(store.sessions),
    ]) {
      assert.equal(await answered({ memory }), SHIPPED)
      assert.equal((await memory.getHistory('s')).length, 2)
    }
  })
})

describe('the defaults', () => {
  test('[S-18] allow everything in a router, and enforce rules in a support agent', async () => {
    const text = 'Where is order O-12348?'
    const router = await new AgentRouter().resolve({ text, customerId: 'C-001' }, 's')
    assert.match(router.text, /^Your order O-12348 is in transit/)
    const agent = await createSupportAgent()
    const own = await agent.resolve({ text, customerId: 'C-001' }, 's')
    assert.equal(own.text, "Sorry, I couldn't find order O-12348")
    const nobody = await agent.resolve({ text }, 'nobody')
    assert.match(nobody.text, /^I can't process that request: I don't know who you are/)
  })

  test('[S-18] a support agent enforces identity through its executor, whatever the rules say', async () => {
    const agent = await createSupportAgent({ policy: new NullPolicyEngine() })
    const given = { text: 'Where is order O-12348?', customerId: 'C-001' }
    assert.equal((await agent.resolve(given, 's')).text, "Sorry, I couldn't find order O-12348")
  })
})
