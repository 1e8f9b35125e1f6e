import type { Expression } from '../expression.ts'
import type { Role } from './lexicon.ts'

/** Things of one kind; `kind` is what tells them from others of that name ("red marbles"). */
export interface Unit {
  /** Stem of the noun; `''` when the text leaves it out ("gives away 7"). */
  readonly name: string
  readonly kind: string
}

/** So many of something. */
export interface Amount {
  readonly unit: Unit
  readonly value: Expression
  /** `span` is a length of time, `part` a part of another amount, `asked` stands in the question. */
  readonly role: Role | 'span' | 'part' | 'asked' | 'side' | 'share'
  /** Stem of the owner; `''` if none was named. */
  readonly owner: string
  /** The verb, as written. */
  readonly deed: string
}

/** So many of one thing for each of another. */
export interface Rate {
  readonly unit: Unit
  readonly per: Unit
  readonly value: Expression
  readonly role: Role
  /** "A box holds 8" may also mean that there is one box. */
  readonly implicit: boolean
}

/** Mine from yours: `base` is whose amount is taken. */
export interface Comparison {
  readonly owner: string
  readonly base: string
  readonly unit: Unit
  readonly relation: 'more' | 'fewer' | 'times'
  readonly by: Expression
}

/** A change of a price in per cent. */
export interface PriceChange {
  readonly sign: 'off' | 'on'
  readonly percent: Expression
}

/** What a text says, before anything is asked. Filled by the scanner, in order of the text. */
export interface Scene {
  readonly amounts: Amount[]
  readonly rates: Rate[]
  readonly comparisons: Comparison[]
  readonly priceChanges: PriceChange[]
  /** Stem of what "the rest" are. */
  rest: string
  /** What some of the things are, where the others are the opposite ("57 seats are empty"). */
  state: string
  /** Something was there whose number is not told ("had some money"). */
  unknownStart: boolean
}

/** What every unit fits, and what fits every unit: "gives away 7", "how many in all". */
export const ANYTHING: Unit = { name: '', kind: '' }

/** "Red marbles" are marbles, but marbles need not be red. */
export const fits = (unit: Unit, wanted: Unit): boolean =>
  unit.name === '' ||
  wanted.name === '' ||
  (unit.name === wanted.name && (wanted.kind === '' || unit.kind === wanted.kind))
