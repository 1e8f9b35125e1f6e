import type { ChatEnd } from 'echelon/chat'
import { dollars } from '../terminal/dollars.ts'

/** Tokens and cost of turns. */
export interface Took {
  readonly turns: number
  readonly input: number
  readonly output: number
  /** US dollars, without turns of unknown price. */
  readonly cost: number
  /** Number of turns with an unknown price. */
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

/** Time, tokens and cost of a chat since it was started or continued. */
export interface TookSoFar {
  readonly last: Took
  readonly all: Took
  /** Whether turns were undone, which still count. */
  readonly hasUndone?: boolean
  /** Whether earlier turns of the conversation are not counted. */
  readonly isContinued?: boolean
}

/** Describes cost for a person. An unknown price is named, never counted as zero. */
export function describeTook(took: TookSoFar): string {
  const { last, all, hasUndone = false, isContinued = false } = took
  if (all.turns === 0) {
    const since = isContinued ? ' since the chat was continued' : ''
    return `nothing was asked${since === '' ? ' yet' : since}, and nothing was spent`
  }
  const notes = [
    ...(isContinued ? ['since it was continued'] : []),
    ...(hasUndone ? ['undone turns included'] : []),
  ]
  const note = notes.length === 0 ? '' : ` (${notes.join('; ')})`
  return `last turn  ${amounts(last)}\nthis chat  ${turns(all.turns)}: ${amounts(all)}${note}`
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
