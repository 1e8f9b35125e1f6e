import type { Chunk } from './chunk.ts'
import type { Place } from './clause.ts'
import type { Term } from '../../english/term.ts'

/** So many of a thing: held, come in or gone out. */
export interface Amount {
  /** Who holds it; undefined where nobody is named ("there are"). */
  readonly owner: string | undefined
  /** The noun, singular; `$` for money. */
  readonly head: string
  /** The adjectives before it. */
  readonly mods: readonly string[]
  readonly term: Term
  readonly flow: Flow
  /** The base form of the verb. */
  readonly verb: string
  /** The noun of the owner where it came with "a": "a spider has 8 legs" may hold for all. */
  readonly kind?: string
  /** The term is a part of what was there, not a number of things. */
  readonly share?: true
  /** Phrases of place and time around it, without articles. */
  readonly where: readonly string[]
}

export type Flow = 'have' | 'in' | 'out' | 'need'

/** So many of `top` for each `bottom`. */
export interface Rate {
  readonly top: string
  readonly bottom: string
  /** The adjectives of `bottom`. */
  readonly mods: readonly string[]
  readonly term: Term
  /** The base form of the verb, or '' for a unit of time. */
  readonly verb: string
  /** Whose rate of work it is. */
  readonly who?: string
}

/** One owner's amount from another's, and back. */
export interface Relation {
  readonly owner: string
  readonly other: string
  readonly head: string
  readonly apply: (other: Term) => Term
  readonly undo: (owner: Term) => Term
}

/** What part of a whole does or is something ("25% of them play chess"). */
interface Part {
  readonly share: Term
  readonly words: readonly string[]
}

/** A gain or a loss of unknown size ("lost some of them"). */
interface Gap {
  readonly verb: string
  readonly flow: Flow
}

/** All that a text states, each list in its order. Filled sentence by sentence. */
export interface Facts {
  readonly amounts: Amount[]
  readonly rates: Rate[]
  readonly relations: Relation[]
  readonly parts: Part[]
  /** Factors on the whole price: tips and taxes. */
  readonly surcharges: Term[]
  readonly gaps: Gap[]
  readonly owners: Set<string>
  /** Where and for whom anything was told to be. */
  readonly places: Place[]
  /** Whether something is said to be divided into equal parts. */
  divided: boolean
}

/** Facts before the first sentence. */
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

/** Stands for an owner that a pronoun leaves open; no fact is kept under it. */
export const SOMEBODY = 'somebody'

const ALL = new Set(['they', 'them', 'we', 'us', 'you'])
const ONE_OF_THEM = new Set(['he', 'she', 'it', 'him', 'her'])

/**
 * The name that facts about a thing are kept under; undefined for all together. A pronoun stands for
 * the only owner so far, `not` excepted; with two it stands for nobody known.
 */
export function ownerOf(facts: Facts, chunk: Chunk | undefined, not?: string): string | undefined {
  if (chunk === undefined || ALL.has(chunk.head)) return undefined
  if (!ONE_OF_THEM.has(chunk.head)) return [...chunk.mods, chunk.head].join(' ')
  const [only, ...others] = [...facts.owners].filter((owner) => owner !== not)
  return others.length === 0 ? only : SOMEBODY
}
