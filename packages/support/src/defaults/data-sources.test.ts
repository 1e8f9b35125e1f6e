import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { isJsonArray, type JsonObject } from '../../../echelon/src/core/value/json.ts'
import { Database } from '../../../store/src/sqlite/file/database.ts'
import type { ContractCase } from '../../../echelon/src/testing/contract.ts'
import { dataSourceContract, type DataToHold } from '../testing/data-source-contract.ts'
import type { DataSource } from '../primitives/data-source.ts'
import { OwnOrders } from '../own-orders.ts'
import { demoOrders } from './demo-data.ts'
import { JSONDataSource } from './json-data-source.ts'
import { SQLiteDataSource } from './sqlite-data-source.ts'

const folder = await mkdtemp(join(tmpdir(), 'echelon-orders-'))
const opened: SQLiteDataSource[] = []
after(async () => {
  for (const source of opened) await source.close()
  await rm(folder, { recursive: true })
})

let files = 0
const fresh = (name: string): string => join(folder, `${files++}-${name}`)

function holds(what: string, cases: readonly ContractCase[]): void {
  describe(`[S-3] the contract of a data source: ${what}`, () => {
    for (const { name, holds } of cases) test(name, holds)
  })
}

async function written(data: DataToHold): Promise<{ orders: string; customers: string }> {
  const paths = { orders: fresh('orders.json'), customers: fresh('customers.json') }
  await writeFile(paths.orders, JSON.stringify(data.orders))
  await writeFile(paths.customers, JSON.stringify(data.customers))
  return paths
}

holds(
  'JSON files',
  dataSourceContract(async (data) => new JSONDataSource(await written(data))),
)

const again = new WeakMap<DataSource, () => DataSource>()

function remembered<Source extends DataSource>(make: () => Source): Source {
  const source = make()
  again.set(source, make)
  return source
}

const another = (source: DataSource): DataSource => {
  const make = again.get(source)
  assert.ok(make !== undefined)
  return make()
}

holds(
  'JSON files, with changes in another',
  dataSourceContract(
    async (data) => {
      const paths = { ...(await written(data)), changes: fresh('changes.json') }
      return remembered(() => new JSONDataSource(paths))
    },
    { another },
  ),
)

const openFile = (path: string): SQLiteDataSource => {
  const source = new SQLiteDataSource(path)
  opened.push(source)
  return source
}

holds(
  'SQLite',
  dataSourceContract(
    async (data) => {
      const path = fresh('orders.db')
      await (await SQLiteDataSource.create(path, data)).close()
      return remembered(() => openFile(path))
    },
    { another },
  ),
)

holds(
  'that of one customer, who owns all',
  dataSourceContract(
    async (data) => new OwnOrders(new JSONDataSource(await written(data)), 'C-1'),
  ).filter(({ name }) => !/come back as they are|all else stays/.test(name)),
)

const DATA = {
  orders: { 'O-1': { order_id: 'O-1', customer_id: 'C-1', status: 'processing' } },
  customers: {},
}
const TO_CANCELLED = { orderId: 'O-1', set: { status: 'cancelled' } }

test('[S-3] a file of orders that is missing, broken or of another kind is reported with the place', async () => {
  const order = async (text: string): Promise<unknown> => {
    const path = fresh('broken.json')
    await writeFile(path, text)
    return new JSONDataSource(path).getOrder('O-1')
  }
  const missing = new JSONDataSource(join(folder, 'absent.json'))
  await assert.rejects(missing.getOrder('O-1'), /absent\.json is not there; name the file/)
  await assert.rejects(order('{\n  "O-1": {\n    "order_id" "O-1"\n'), /is not JSON: .*line 3/)
  await assert.rejects(order('{\n\n"O-1": '), /is not JSON: .*line 3/)
  await assert.rejects(order('[1]'), /holds no records/)
  await assert.rejects(order('{"O-1": 1}'), /has O-1, which is not an object/)
  await assert.rejects(order('{"O-1": {"order_id": "O-2"}}'), /O-1 with a order_id that is "O-2"/)
  await assert.rejects(order('{"O-1": {"status": "shipped"}}'), /order_id that is missing/)
  await assert.rejects(new JSONDataSource(folder).getOrder('O-1'), /cannot be read/)
  const paths = await written(DATA)
  const customers = join(folder, 'nobody.json')
  await assert.rejects(
    new JSONDataSource({ ...paths, customers }).getOrder('O-1'),
    /nobody\.json is not there; name the file of the customers/,
  )
  const alone = fresh('alone/orders.json').replace('/orders.json', '.json')
  await writeFile(alone, JSON.stringify(DATA.orders))
  assert.equal(await new JSONDataSource(alone).getCustomer('C-1'), null)
})

test('[S-3] a repaired file is read again', async () => {
  const path = fresh('mended.json')
  const source = new JSONDataSource(path)
  await assert.rejects(source.getOrder('O-1'))
  await writeFile(path, JSON.stringify(DATA.orders))
  assert.equal((await source.getOrder('O-1'))?.['status'], 'processing')
})

test('[S-3] changes go to a file readable by its owner only, and never to the orders', async () => {
  const paths = { ...(await written(DATA)), changes: join(folder, 'new', 'changes.json') }
  const before = await readFile(paths.orders, 'utf8')
  const source = new JSONDataSource(paths)
  await source.changeOrder(TO_CANCELLED, 'k')
  assert.equal((await stat(paths.changes)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(join(folder, 'new')), ['changes.json'])
  assert.equal(await readFile(paths.orders, 'utf8'), before)
  await writeFile(paths.changes, '{"orders": 1}')
  await assert.rejects(new JSONDataSource(paths).getOrder('O-1'), /is not a file of changes/)
})

test('[S-3] a change that cannot be written is not made', async () => {
  const nowhere = fresh('nowhere')
  await symlink(join(folder, 'absent'), nowhere)
  const paths = { ...(await written(DATA)), changes: join(nowhere, 'changes.json') }
  const source = new JSONDataSource(paths)
  await assert.rejects(source.changeOrder(TO_CANCELLED, 'k'))
  assert.equal((await source.getOrder('O-1'))?.['status'], 'processing')
  await rm(nowhere)
  assert.equal((await source.changeOrder(TO_CANCELLED, 'k'))['status'], 'cancelled')
})

test("[S-3] a database that is missing, already there or another program's is reported", async () => {
  const path = fresh('orders.db')
  await assert.rejects(new SQLiteDataSource(path).getOrder('O-1'), /is not there; make it with/)
  await (await SQLiteDataSource.create(path, DATA)).close()
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  await assert.rejects(SQLiteDataSource.create(path, DATA), /is there already/)
  const store = fresh('echelon.db')
  ;(await Database.open(store)).close()
  await assert.rejects(openFile(store).getOrder('O-1'), /is a database of another program/)
  await assert.rejects(Database.open(path), /is a database of another program/)
  const words = fresh('text.db')
  await writeFile(words, 'no database at all, however long this text is made to be')
  await assert.rejects(openFile(words).getOrder('O-1'), { code: 'STORE_UNUSABLE' })
  const wrong = { orders: { 'O-1': { order_id: 'O-2' } }, customers: {} }
  await assert.rejects(SQLiteDataSource.create(fresh('wrong.db'), wrong), /order_id that is "O-2"/)
})

test('[S-3] a key is for one order, and an order stays its customer’s', async () => {
  const order = (id: string): JsonObject => ({ order_id: id, customer_id: 'C-1', status: 'x' })
  const data = { orders: { 'O-1': order('O-1'), 'O-2': order('O-2') }, customers: {} }
  const sqlite = await SQLiteDataSource.create(fresh('keys.db'), data)
  opened.push(sqlite)
  for (const source of [new JSONDataSource(await written(data)), sqlite]) {
    await source.changeOrder(TO_CANCELLED, 'k')
    const other = { ...TO_CANCELLED, orderId: 'O-2' }
    await assert.rejects(source.changeOrder(other, 'k'), { code: 'KEY_REUSED' })
    const stolen = { orderId: 'O-2', set: { customer_id: 'C-9' } }
    await assert.rejects(source.changeOrder(stolen, 'k2'), /the customer_id of an order stays/)
    const wish = { sessionId: 's', customerId: 'C-1', reason: 'angry' }
    const ticket = await source.handOver(wish, 'k')
    assert.deepEqual(await source.handOvers(), [{ ticket, ...wish }])
  }
})

test('[S-3] a customer sees and changes only their own orders', async () => {
  const all = new JSONDataSource()
  const theirs = new OwnOrders(all, 'C-002')
  assert.equal(await theirs.getOrder('O-12345'), null)
  assert.equal((await theirs.getOrder('O-12348'))?.['customer_id'], 'C-002')
  assert.equal(await theirs.getCustomer('C-001'), null)
  assert.equal((await theirs.getCustomer('C-002'))?.['customer_id'], 'C-002')
  const stolen = { orderId: 'O-12345', set: { address: '1 Attacker Way' } }
  await assert.rejects(async () => theirs.changeOrder?.(stolen, 'k'), /Order O-12345 not found/)
  assert.doesNotMatch(JSON.stringify(await all.getOrder('O-12345')), /Attacker/)
  const nobody = new OwnOrders(all, null)
  assert.equal(await nobody.getOrder('O-12345'), null)
  assert.equal(
    new OwnOrders({ getOrder: async () => null, getCustomer: async () => null }, null).changeOrder,
    undefined,
  )
  await theirs.handOver?.({ sessionId: 's', customerId: 'C-001', reason: '' }, 'k')
  assert.equal((await all.handOvers())[0]?.customerId, 'C-002')
})

// --- the data that come with Echelon

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const orders: Readonly<Record<string, JsonObject>> = JSON.parse(
  await readFile(demoOrders(), 'utf8'),
)
const customers: Readonly<Record<string, JsonObject>> = JSON.parse(
  await readFile(demoOrders().replace('orders.json', 'customers.json'), 'utf8'),
)

test('[S-16] the order of the document is its own, field by field', async () => {
  const order = await new JSONDataSource().getOrder('O-12345')
  const { ordered_at: _, address, prices, ...documented } = order ?? {}
  assert.deepEqual(documented, {
    order_id: 'O-12345',
    customer_id: 'C-001',
    status: 'shipped',
    carrier: 'UPS',
    tracking: '1Z999...',
    eta: '2025-10-20',
    amount: 29.99,
    items: ['Blue T-Shirt (M)'],
  })
  assert.deepEqual(prices, [29.99])
  assert.match(text(address), /Portland/)
})

test('[S-16] at least 60 orders of 20 customers cover every state', () => {
  const all = Object.values(orders)
  assert.ok(all.length >= 60)
  assert.equal(Object.keys(customers).length, 20)
  assert.deepEqual(
    new Set(all.map((order) => order['customer_id'])),
    new Set(Object.keys(customers)),
  )
  const states = new Set(all.map((order) => order['status']))
  for (const state of [
    'shipped',
    'delivered',
    'in_transit',
    'delayed',
    'refunded',
    'not_found',
    'processing',
    'cancelled',
    'return_started',
  ]) {
    assert.ok(states.has(state), `no order is ${state}`)
  }
})

test('[S-16] an absent id and a not_found record answer alike', async () => {
  const source = new JSONDataSource()
  const ids = Object.keys(orders).filter((id) => orders[id]?.['status'] === 'not_found')
  for (const id of [...ids, 'O-99999']) assert.equal(await source.getOrder(id), null)
})

test('[S-16] each order is consistent', () => {
  const day = (value: unknown): string => text(value).slice(0, 10)
  for (const [id, order] of Object.entries(orders)) {
    if (order['status'] === 'not_found') continue
    assert.match(id, /^O-\d{5}$/)
    const { items, prices, status, amount } = order
    assert.ok(isJsonArray(items) && isJsonArray(prices) && items.length === prices.length, id)
    const cents = prices.map((price) => Math.round(Number(price) * 100))
    assert.equal(
      cents.reduce((sum, each) => sum + each, 0),
      Math.round(Number(amount) * 100),
      id,
    )
    const isSent = !['processing', 'cancelled'].includes(text(status))
    assert.equal(typeof order['carrier'] === 'string', isSent, id)
    assert.equal(typeof order['tracking'] === 'string', isSent, id)
    const hasArrived = ['delivered', 'refunded', 'return_started'].includes(text(status))
    assert.equal('delivered_at' in order, hasArrived, id)
    assert.equal('refunded_at' in order, status === 'refunded', id)
    assert.equal('cancelled_at' in order, status === 'cancelled', id)
    if (hasArrived) assert.ok(day(order['ordered_at']) < day(order['delivered_at']), id)
    if ('refunded_at' in order)
      assert.ok(day(order['delivered_at']) < day(order['refunded_at']), id)
    const addresses = customers[text(order['customer_id'])]?.['addresses']
    assert.ok(isJsonArray(addresses) && addresses.includes(order['address'] ?? null), id)
  }
})

test('[S-16] customers have a tier, a name and a place, and notes of two orders are hostile', () => {
  for (const [id, { customer_id, name, email, tier, since }] of Object.entries(customers)) {
    assert.equal(customer_id, id)
    assert.match(text(name), /^\S+ \S/)
    assert.match(text(email), /^[a-z.-]+@example\.com$/)
    assert.match(text(tier), /^(standard|plus|gold)$/)
    assert.match(text(since), /^20[12]\d-\d\d-\d\d$/)
  }
  const notes = Object.values(orders).flatMap(({ notes: all }) => (isJsonArray(all) ? all : []))
  const hostile = notes.filter((note) => /I am the admin|IGNORE ALL/.test(text(note)))
  assert.equal(hostile.length, 2)
})
