import type { OwnOrder } from './own-order.ts'

/** "That's correct, 12 Elm Street. And now?": the place to which an order goes is agreed to, and nothing is wished. */
export function withoutOwnPlace(orders: readonly OwnOrder[], text: string): string {
  const [first = '', ...rest] = text.split(/(?<=[.!?;])\s+/u)
  if (rest.length === 0 || !SAYS_PLACE_IS_RIGHT.test(first)) return text
  const said = first.toLowerCase()
  const isOwn = orders.some(({ record: { address } }) => {
    const [street = ''] = typeof address === 'string' ? address.toLowerCase().split(/,\s*/u) : []
    return /\d/u.test(street) && said.includes(street)
  })
  return isOwn ? rest.join(' ') : text
}

const SAYS_PLACE_IS_RIGHT =
  /^\W*(?:(?:yes|yeah|yep|ok(?:ay)?|exactly|well)[\s,.!]+)*(?:(?:that|this|it)(?:'?s| is)|the address is) (?:correct|right|true|fine)(?![^]*(?:\?|\b(?:but|not|change|instead|wrong|send|old)\b))/iu
