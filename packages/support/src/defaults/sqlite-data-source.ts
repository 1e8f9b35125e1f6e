import { existsSync } from 'node:fs'
import { EchelonError, isJson, isJsonObject } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { Database, Migration } from '@echelon/store/internal/sqlite'
import type {
  ClosedHandOver,
  Customer,
  DataSource,
  HandOver,
  Order,
  OrderChange,
} from '../primitives/data-source.ts'
import { changedOrder, orderIn, sameChange } from '../order-change.ts'
import { type Ticket, ticketOf } from './json-data-source.ts'
import { type Records, recordsIn } from './record-file.ts'

/** Marks a file of orders: "EORD". */
const ORDERS_FILE = 0x454f_5244

const MIGRATIONS: readonly Migration[] = [
  () =>
    [
      'create table orders (id text primary key not null, body_json text not null) strict',
      'create table customers (id text primary key not null, body_json text not null) strict',
      `create table order_changes (key text primary key not null, order_id text not null,
         answer_json text not null, at text not null) strict`,
      `create table hand_overs (n integer primary key autoincrement, key text not null unique,
         session text not null, customer text, reason text not null, at text not null) strict`,
    ].map((sql) => ({ sql, parameters: [] })),
  () => [{ sql: 'alter table hand_overs add column closed_at text', parameters: [] }],
]

/** Orders and customers in a file that processes of one machine may share. */
export class SQLiteDataSource implements DataSource {
  readonly #path: string
  #opened: Promise<Database> | undefined

  /** @param path a file made by `create`; opened on first use */
  constructor(path: string) {
    this.#path = path
  }

  /**
   * Creates and fills a file that only its owner may read.
   * @param records by id, as in the JSON files
   * @throws EchelonError INVALID_INPUT if the file already exists, or a record's id differs from its key
   */
  static async create(
    path: string,
    records: { readonly orders: Records; readonly customers: Records },
  ): Promise<SQLiteDataSource> {
    const orders = recordsIn(records.orders, 'order_id', 'what is given')
    const customers = recordsIn(records.customers, 'customer_id', 'what is given')
    if (existsSync(path)) {
      const sentence = `${path} is there already; open it with new SQLiteDataSource, or name another file`
      throw new EchelonError('INVALID_INPUT', sentence, { details: { path } })
    }
    const source = new SQLiteDataSource(path)
    const db = await source.#open()
    db.transaction(() => {
      for (const [table, rows] of [
        ['orders', orders],
        ['customers', customers],
      ] as const) {
        const insert = db.prepare(`insert into ${table} (id, body_json) values (?, ?)`)
        for (const [id, row] of rows) insert.run(id, JSON.stringify(row))
      }
    })
    return source
  }

  /**
   * @throws EchelonError INVALID_INPUT for a missing file, STORE_UNUSABLE for one that is broken, newer or another
   * program's
   */
  async getOrder(orderId: string): Promise<Order | null> {
    return orderIn(recordOf(await this.#db(), 'orders', orderId))
  }

  async getCustomer(customerId: string): Promise<Customer | null> {
    return recordOf(await this.#db(), 'customers', customerId) ?? null
  }

  async listOrders(customerId: string): Promise<readonly Order[]> {
    const db = await this.#db()
    return db
      .prepare("select body_json from orders where body_json ->> '$.customer_id' = ? order by id")
      .all(customerId)
      .flatMap((row): readonly Order[] => {
        const order = orderIn(objectIn(row['body_json']))
        return order === null ? [] : [order]
      })
  }

  /** @throws EchelonError INVALID_INPUT if the order does not exist, or does not match `onlyIf` */
  async changeOrder(change: OrderChange, key: string): Promise<Order> {
    const { orderId } = change
    const db = await this.#db()
    return db.transaction(() => {
      const before = db
        .prepare('select order_id, answer_json from order_changes where key = ?')
        .get(key)
      if (before !== undefined) {
        sameChange(String(before['order_id']), change, key)
        return objectIn(before['answer_json'])
      }
      const order = changedOrder(orderIn(recordOf(db, 'orders', orderId)), change)
      const body = JSON.stringify(order)
      db.prepare('update orders set body_json = ? where id = ?').run(body, orderId)
      db.prepare(
        `insert into order_changes (key, order_id, answer_json, at) values (?, ?, ?, ${NOW})`,
      ).run(key, orderId, body)
      return objectIn(body)
    })
  }

  async handOver({ sessionId, customerId, reason }: HandOver, key: string): Promise<string> {
    const db = await this.#db()
    return db.transaction(() => {
      db.prepare(
        `insert into hand_overs (key, session, customer, reason, at) values (?, ?, ?, ?, ${NOW})
         on conflict (key) do nothing`,
      ).run(key, sessionId, customerId, reason)
      return ticketOf(Number(db.prepare('select n from hand_overs where key = ?').get(key)?.['n']))
    })
  }

  async closeHandOver({ sessionId, ticket }: ClosedHandOver): Promise<void> {
    const db = await this.#db()
    const n = db
      .prepare('select n from hand_overs where session = ? and closed_at is null')
      .all(sessionId)
      .map((row) => Number(row['n']))
      .find((one) => ticketOf(one) === ticket)
    if (n === undefined) return
    db.prepare(`update hand_overs set closed_at = ${NOW} where n = ?`).run(n)
  }

  /** The conversations that wait for a person, oldest first. */
  async handOvers(): Promise<readonly Ticket[]> {
    const db = await this.#db()
    return db
      .prepare(
        'select n, session, customer, reason from hand_overs where closed_at is null order by n',
      )
      .all()
      .map(({ n, session, customer, reason }) => ({
        ticket: ticketOf(Number(n)),
        sessionId: String(session),
        customerId: typeof customer === 'string' ? customer : null,
        reason: String(reason),
      }))
  }

  /** Closes the file. The next query opens it again. */
  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    const db = await opened?.catch(() => undefined)
    db?.close()
  }

  #db(): Promise<Database> {
    if (this.#opened === undefined && !existsSync(this.#path)) {
      const sentence = `${this.#path} is not there; make it with SQLiteDataSource.create`
      throw new EchelonError('INVALID_INPUT', sentence, { details: { path: this.#path } })
    }
    return this.#open()
  }

  #open(): Promise<Database> {
    return (this.#opened ??= openOrders(this.#path).catch((error: unknown) => {
      this.#opened = undefined
      throw error
    }))
  }
}

/** Loads Node's database only when it is used. */
async function openOrders(path: string): Promise<Database> {
  const { Database } = await import('@echelon/store/internal/sqlite')
  return Database.open(path, MIGRATIONS, ORDERS_FILE)
}

const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ')`

function recordOf(db: Database, table: 'orders' | 'customers', id: string): JsonObject | undefined {
  const row = db.prepare(`select body_json from ${table} where id = ?`).get(id)
  return row === undefined ? undefined : objectIn(row['body_json'])
}

function objectIn(text: unknown): JsonObject {
  const value: unknown = JSON.parse(String(text))
  if (isJson(value) && isJsonObject(value)) return value
  throw new EchelonError(
    'STORE_UNUSABLE',
    'a record of the file is not an object; restore a backup',
  )
}
