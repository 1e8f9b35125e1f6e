import { isJsonArray, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { fill } from '../wording/fill.ts'

/** An order of the customer who writes, in the form in which messages refer to it. */
export interface OwnOrder {
  readonly id: string
  readonly status: string
  readonly items: readonly OwnItem[]
  readonly amount: number | null
  /** The amount that was not given back yet. */
  readonly left: number | null
  /** Milliseconds since the epoch; `null` if unknown. */
  readonly orderedAt: number | null
  readonly record: JsonObject
}

export interface OwnItem {
  readonly name: string
  readonly price: number | null
}

/** The orders in a list of records, newest first; records without an id are left out. */
export function ownOrdersIn(value: Json): readonly OwnOrder[] {
  if (!isJsonArray(value)) return []
  const orders = value.flatMap((record) => (isJsonObject(record) ? (orderIn(record) ?? []) : []))
  return orders.toSorted((a, b) => (b.orderedAt ?? 0) - (a.orderedAt ?? 0))
}

function orderIn(record: JsonObject): OwnOrder | null {
  const { order_id: id, status, amount } = record
  if (typeof id !== 'string') return null
  const total = typeof amount === 'number' ? amount : null
  const refunded = record['refund_amount']
  const back = typeof refunded === 'number' ? refunded : 0
  return {
    id,
    status: typeof status === 'string' ? status : '',
    items: itemsIn(record),
    amount: total,
    left: total === null ? null : cents(total - back),
    orderedAt: timeIn(record['ordered_at']),
    record,
  }
}

function itemsIn({ items, prices }: JsonObject): readonly OwnItem[] {
  if (items === undefined || !isJsonArray(items)) return []
  return items.flatMap((item, at) => {
    const own = prices !== undefined && isJsonArray(prices) ? prices[at] : undefined
    const price = typeof own === 'number' ? own : null
    if (typeof item === 'string') return [{ name: item, price }]
    if (!isJsonObject(item) || typeof item['name'] !== 'string') return []
    const inner = item['price']
    return [{ name: item['name'], price: typeof inner === 'number' ? inner : price }]
  })
}

/** Rounded to cents, so that sums of prices are amounts. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100

function timeIn(value: Json | undefined): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isNaN(time) ? null : time
}

/** The names of items for people: "Stoneware Mug, 350 ml (2)". */
export const namesOfItems = (items: readonly OwnItem[]): string =>
  listed([...countsOf(items)].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`)))

/** How many there are of each item that a text holds the name of, or of all: "1 × Puzzle, 1000 Pieces". */
export function countsOfItems(items: readonly OwnItem[], said: string | null = null): string {
  const named = items.filter(({ name }) => said?.includes(name) === true)
  const counts = countsOf(named.length > 0 ? named : items)
  return listed([...counts].map(([name, count]) => `${count} × ${name}`))
}

const countsOf = (items: readonly OwnItem[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { name } of items) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const listed = (names: readonly string[]): string => {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

/** An order in a few words: `O-12345 (Blue T-Shirt, shipped)`. */
export const orderInWords = (order: OwnOrder): string => wordsOfOrder(order, [])

/** The same with the day on which it is expected: `O-12345 (Blue T-Shirt, shipped, ETA Oct 20)`. */
export const orderWithArrival = (order: OwnOrder): string =>
  wordsOfOrder(order, isToCome(order) ? [fill('[ETA {eta|date}]', order.record)] : [])

/** The order with what was paid for it. */
export const orderWithSum = (order: OwnOrder): string =>
  wordsOfOrder(order, [fill('[{amount|money}]', order.record)])

/** Whether it is still expected. */
export const isToCome = ({ status }: OwnOrder): boolean => !ARRIVED.has(status)

/** States in which nothing is expected any more. */
const ARRIVED: ReadonlySet<string> = new Set([
  'delivered',
  'refunded',
  'cancelled',
  'return_started',
])

const wordsOfOrder = ({ id, items, status }: OwnOrder, more: readonly string[]): string => {
  const names = namesOfItems(items.slice(0, 3))
  const others = items.length > 3 ? ' and more' : ''
  const words = [`${names}${others}`, status.replaceAll('_', ' '), ...more].filter(
    (one) => one !== '',
  )
  return words.length === 0 ? id : `${id} (${words.join(', ')})`
}
