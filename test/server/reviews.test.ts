import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createClient } from 'echelon/client'
import { createServer, hashToken, newToken, serveSupport } from '@echelon/server'
import {
  createSupportAgent,
  DEMO_DAY,
  demoOrders,
  JSONDataSource,
  loadPolicies,
  LocalExecutor,
  OrderFacts,
  RulePolicyEngine,
} from '@echelon/support'
import { serving, type Store } from './served.ts'

/** The support agent with the rules that come with it; the requester is the customer of the refund. */
async function deskOn(t: TestContext, store: Store) {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const dataSource = new JSONDataSource({
    orders: demoOrders(),
    changes: join(folder, 'changes.json'),
  })
  const now = (): number => Date.parse(`${DEMO_DAY}T12:00:00Z`)
  const agent = await createSupportAgent({
    store,
    dataSource,
    policy: new RulePolicyEngine(
      await loadPolicies(),
      new OrderFacts({ dataSource, clock: { now } }),
    ),
    executor: new LocalExecutor(dataSource, { enforceIdentity: true, now, results: store.results }),
  })
  return serveSupport(agent, { maxCost: 0, customerOf: () => 'C-003' })
}

const REFUND = 'I want a refund for order O-12352'

test('a refund that the rules leave to a person waits in the queue, and is done once it is approved', async (t) => {
  const { url, store } = await serving(t, async (kept) => [await deskOn(t, kept)])
  const client = createClient({ url })
  const say = async (input: string) => {
    const { id } = await client.runs.start({ agent: 'support', input, session: 's' })
    return client.runs.end(id)
  }
  await say(REFUND)
  assert.deepEqual(await client.approvals.list(), [])
  const asked = await say('yes')
  const [approval, ...others] = await client.approvals.list()
  assert.ok(approval !== undefined)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [approval.tool, approval.input, approval.agent, approval.session, approval.asked_by],
    ['issue_refund', { order_id: 'O-12352' }, 'support', 's', 'local'],
  )
  assert.deepEqual([approval.run, approval.choices], [asked.id, ['once', 'deny']])
  assert.deepEqual(approval.about, {
    customer: 'C-003',
    order: 'O-12352',
    items: 'Linen Bedding Set, Queen',
    amount: 139.5,
    confirmation:
      "Shall I refund $139.50 for Linen Bedding Set, Queen, order O-12352? This can't be taken back. A colleague has to approve it first.",
  })
  assert.match(approval.why, /^a refund above 100 dollars .* \(refund-alone\)$/)
  await assert.rejects(client.approvals.answer(approval, { choice: 'always' }), { status: 400 })
  await assert.rejects(client.approvals.answer(approval, { choice: 'once', hash: 'other' }), {
    status: 409,
  })
  await client.approvals.answer(approval, { choice: 'once', hash: approval.hash })
  assert.deepEqual(await client.approvals.list(), [])
  const [listed] = await client.sessions.list()
  assert.deepEqual([listed?.agent, listed?.id, listed?.owner], ['support', 's', 'local'])
  const { messages } = await client.sessions.get('support', 's')
  assert.match(JSON.stringify(messages), /refund of \$139\.50 for order O-12352 is on its way/)
  await assert.rejects(client.approvals.answer(approval, { choice: 'once' }), { status: 404 })
  const { runs } = await client.runs.list({ agent: 'support', session: 's' })
  const [newest] = runs
  assert.equal(runs.length, 3, 'the decision is a turn of the conversation')
  const { end } = await client.runs.get(newest?.id ?? '')
  assert.match(end?.text ?? '', /is on its way/)
  // A server that starts anew reads it from the store.
  const next = createServer({ agents: [await deskOn(t, store)], store })
  const later = createClient({ url: await next.listen({ port: 0 }) })
  t.after(() => next.stop())
  assert.deepEqual((await later.runs.get(newest?.id ?? '')).end?.text, end?.text)
})

test('a refund is in the queue however many conversations are newer', async (t) => {
  const { url, store } = await serving(t, async (kept) => [await deskOn(t, kept)])
  const client = createClient({ url })
  for (const input of [REFUND, 'yes']) {
    const { id } = await client.runs.start({ agent: 'support', input, session: 's' })
    await client.runs.end(id)
  }
  const refund = await store.sessions.load('support:local/support/s')
  assert.ok(refund !== undefined)
  for (let at = 0; at < 300; at++) {
    await store.sessions.save({
      id: `support:local/support/newer-${at}`,
      agent: 'support',
      from: 0,
      keep: 0,
      messages: refund.messages.slice(0, 1),
      states: refund.states,
      continues: null,
      at: refund.changedAt + 1000 + at,
    })
  }
  const [newest] = await client.sessions.list()
  assert.equal(newest?.id, 'newer-299')
  const approvals = await client.approvals.list()
  assert.deepEqual(
    approvals.map(({ owner, session }) => [owner, session]),
    [['local', 's']],
  )
})

test('a refund that a person denies is not done', async (t) => {
  const { url } = await serving(t, async (store) => [await deskOn(t, store)])
  const client = createClient({ url })
  for (const input of [REFUND, 'yes']) {
    const { id } = await client.runs.start({ agent: 'support', input, session: 's' })
    await client.runs.end(id)
  }
  const [approval] = await client.approvals.list()
  assert.ok(approval !== undefined)
  await client.approvals.answer(approval, { choice: 'deny' })
  assert.deepEqual(await client.approvals.list(), [])
  const { messages } = await client.sessions.get('support', 's')
  assert.doesNotMatch(JSON.stringify(messages), /is on its way/)
})

test('the customer who asks for a refund neither sees nor approves it; an operator does', async (t) => {
  const [ada, chief] = [newToken(), newToken()]
  const { url } = await serving(t, async (store) => [await deskOn(t, store)], {
    tokens: [
      { name: 'ada', sha256: hashToken(ada) },
      { name: 'chief', sha256: hashToken(chief), isOperator: true },
    ],
  })
  const [customer, operator] = [
    createClient({ url, token: ada }),
    createClient({ url, token: chief }),
  ]
  for (const input of [REFUND, 'yes']) {
    const { id } = await customer.runs.start({ agent: 'support', input, session: 's' })
    await customer.runs.end(id)
  }
  assert.deepEqual(await customer.approvals.list(), [])
  const [approval] = await operator.approvals.list()
  assert.ok(approval !== undefined)
  await assert.rejects(customer.approvals.answer(approval, { choice: 'once' }), { status: 404 })
  await operator.approvals.answer(approval, { choice: 'once' })
  const { messages } = await customer.sessions.get('support', 's')
  assert.match(JSON.stringify(messages), /is on its way/)
})
