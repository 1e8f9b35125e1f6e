import { cents, type OwnItem, type OwnOrder } from './own-order.ts'

const SUM =
  /\$\s?(\d{1,5}(?:\.\d{1,2})?)|\b(\d{1,5}\.\d{2})\b|\b(\d{1,5})\s?(?:dollars|usd|bucks)\b/giu

/** Whether a text names a sum that is of no order and of no thing in one. */
export function isOtherSum(text: string, orders: readonly OwnOrder[]): boolean {
  const sums = sumsIn(text)
  const own = orders.flatMap(({ amount, left, items }) => [
    amount,
    left,
    ...items.map(({ price }) => price),
  ])
  return sums.length > 0 && sums.every((sum) => !own.includes(sum))
}

const sumsIn = (text: string): readonly number[] =>
  [...text.slice(0, 2_000).matchAll(SUM)].map(([, a, b, c]) => Number(a ?? b ?? c))

/** "What is the 139.50 for?": the one order that cost it as a whole, or holds one thing that did. */
export function orderOfSum(text: string, orders: readonly OwnOrder[]): OwnOrder | null {
  const sums = sumsIn(text)
  const one = (fits: (order: OwnOrder) => boolean): OwnOrder | null => {
    const [first, ...others] = orders.filter(fits)
    return first === undefined || others.length > 0 ? null : first
  }
  return (
    one(({ amount }) => amount !== null && sums.includes(amount)) ??
    one(({ items }) => items.some(({ price }) => price !== null && sums.includes(price)))
  )
}

/** What things cost together; `null` if the price of one is not known. */
export const sumOf = (items: readonly Pick<OwnItem, 'price'>[]): number | null =>
  items.every(({ price }) => price !== null)
    ? cents(items.reduce((sum, { price }) => sum + (price ?? 0), 0))
    : null

/** What was paid for an order besides its items, which is its delivery; `null` if it is not known. */
export function beyondItems({ items, amount }: OwnOrder): number | null {
  const sum = items.length === 0 ? null : sumOf(items)
  return sum === null || amount === null ? null : cents(amount - sum)
}
