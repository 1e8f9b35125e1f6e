import type { Chunk } from './chunk.ts'
import type { Place } from './clause.ts'
import type { Term } from '../../english/term.ts'

/** An amount of a thing: held, gained or lost. */
export interface Amount {
  /** Undefined if no owner is named ("there are"). */
  readonly owner: string | undefined
  /** The noun, singular; `$` for money. */
  readonly head: string
  /** The adjectives before it. */
  readonly mods: readonly string[]
  readonly term: Term
  readonly flow: Flow
  /** The base form of the verb. */
  readonly verb: string
  /** The owner's noun if it came with "a": "a spider has 8 legs" may hold for all. */
  readonly kind?: string
  /** The term is a share of the current amount, not a number of things. */
  readonly share?: true
  /** The phrases of place and time around it, without articles. */
  readonly where: readonly string[]
}

export type Flow = 'have' | 'in' | 'out' | 'need'

/** An amount of `top` for each `bottom`. */
export interface Rate {
  readonly top: string
  readonly bottom: string
  /** The adjectives of `bottom`. */
  readonly mods: readonly string[]
  readonly term: Term
  /** The base form of the verb, or '' for a unit of time. */
  readonly verb: string
  /** The worker whose rate it is. */
  readonly who?: string
}

/** One owner's amount computed from another's, and back. */
export interface Relation {
  readonly owner: string
  readonly other: string
  readonly head: string
  readonly apply: (other: Term) => Term
  readonly undo: (owner: Term) => Term
}

/** The part of a whole that does or is something ("25% of them play chess"). */
interface Part {
  readonly share: Term
  readonly words: readonly string[]
}

/** A gain or a loss of unknown size ("lost some of them"). */
interface Gap {
  readonly verb: string
  readonly flow: Flow
}

/** All facts that a text states, each list in text order. Filled sentence by sentence. */
export interface Facts {
  readonly amounts: Amount[]
  readonly rates: Rate[]
  readonly relations: Relation[]
  readonly parts: Part[]
  /** Factors on the whole price: tips and taxes. */
  readonly surcharges: Term[]
  readonly gaps: Gap[]
  readonly owners: Set<string>
  /** Places and people that facts were stated for. */
  readonly places: Place[]
  /** Whether the text divides something into equal parts. */
  divided: boolean
}

/** The empty facts before the first sentence. */
export function noFacts(): Facts {
  return {
    amounts: [],
    rates: [],
    relations: [],
    parts: [],
    surcharges: [],
    gaps: [],
    owners: new Set(),
    places: [],
    divided: false,
  }
}

/** Stands for an owner that a pronoun leaves open; no fact is stored under it. */
export const SOMEBODY = 'somebody'

const ALL = new Set(['they', 'them', 'we', 'us', 'you'])
const ONE_OF_THEM = new Set(['he', 'she', 'it', 'him', 'her'])

/**
 * The owner name under which facts are stored; undefined for all together. A pronoun stands for the only owner so
 * far, except `not`; if there are two owners it resolves to neither.
 */
export function ownerOf(facts: Facts, chunk: Chunk | undefined, not?: string): string | undefined {
  if (chunk === undefined || ALL.has(chunk.head)) return undefined
  if (!ONE_OF_THEM.has(chunk.head)) return [...chunk.mods, chunk.head].join(' ')
  const [only, ...others] = [...facts.owners].filter((owner) => owner !== not)
  return others.length === 0 ? only : SOMEBODY
}
