import type { MemoryNote } from 'echelon/internal/knowledge'

/** Something that is known about a user, as a note of theirs. */
export interface Fact {
  /** The id of its note, such as `n12`. */
  readonly id: string
  /** The subject in a few words, such as `home`. Each subject has one fact. */
  readonly about: string
  readonly fact: string
  /** The sentence of the user that it comes from; empty for one that was written by hand. */
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly changedAt: number
  readonly version: number
}

/** A change that a conversation makes. A new fact replaces an earlier one about the same subject. */
export type FactChange =
  | {
      readonly type: 'know'
      readonly about: string
      readonly fact: string
      /** The sentence of the user. */
      readonly from: string
    }
  | { readonly type: 'forget'; readonly what: string }

export const MOST_ABOUT = 60
export const MOST_FACT = 300
export const MOST_FROM = 500

/** The sentence stands on a line of its own, so that a person can read and edit the note. */
const FROM = '\nSaid: '

export const textOf = ({ fact, from }: Pick<Fact, 'fact' | 'from'>): string =>
  from === '' ? fact : `${fact}${FROM}${from}`

export function factIn({ id, title, text, changedAt, version }: MemoryNote): Fact {
  const at = text.indexOf(FROM)
  return {
    id,
    about: title,
    fact: at === -1 ? text : text.slice(0, at),
    from: at === -1 ? '' : text.slice(at + FROM.length),
    changedAt,
    version,
  }
}

/** A text in one line, cut. */
export const line = (text: string, most: number): string =>
  text.replaceAll(/\s+/gu, ' ').trim().slice(0, most).toWellFormed()
