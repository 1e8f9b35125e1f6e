import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import type { SupportRouter } from '../../packages/support/src/router.ts'
import { PlainExecutor, PlainMemory, PlainPolicy, plainRouter, YES } from '../support/kit.ts'
import { ESCALATED } from '../support/standings.ts'
import { tried } from './tried.ts'

const ORDER: JsonObject = {
  order_id: 'O-11111',
  status: 'delivered',
  amount: 489,
  customer_id: 'C-1',
}
const APPROVED = { approved: true, by: 'ada' }

/** Changes to an order between a question and its answer. */
const CHANGES: readonly (JsonObject | null)[] = [
  { ...ORDER, amount: 499 },
  { ...ORDER, amount: 489.01 },
  { ...ORDER, status: 'return_started' },
  { ...ORDER, refund_amount: 100 },
  { ...ORDER, customer_id: 'C-2' },
  { ...ORDER, address: 'elsewhere' },
  { ...ORDER, items: ['another'] },
  null,
]

/** A shop whose order changes, with a new router for each turn, as in another process. */
function shop(isEscalated: boolean) {
  const memory = new PlainMemory()
  const executor = new PlainExecutor()
  const orders = new Map<string, JsonObject | null>([
    ['O-11111', ORDER],
    ['O-22222', { ...ORDER, order_id: 'O-22222' }],
  ])
  const router = (): SupportRouter =>
    plainRouter({
      memory,
      executor,
      policy: new PlainPolicy(() => (isEscalated ? ESCALATED : YES)),
      dataSource: {
        getOrder: async (id) => orders.get(id) ?? null,
        getCustomer: async () => null,
      },
    }).router
  let count = 0
  const say = async (text: string): Promise<string> =>
    (await router().resolve({ id: `m${count++}`, text, customerId: 'C-1' }, 's')).text
  return { say, router, executor, orders }
}

suite('approvals of something else', () => {
  test('a customer’s yes applies to the order as it was when they were asked', (t) =>
    tried(t, {
      cases: CHANGES,
      named: (order) => JSON.stringify(order),
      async hold(order) {
        const { say, executor, orders } = shop(false)
        await say('refund O-11111')
        orders.set('O-11111', order)
        assert.equal(await say('yes'), 'The order has changed meanwhile. Sure about O-11111?')
        assert.equal(executor.calls.length, 0)
        await say('yes')
        assert.equal(executor.calls.length, 1)
      },
    }))

  test('a person’s approval applies to the order as it was when they were asked', (t) =>
    tried(t, {
      cases: CHANGES,
      named: (order) => JSON.stringify(order),
      async hold(order) {
        const { say, router, executor, orders } = shop(true)
        await say('refund O-11111')
        await say('yes')
        for (const next of [order, ORDER]) {
          orders.set('O-11111', next)
          // oxlint-disable-next-line no-await-in-loop
          const { text } = await router().review('s', APPROVED)
          assert.match(text, /^The order has changed since a colleague approved that/)
          assert.equal(executor.calls.length, 0)
        }
        await router().review('s', APPROVED)
        assert.equal(executor.calls.length, 1)
        await router().review('s', APPROVED)
        assert.equal(executor.calls.length, 1)
      },
    }))

  test('an order that changes between the rules and the call is not acted on', async () => {
    const { say, executor, orders } = shop(false)
    await say('refund O-11111')
    let reads = 0
    const get = orders.get.bind(orders)
    orders.get = (id) => (++reads > 1 ? { ...ORDER, amount: 499 } : get(id))
    await say('yes')
    assert.equal(executor.calls.length, 0)
  })

  test('each of two open approvals applies only to its own plan', async () => {
    const { say, router, executor } = shop(true)
    await say('refund O-11111')
    await say('yes')
    await say('refund O-22222')
    const { execution } = await router().resolve(
      { id: 'last', text: 'yes', customerId: 'C-1' },
      's',
    )
    const planId = execution?.planId ?? ''
    await router().review('s', { ...APPROVED, planId })
    assert.deepEqual(
      executor.calls.map(({ params }) => params['order_id']),
      ['O-22222'],
    )
    const again = await router().review('s', { ...APPROVED, planId: 'no-such' })
    assert.match(again.text, /Nothing waits/)
    assert.equal(executor.calls.length, 1)
  })
})
