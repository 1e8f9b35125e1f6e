import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../echelon/src/core/value/json.ts'
import { ToolError } from '../../../echelon/src/core/tool/tool.ts'
import { systemClock } from '../../../echelon/src/platform/clock.ts'
import { openStore } from '../../../store/src/sqlite/in-tests.ts'
import { type ToolExecutorTrial, toolExecutorContract } from '../testing/tool-executor-contract.ts'
import type { DataSource } from '../primitives/data-source.ts'
import type { LocalTool } from '../local-tool.ts'
import type { ExecutionContext, ToolResult } from '../primitives/tool-executor.ts'
import { JSONDataSource } from './json-data-source.ts'
import { LocalExecutor, type LocalExecutorOptions } from './local-executor.ts'

const AT = Date.parse('2025-10-18T12:00:00Z')
const now = (): number => AT

let keys = 0
const context = (over: Partial<ExecutionContext> = {}): ExecutionContext => ({
  sessionId: 's',
  interactionId: 'i',
  customerId: 'C-001',
  idempotencyKey: `key-${keys++}`,
  execution: null,
  ...over,
})

const shop = (options: LocalExecutorOptions = {}, data: DataSource = new JSONDataSource()) => {
  const executor = new LocalExecutor(data, { now, ...options })
  return async (toolName: string, params: JsonObject, over: Partial<ExecutionContext> = {}) =>
    await executor.execute({ toolName, params }, context(over))
}

/** The outcome, without its duration. */
const said = ({ success, error, code }: ToolResult): unknown => [success, error, code]

interface Counted {
  readonly tool: LocalTool
  calls: number
}

/** A tool that counts its calls. */
function counting(over: Partial<LocalTool> = {}): Counted {
  const counted: Counted = {
    calls: 0,
    tool: {
      description: 'Counts',
      parameters: { type: 'object', properties: { n: { type: 'integer' } } },
      acts: true,
      run: () => ({ data: { calls: ++counted.calls } }),
      ...over,
    },
  }
  return counted
}

describe('[S-6] the contract of a tool executor', () => {
  const open = (): ToolExecutorTrial => {
    const counted = counting()
    const run = (): never => {
      throw new Error('it failed')
    }
    const fail = { ...counted.tool, run }
    const executor = new LocalExecutor(new JSONDataSource(), {
      tools: { count: counted.tool, fail },
    })
    return {
      executor,
      call: { toolName: 'count', params: {} },
      carriedOut: () => counted.calls,
      failing: { toolName: 'fail', params: {} },
    }
  }
  for (const { name, holds } of toolExecutorContract(open)) test(name, holds)
})

test("[S-6] an order's status is told with the fields its customer may see", async () => {
  const result = await shop()('check_order_status', { order_id: 'O-12345' })
  assert.deepEqual(result, {
    success: true,
    data: {
      order_id: 'O-12345',
      status: 'shipped',
      carrier: 'UPS',
      tracking: '1Z999...',
      eta: '2025-10-20',
      amount: 29.99,
      items: ['Blue T-Shirt (M)'],
      prices: [29.99],
      address: '18 Alder Street, Portland, OR 97205',
      ordered_at: '2025-10-15T08:00:00Z',
    },
    error: null,
    executionTimeMs: 0,
  })
  for (const id of ['O-12356', 'O-12388']) {
    const { data } = await shop()('check_order_status', { order_id: id })
    assert.equal(data?.['notes'], undefined, 'a note of the staff')
    assert.doesNotMatch(JSON.stringify(data), /admin|IGNORE/)
  }
  const only = await shop({ shown: ['status'] })('check_order_status', { order_id: 'O-12345' })
  assert.deepEqual(only.data, { status: 'shipped' })
})

test('[S-6, S-16] a missing order is reported in the words of the document', async () => {
  for (const tool of ['check_order_status', 'issue_refund', 'cancel_order', 'start_return']) {
    for (const id of ['O-99999', 'O-12373', '__proto__']) {
      const result = await shop()(tool, { order_id: id })
      assert.deepEqual(said(result), [false, `Order ${id} not found`, 'not_found'])
      assert.equal(result.data, null)
    }
  }
})

test('[S-6] an unregistered tool, and invalid parameters, are refused', async () => {
  const counted = counting()
  const execute = shop({ tools: { count: counted.tool } })
  const unknown = await execute('delete_everything', {})
  assert.equal(unknown.code, 'unknown_tool')
  assert.match(String(unknown.error), /^There is no tool delete_everything; there are check_order/)
  for (const params of [{}, { order_id: 7 }, { order_id: '' }, { order_id: 'O-1', admin: true }]) {
    const result = await execute('check_order_status', params)
    assert.deepEqual([result.success, result.code], [false, 'invalid_params'])
  }
  assert.match(String((await execute('check_order_status', {})).error), /^order_id: /)
  assert.equal((await execute('count', { n: 'many' })).code, 'invalid_params')
  assert.equal(counted.calls, 0)
  assert.equal((await execute('count', { n: '3' })).success, true, 'a figure that was read off')
})

test('[S-6] tools are registered, replaced and described', async () => {
  const counted = counting()
  const executor = new LocalExecutor(new JSONDataSource(), { builtIn: false, now })
  assert.deepEqual(executor.describe(), [])
  executor.register('count', counted.tool)
  const { description, parameters } = counted.tool
  assert.deepEqual(executor.describe(), [{ name: 'count', description, parameters, acts: true }])
  assert.deepEqual(
    new LocalExecutor(new JSONDataSource()).describe().map(({ name, acts }) => [name, acts]),
    [
      ['check_order_status', false],
      ['list_orders', false],
      ['get_invoice', false],
      ['issue_refund', true],
      ['cancel_order', true],
      ['change_address', true],
      ['start_return', true],
      ['hand_over', true],
      ['close_hand_over', true],
    ],
  )
  const run = (): { data: JsonObject } => ({ data: { mine: true } })
  const own = { check_order_status: { ...counted.tool, run } }
  assert.deepEqual((await shop({ tools: own })('check_order_status', {})).data, { mine: true })
  assert.throws(() => executor.register('no good', counted.tool), { code: 'INVALID_DEFINITION' })
})

test('[S-6] an acting tool acts in the states that allow it, and gives a reason in the others', async () => {
  const states = {
    processing: 'O-12347',
    shipped: 'O-12345',
    in_transit: 'O-12348',
    delayed: 'O-12351',
    delivered: 'O-12346',
    return_started: 'O-12385',
    refunded: 'O-12350',
    cancelled: 'O-12354',
  }
  const allowed: Readonly<Record<string, readonly string[]>> = {
    cancel_order: ['processing'],
    change_address: ['processing'],
    start_return: ['delivered'],
    issue_refund: ['delayed', 'delivered', 'return_started'],
  }
  for (const [tool, may] of Object.entries(allowed)) {
    for (const [state, id] of Object.entries(states)) {
      const address = tool === 'change_address' ? { address: '1 New Street' } : {}
      const data = new JSONDataSource()
      const before = await data.getOrder(id)
      const result = await shop({}, data)(tool, { order_id: id, ...address })
      assert.equal(result.success, may.includes(state), `${tool} of one that is ${state}`)
      const after = await data.getOrder(id)
      if (result.success) assert.notDeepEqual(after, before)
      else assert.deepEqual(after, before)
      if (!result.success) assert.equal(result.code, 'not_allowed')
    }
  }
  const sentences = await Promise.all([
    shop()('cancel_order', { order_id: 'O-12345' }),
    shop()('issue_refund', { order_id: 'O-12347' }),
    shop()('issue_refund', { order_id: 'O-12350' }),
  ])
  assert.deepEqual(
    sentences.map(({ error }) => error),
    [
      'Order O-12345 is on its way, so it cannot be cancelled any more',
      'Order O-12347 has not been shipped yet, so it cannot be refunded',
      'Order O-12350 has been refunded already',
    ],
  )
})

test("[S-6] a tool's change is in the data, with time and reason", async () => {
  const data = new JSONDataSource()
  const execute = shop({}, data)
  await execute('cancel_order', { order_id: 'O-12347', reason: 'too slow' })
  const cancelled = await data.getOrder('O-12347')
  assert.equal(cancelled?.['cancelled_at'], '2025-10-18T12:00:00.000Z')
  assert.equal(cancelled['cancel_reason'], 'too slow')
  const address = '5 Elm Street, Salem, OR 97301'
  const moved = await execute('change_address', { order_id: 'O-12355', address })
  assert.equal(moved.data?.['address'], address)
  const returned = await execute('start_return', { order_id: 'O-12346' })
  assert.equal(returned.data?.['status'], 'return_started')
  const handed = await execute('hand_over', {}, { customerId: 'C-004' })
  assert.deepEqual(handed.data, { ticket: 'H-0001' })
  const reason = 'the customer asked for a person'
  assert.deepEqual(await data.handOvers(), [
    { ticket: 'H-0001', sessionId: 's', customerId: 'C-004', reason },
  ])
  await execute('close_hand_over', { ticket: 'H-0002' })
  assert.equal((await data.handOvers()).length, 1)
  await execute('close_hand_over', { ticket: 'H-0001' })
  assert.deepEqual(await data.handOvers(), [])
})

test('[S-6] a refund is full or partial, and never more than there is', async () => {
  const data = new JSONDataSource()
  const execute = shop({}, data)
  const order_id = 'O-12346'
  const part = await execute('issue_refund', { order_id, amount: '$14.95' })
  assert.deepEqual([part.data?.['status'], part.data?.['last_refund']], ['delivered', 14.95])
  const tooMuch = await execute('issue_refund', { order_id, amount: 40 })
  assert.deepEqual(said(tooMuch), [
    false,
    'At most 31.75 of order O-12346 can be refunded',
    'not_allowed',
  ])
  const rest = await execute('issue_refund', { order_id })
  const { status, refund_amount, last_refund } = rest.data ?? {}
  assert.deepEqual([status, refund_amount, last_refund], ['refunded', 46.7, 31.75])
  assert.equal((await execute('issue_refund', { order_id })).code, 'not_allowed')
  assert.equal((await execute('issue_refund', { order_id, amount: 0 })).code, 'invalid_params')
})

test('[S-6] only one of several simultaneous refunds with different keys is made', async () => {
  const execute = shop()
  const all = await Promise.all(
    ['a', 'b', 'c'].map((idempotencyKey) =>
      execute('issue_refund', { order_id: 'O-12352' }, { idempotencyKey }),
    ),
  )
  assert.equal(all.filter(({ success }) => success).length, 1)
})

test('[S-6] of simultaneous partial refunds, each is made or can be retried', async () => {
  const data = new JSONDataSource()
  const execute = shop({}, data)
  const order_id = 'O-12346'
  const all = await Promise.all(
    [1, 2, 3].map((amount) => execute('issue_refund', { order_id, amount })),
  )
  assert.ok(all.every(({ success, code }) => success || code === 'transient'))
  const made = all.reduce((sum, { data: now }) => sum + Number(now?.['last_refund'] ?? 0), 0)
  assert.ok(made > 0)
  assert.equal((await data.getOrder(order_id))?.['refund_amount'], made)
})

test('[S-6] a result that cannot be stored is returned all the same', async () => {
  const { results } = await openStore(':memory:', { clock: systemClock })
  results.settle = async () => {
    throw new Error('the disk is full')
  }
  const data = new JSONDataSource()
  const key = { idempotencyKey: 'one' }
  const order_id = 'O-12346'
  const first = await shop({ results }, data)('issue_refund', { order_id }, key)
  assert.equal(first.success, true)
  assert.deepEqual(await shop({ results }, data)('issue_refund', { order_id }, key), first)
})

test('[S-6] a read-only source is reported as such', async () => {
  const all = new JSONDataSource()
  const readOnly: DataSource = {
    getOrder: (id) => all.getOrder(id),
    getCustomer: (id) => all.getCustomer(id),
  }
  const cancelled = await shop({}, readOnly)('cancel_order', { order_id: 'O-12347' })
  assert.deepEqual(said(cancelled), [false, 'Orders cannot be changed here', 'not_supported'])
  assert.equal((await shop({}, readOnly)('hand_over', {})).code, 'not_supported')
})

test("[S-19] one customer never gets another's answer under the same key", async () => {
  const execute = shop({
    enforceIdentity: true,
    results: (await openStore(':memory:', { clock: systemClock })).results,
  })
  const [key, order] = [{ idempotencyKey: 'one' }, { order_id: 'O-12345' }]
  assert.equal((await execute('check_order_status', order, key)).success, true)
  for (const customerId of ['C-002', null]) {
    const other = await execute('check_order_status', order, { ...key, customerId })
    assert.deepEqual([other.data, other.code], [null, 'key_reused'])
  }
})

test('[S-6] the same key short-circuits, also for two simultaneous calls', async () => {
  const counted = counting()
  const execute = shop({ tools: { count: counted.tool } })
  const one = { idempotencyKey: 'one' }
  const all = await Promise.all([execute('count', { n: 1 }, one), execute('count', { n: 1 }, one)])
  all.push(await execute('count', { n: 1 }, one))
  assert.equal(counted.calls, 1)
  for (const result of all) assert.deepEqual(result.data, { calls: 1 })
  Object.assign(Object(all[0]?.data), { calls: 'changed' })
  assert.deepEqual((await execute('count', { n: 1 }, one)).data, { calls: 1 })
  assert.equal((await execute('count', { n: 2 }, one)).code, 'key_reused')
  assert.equal((await execute('count', { n: 1 })).data?.['calls'], 2, 'another key runs again')
})

test('[S-6] a refund made before a crash is answered the same and not repeated', async () => {
  const data = new JSONDataSource()
  for (const [tool, order_id] of [
    ['issue_refund', 'O-12346'],
    ['cancel_order', 'O-12347'],
    ['start_return', 'O-12352'],
  ] as const) {
    const key = { idempotencyKey: tool }
    const first = await shop({}, data)(tool, { order_id }, key)
    assert.equal(first.success, true)
    // Another process, which knows nothing but the data.
    assert.deepEqual(await shop({}, data)(tool, { order_id }, key), first)
  }
})

test('[S-6] a result is stored for all processes that share a store of results', async () => {
  const store = await openStore(':memory:', { clock: systemClock })
  const stores = [store, await openStore(store.path, { clock: systemClock })]
  const counted = counting({
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return { data: { calls: ++counted.calls } }
    },
  })
  const key = { idempotencyKey: 'one' }
  const both = stores.map(({ results }) => shop({ tools: { count: counted.tool }, results }))
  const all = await Promise.all(both.map((execute) => execute('count', { n: 1 }, key)))
  assert.equal(counted.calls, 1)
  assert.deepEqual(all[0], all[1])
  assert.equal(all[0]?.success, true)
  const [other] = both
  assert.equal((await other?.('count', { n: 2 }, key))?.code, 'key_reused')
  const missing = { order_id: 'O-99999' }
  const failed = await Promise.all(
    both.map((execute) => execute('check_order_status', missing, { idempotencyKey: 'two' })),
  )
  assert.deepEqual(failed[0], failed[1])
  assert.equal(failed[0]?.code, 'not_found')
})

test("[S-6] a handler's exception is a failure, and is retryable for a network error", async () => {
  const server = createServer((request) => request.socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const asked = { times: 0 }
  const throwing = (error: () => unknown): LocalTool => ({
    description: 'Fails',
    parameters: { type: 'object' },
    run: async () => {
      asked.times++
      throw await error()
    },
  })
  const execute = shop({
    tools: {
      net: throwing(() =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => null,
          (error: unknown) => error,
        ),
      ),
      slow: throwing(() => new ToolError('NET_TIMEOUT', 'the warehouse does not answer')),
      busy: throwing(() => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
      bug: throwing(() => new TypeError('x is undefined')),
      text: throwing(() => 'only text'),
    },
  })
  const code = async (tool: string): Promise<unknown> => (await execute(tool, {})).code
  assert.equal(await code('net'), 'transient')
  server.close()
  assert.equal(await code('slow'), 'transient')
  assert.equal(await code('busy'), 'transient')
  assert.deepEqual(said(await execute('bug', {})), [false, 'x is undefined', 'failed'])
  assert.deepEqual(said(await execute('text', {})), [false, 'only text', 'failed'])
  asked.times = 0
  await execute('slow', {}, { idempotencyKey: 'again' })
  await execute('slow', {}, { idempotencyKey: 'again' })
  assert.equal(asked.times, 2, 'what is worth another try is tried again under its key')
})

test('[S-6] a tool that times out or is aborted ends; the same key joins its work', async () => {
  const gate = Promise.withResolvers<void>()
  const counted = counting({
    timeoutMs: 20,
    run: async () => {
      counted.calls++
      await gate.promise
      return { data: { calls: counted.calls } }
    },
  })
  const execute = shop({ tools: { count: counted.tool } })
  const one = { idempotencyKey: 'one' }
  const late = await execute('count', {}, one)
  assert.deepEqual(said(late), [false, 'No answer within 0.02 s', 'transient'])
  const abort = new AbortController()
  const given = execute('count', {}, { ...one, signal: abort.signal })
  abort.abort(new Error('the customer left'))
  assert.deepEqual(said(await given), [false, 'the customer left', 'aborted'])
  gate.resolve()
  assert.deepEqual((await execute('count', {}, one)).data, { calls: 1 })
})

test("[S-6] with identity enforced, another customer's order is not found by any tool", async () => {
  const data = new JSONDataSource()
  const execute = shop({ enforceIdentity: true }, data)
  const own = { customerId: 'C-001' }
  assert.equal((await execute('check_order_status', { order_id: 'O-12345' }, own)).success, true)
  const before = await data.getOrder('O-12355')
  for (const tool of ['check_order_status', 'cancel_order', 'issue_refund']) {
    for (const customerId of ['C-001', null]) {
      const result = await execute(tool, { order_id: 'O-12355' }, { customerId })
      assert.deepEqual(said(result), [false, 'Order O-12355 not found', 'not_found'])
    }
  }
  assert.deepEqual(await data.getOrder('O-12355'), before)
  const cancelled = await execute('cancel_order', { order_id: 'O-12355' }, { customerId: 'C-004' })
  assert.equal(cancelled.success, true)
})
