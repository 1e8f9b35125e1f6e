import type { Expression } from '../expression.ts'
import type { Role } from './lexicon.ts'

/** Things of one kind; `kind` distinguishes them from others of that name ("red marbles"). */
export interface Unit {
  /** Stem of the noun; `''` if the text omits it ("gives away 7"). */
  readonly name: string
  readonly kind: string
}

/** A quantity of something. */
export interface Amount {
  readonly unit: Unit
  readonly value: Expression
  /** `span` is a length of time, `part` a part of another amount, `asked` is part of the question. */
  readonly role: Role | 'span' | 'part' | 'asked' | 'side' | 'share'
  /** Stem of the owner; `''` if none was named. */
  readonly owner: string
  /** The verb, as written. */
  readonly deed: string
}

/** A quantity of one thing per another. */
export interface Rate {
  readonly unit: Unit
  readonly per: Unit
  readonly value: Expression
  readonly role: Role
  /** "A box holds 8" can also mean that there is one box. */
  readonly implicit: boolean
}

/** A comparison; `base` is the owner it is relative to. */
export interface Comparison {
  readonly owner: string
  readonly base: string
  readonly unit: Unit
  readonly relation: 'more' | 'fewer' | 'times'
  readonly by: Expression
}

/** A change of a price in percent. */
export interface PriceChange {
  readonly sign: 'off' | 'on'
  readonly percent: Expression
}

/** The content of a text before the question. Filled by the scanner in textual order. */
export interface Scene {
  readonly amounts: Amount[]
  readonly rates: Rate[]
  readonly comparisons: Comparison[]
  readonly priceChanges: PriceChange[]
  /** Stem of the thing that "the rest" are. */
  rest: string
  /** State of some of the things; the others have the opposite ("57 seats are empty"). */
  state: string
  /** Whether an unknown amount is mentioned ("had some money"). */
  unknownStart: boolean
}

/** Fits every unit, and every unit fits it: "gives away 7", "how many in all". */
export const ANYTHING: Unit = { name: '', kind: '' }

/** "Red marbles" are marbles, but marbles need not be red. */
export const fits = (unit: Unit, wanted: Unit): boolean =>
  unit.name === '' ||
  wanted.name === '' ||
  (unit.name === wanted.name && (wanted.kind === '' || unit.kind === wanted.kind))
