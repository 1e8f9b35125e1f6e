import { mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { writePrivateFile } from 'echelon/internal/platform'
import type {
  ClosedHandOver,
  Customer,
  DataSource,
  HandOver,
  Order,
  OrderChange,
} from '../primitives/data-source.ts'
import { changedOrder, orderIn, sameChange } from '../order-change.ts'
import { textField } from '../text-field.ts'
import { demoOrders } from './demo-data.ts'
import { readJsonFile, recordsIn, unusable } from './record-file.ts'

export interface JSONDataPaths {
  /** An object of orders by id. */
  readonly orders: string
  /** Default: `customers.json` beside the orders; if it is missing, there are no customers. */
  readonly customers?: string
  /**
   * A file for changes, created by the first change and readable by its owner only. Only one process at a time may
   * write it; several need `SQLiteDataSource`. Default: changes last as long as the process.
   */
  readonly changes?: string
}

/** A conversation that waits for a person. */
export interface Ticket extends HandOver {
  readonly ticket: string
}

type Rows = ReadonlyMap<string, JsonObject>

/** All data, as of one moment. */
interface Standing {
  readonly orders: Rows
  readonly customers: Rows
  readonly changes: Changes
}

/** The content of the second file. */
interface Changes {
  /** The changed orders. */
  readonly orders: Rows
  /** By key: the order that was returned. */
  readonly keys: Rows
  /** By key. */
  readonly tickets: Rows
}

/** Orders and customers from JSON files, read on first use. The files are never written. */
export class JSONDataSource implements DataSource {
  readonly #paths: JSONDataPaths
  #standing: Promise<Standing> | undefined
  /** Serializes the changes. */
  #last: Promise<unknown> = Promise.resolve()

  /** @param paths default: the sample orders and customers */
  constructor(paths: string | JSONDataPaths = demoOrders()) {
    this.#paths = typeof paths === 'string' ? { orders: paths } : paths
  }

  /** @throws EchelonError INVALID_INPUT for a missing or broken file, with the position */
  async getOrder(orderId: string): Promise<Order | null> {
    const { orders, changes } = await this.#now()
    return copied(orderIn(changes.orders.get(orderId) ?? orders.get(orderId)))
  }

  async getCustomer(customerId: string): Promise<Customer | null> {
    const { customers } = await this.#now()
    return copied(customers.get(customerId) ?? null)
  }

  async listOrders(customerId: string): Promise<readonly Order[]> {
    const { orders, changes } = await this.#now()
    return [...orders].flatMap(([id, record]) => {
      const order = orderIn(changes.orders.get(id) ?? record)
      return order?.['customer_id'] === customerId ? [copied(order)] : []
    })
  }

  /** @throws EchelonError INVALID_INPUT if the order does not exist, or does not match `onlyIf` */
  changeOrder(change: OrderChange, key: string): Promise<Order> {
    return this.#next(async ({ orders, changes }) => {
      const { orderId } = change
      const before = changes.keys.get(key)
      if (before !== undefined) {
        sameChange(textField(before, 'order_id'), change, key)
        return { answer: before }
      }
      const record = changes.orders.get(orderId) ?? orders.get(orderId)
      const order = copied(changedOrder(orderIn(record), change))
      const keys = new Map(changes.keys).set(key, order)
      return {
        answer: order,
        changes: { ...changes, orders: new Map(changes.orders).set(orderId, order), keys },
      }
    }).then(copied)
  }

  handOver({ sessionId, customerId, reason }: HandOver, key: string): Promise<string> {
    return this.#next(async ({ changes }) => {
      const before = changes.tickets.get(key)
      if (before !== undefined) return { answer: textField(before, 'ticket') }
      const ticket = ticketOf(changes.tickets.size + 1)
      const row = { ticket, sessionId, customerId, reason }
      return {
        answer: ticket,
        changes: { ...changes, tickets: new Map(changes.tickets).set(key, row) },
      }
    })
  }

  closeHandOver({ sessionId, ticket }: ClosedHandOver): Promise<void> {
    return this.#next(async ({ changes }) => {
      const tickets = [...changes.tickets].map(([key, row]) => {
        const isMeant = row['ticket'] === ticket && row['sessionId'] === sessionId
        return [key, isMeant ? { ...row, closed: true } : row] as const
      })
      return { answer: undefined, changes: { ...changes, tickets: new Map(tickets) } }
    })
  }

  /** The conversations that wait for a person, oldest first. */
  async handOvers(): Promise<readonly Ticket[]> {
    const { changes } = await this.#now()
    const open = [...changes.tickets.values()].filter((row) => row['closed'] !== true)
    return open.map(ticketIn)
  }

  #now(): Promise<Standing> {
    return (this.#standing ??= this.#load().catch((error: unknown) => {
      // Read the file again in case it has been repaired.
      this.#standing = undefined
      throw error
    }))
  }

  async #load(): Promise<Standing> {
    const { orders, customers = join(dirname(orders), 'customers.json'), changes } = this.#paths
    const found = await readJsonFile(orders)
    if (found === undefined) throw unusable(orders, 'is not there; name the file of the orders')
    const others = await readJsonFile(customers)
    if (others === undefined && this.#paths.customers !== undefined) {
      throw unusable(customers, 'is not there; name the file of the customers')
    }
    const changed = changes === undefined ? undefined : await readJsonFile(changes)
    return {
      orders: recordsIn(found, 'order_id', orders),
      customers: recordsIn(others ?? {}, 'customer_id', customers),
      changes: changesIn(changed ?? {}, changes ?? ''),
    }
  }

  /** Runs one change; it is on disk before it becomes visible. */
  #next<Answer>(
    work: (now: Standing) => Promise<{ readonly answer: Answer; readonly changes?: Changes }>,
  ): Promise<Answer> {
    const done = this.#last.then(async () => {
      const now = await this.#now()
      const { answer, changes } = await work(now)
      if (changes === undefined) return answer
      if (this.#paths.changes !== undefined) await writeChanges(this.#paths.changes, changes)
      this.#standing = Promise.resolve({ ...now, changes })
      return answer
    })
    this.#last = done.catch(() => undefined)
    return done
  }
}

async function writeChanges(path: string, { orders, keys, tickets }: Changes): Promise<void> {
  const folder = dirname(resolve(path))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const plain = {
    orders: Object.fromEntries(orders),
    keys: Object.fromEntries(keys),
    tickets: Object.fromEntries(tickets),
  }
  const bytes = new TextEncoder().encode(`${JSON.stringify(plain, null, 2)}\n`)
  await writePrivateFile(await realpath(folder), basename(path), bytes)
}

function changesIn(value: Json, path: string): Changes {
  const part = (name: string): Rows => {
    const rows = isJsonObject(value) ? (value[name] ?? {}) : undefined
    if (!isJsonObject(rows)) throw unusable(path, `is not a file of changes; name another`)
    const entries = Object.entries(rows).map(([key, row]) => {
      if (isJsonObject(row)) return [key, row] as const
      throw unusable(path, `is not a file of changes; name another`)
    })
    return new Map(entries)
  }
  return { orders: part('orders'), keys: part('keys'), tickets: part('tickets') }
}

/** The name of a ticket. */
export const ticketOf = (n: number): string => `H-${String(n).padStart(4, '0')}`

const ticketIn = (row: JsonObject): Ticket => ({
  ticket: textField(row, 'ticket'),
  sessionId: textField(row, 'sessionId'),
  customerId: typeof row['customerId'] === 'string' ? row['customerId'] : null,
  reason: textField(row, 'reason'),
})

const copied = <Value extends JsonObject | null>(value: Value): Value => structuredClone(value)
