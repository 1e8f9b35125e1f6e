import { type Chunk, ONE } from './chunk.ts'
import type { Facts } from './facts.ts'
import { constant, percent, plus, rest, type Term, times } from '../../english/term.ts'

type Direction = 'on' | 'off'

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  reduced: 'off',
  discounted: 'off',
  decreased: 'off',
  lowered: 'off',
  decrease: 'off',
  drop: 'off',
  fall: 'off',
  increased: 'on',
  raised: 'on',
  increase: 'on',
  rise: 'on',
  rose: 'on',
  grow: 'on',
  grew: 'on',
}
/** Words for a previously named price or number. */
const SAME = new Set(['it', 'price', 'cost', 'population', 'salary'])

/** The share of a whole that a quantity names, as a factor. */
export function shareOf(chunk: Chunk): Term {
  const term = chunk.term ?? ONE
  return chunk.kind === 'percent' ? percent(term) : term
}

/** The direction of a word such as "reduced" or "grows"; undefined for any other word. */
export function directionOf(word: string | undefined): Direction | undefined {
  return DIRECTIONS[word ?? '']
}

/** Changes the only price or number by a percentage; false if there are two, or if `item` is another thing. */
export function change(
  facts: Facts,
  item: Chunk | undefined,
  share: Chunk,
  direction: Direction,
): boolean {
  const [price, amount] = [facts.rates[0], facts.amounts[0]]
  if (facts.rates.length + facts.amounts.length !== 1 || item === undefined) return false
  // "The second shirt is half price" leaves the first as it was.
  if (item.mods.join() !== (price?.mods.join() ?? '') && !SAME.has(item.head)) return false
  if (!SAME.has(item.head) && item.head !== price?.bottom) return false
  const factor = rest(shareOf(share), direction)
  if (price !== undefined) facts.rates[0] = { ...price, term: times(price.term, factor) }
  if (amount !== undefined) facts.amounts[0] = { ...amount, term: times(amount.term, factor) }
  return true
}

/** A tip or a tax on the whole price. */
export function surcharge(facts: Facts, name: Chunk, share: Chunk): boolean {
  if (share.term === undefined || !['tip', 'tax'].includes(name.head)) return false
  facts.surcharges.push(plus(constant(1), percent(share.term)))
  return true
}
