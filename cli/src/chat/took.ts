import type { ChatEnd } from 'echelon/chat'
import { dollars } from '../terminal/dollars.ts'

/** What turns took. */
export interface Took {
  readonly turns: number
  readonly input: number
  readonly output: number
  /** US dollars, as far as prices are known. */
  readonly cost: number
  /** Turns in which a price was unknown. */
  readonly unpriced: number
}

export const NOTHING: Took = { turns: 0, input: 0, output: 0, cost: 0, unpriced: 0 }

export const tookOf = ({ usage, cost }: Pick<ChatEnd<unknown>, 'usage' | 'cost'>): Took => ({
  turns: 1,
  input: usage.input,
  output: usage.output,
  cost: cost ?? 0,
  unpriced: cost === null ? 1 : 0,
})

export const together = (one: Took, other: Took): Took => ({
  turns: one.turns + other.turns,
  input: one.input + other.input,
  output: one.output + other.output,
  cost: one.cost + other.cost,
  unpriced: one.unpriced + other.unpriced,
})

/** For a person. A price that nobody knows is said, and never taken to be nothing. */
export function describeTook(last: Took, all: Took, hasUndone = false): string {
  if (all.turns === 0) return 'nothing was asked yet, and nothing was spent'
  return `last turn  ${amounts(last)}\nthis chat  ${turns(all.turns)}: ${amounts(all)}${hasUndone ? ' (taken back ones included)' : ''}`
}

function amounts(took: Took): string {
  const { input, output } = took
  return `${count(input)} tokens in, ${count(output)} out, ${price(took)}`
}

function price({ turns: asked, cost, unpriced }: Took): string {
  if (unpriced === 0) return dollars(cost)
  if (asked === unpriced) return 'at a price that is not known'
  return `at least ${dollars(cost)} (the price of ${turns(unpriced)} is not known)`
}

const turns = (number: number): string => `${number} turn${number === 1 ? '' : 's'}`

const count = (tokens: number): string => tokens.toLocaleString('en-US')
