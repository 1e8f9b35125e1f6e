import type { PartMeant } from '../../customer/orders-meant.ts'
import { beyondItems, sumOf } from '../../customer/order-sums.ts'
import { cents, namesOfItems, type OwnItem, type OwnOrder } from '../../customer/own-order.ts'
import type { SumAsk } from '../../understand/questions/sums-asked.ts'
import { fill } from '../../wording/fill.ts'

/** The prices, sums and delivery fees that are asked for, in words; `null` if one of them is not known. */
export function accountInWords(
  parts: readonly PartMeant[],
  asks: readonly SumAsk[],
  out: readonly PartMeant[],
): string | null {
  const fee = asks.includes('fee') ? feesInWords(parts.map(({ order }) => order)) : ''
  if (!asks.some((ask) => ask !== 'fee')) return fee
  const left = out.length === 0 ? parts : withoutParts(parts, out)
  const sums = left.length === 0 ? null : sumsInWords(left, asks)
  return sums === null || fee === null ? null : [sums, fee].filter((one) => one !== '').join(' ')
}

function sumsInWords(parts: readonly PartMeant[], asks: readonly SumAsk[]): string | null {
  const lines = parts.flatMap((part) => linesOf(part, parts.length > 1))
  const sums = lines.map(({ sum }) => sum)
  if (sums.some((sum) => sum === null)) return null
  const total = cents(sums.reduce<number>((all, sum) => all + (sum ?? 0), 0))
  // What several orders cost is one sum, unless each is asked for.
  const isOfOrders = !asks.includes('each') && parts.every(({ isWhole }) => isWhole)
  const isTotal = (asks.includes('total') || isOfOrders) && lines.length > 1
  const said = listed(lines.map(({ text }) => text))
  const [only, ...others] = parts
  const where = others.length > 0 || only === undefined ? '' : ` (order ${only.order.id})`
  return isTotal
    ? `You paid ${said}: ${money(total)} together${where}.`
    : `You paid ${said}${where}.`
}

interface Line {
  readonly text: string
  readonly sum: number | null
}

/** One line for an order, or for each thing of it that is meant. */
function linesOf({ order, items, isWhole }: PartMeant, isOfSeveral: boolean): readonly Line[] {
  if (isWhole) {
    const { id, amount, status } = order
    const state = OVER.has(status) ? `, ${status.replaceAll('_', ' ')}` : ''
    const text = `${money(amount)} for order ${id} (${namesOfItems(order.items)}${state})`
    return [{ text, sum: amount }]
  }
  const names = [...new Set(items.map(({ name }) => name))]
  return names.map((name) =>
    lineOf(
      items.filter((one) => one.name === name),
      order,
      isOfSeveral,
    ),
  )
}

/** States in which the money is back, or soon is. */
const OVER: ReadonlySet<string> = new Set(['cancelled', 'refunded'])

/** A thing with what it cost: of several pieces, what each did as well. */
function lineOf(pieces: readonly OwnItem[], { id }: OwnOrder, isOfSeveral: boolean): Line {
  const sum = sumOf(pieces)
  const [first] = pieces
  const isSame = pieces.every(({ price }) => price === first?.price)
  const each = pieces.length > 1 && isSame ? ` (${money(first?.price ?? null)} each)` : ''
  const where = isOfSeveral ? ` in order ${id}` : ''
  return { text: `${money(sum)} for ${namesOfItems(pieces)}${each}${where}`, sum }
}

/** Whether a delivery fee is in what was paid for each order. */
function feesInWords(orders: readonly OwnOrder[]): string | null {
  const fees = orders.map((order) => ({ order, fee: beyondItems(order) }))
  if (fees.some(({ fee }) => fee === null || fee < 0)) return null
  const [first, ...others] = fees
  if (first === undefined) return null
  if (fees.every(({ fee }) => fee === 0)) {
    const sums = listed(fees.map(({ order }) => `${order.id} ${money(order.amount)}`))
    return others.length === 0
      ? `No delivery fee is in order ${first.order.id}: its items cost ${money(first.order.amount)}, which is what you paid.`
      : `No delivery fee is in any of these orders: you paid what the items cost, ${sums}.`
  }
  const told = fees.map(({ order, fee }) =>
    fee === 0
      ? `in ${order.id} there is no delivery fee`
      : `in ${order.id} ${money(fee)} was paid besides the items`,
  )
  return `${upper(listed(told))}.`
}

/** What is left without some things: an order without one of them, or fewer orders. */
function withoutParts(
  parts: readonly PartMeant[],
  out: readonly PartMeant[],
): readonly PartMeant[] {
  return parts.flatMap((part) => {
    const gone = out.find(({ order }) => order === part.order)
    if (gone === undefined) return [part]
    const items = part.items.filter((item) => !gone.items.includes(item))
    return items.length === 0 ? [] : [{ ...part, items, isWhole: false }]
  })
}

const money = (amount: number | null): string => fill('{amount|money}', { amount })
const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function listed(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`
}
