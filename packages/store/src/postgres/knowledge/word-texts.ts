import type { AnyWord } from '../../knowledge/asked-words.ts'

/** The words of a chunk as the text of a `tsvector`, and how many they are. */
export interface WordTexts {
  readonly words: string
  readonly length: number
}

/** A `tsvector` has at most a megabyte. Words after that are not found. */
const MOST_BYTES = 1_000_000

/** PostgreSQL keeps at most 2,046 bytes of a word, and a UTF-16 unit takes at most three. */
const LONGEST_WORD = 600

/** Of an entry and of each position in it. */
const ENTRY_BYTES = 8
const POSITION_BYTES = 2

/**
 * Splits texts into words as SQLite's `unicode61` does, ignoring case and accents. The parsers of
 * PostgreSQL would keep addresses and numbers with signs together, and depend on the server.
 */
export function wordTexts(texts: readonly string[]): WordTexts {
  const places = new Map<string, number[]>()
  let [length, bytes] = [0, 0]
  for (const word of texts.flatMap(wordsOf)) {
    const known = places.get(word)
    bytes += POSITION_BYTES + (known === undefined ? ENTRY_BYTES + Buffer.byteLength(word) : 0)
    if (bytes > MOST_BYTES) break
    length++
    if (known === undefined) places.set(word, [length])
    else known.push(length)
  }
  return { words: [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' '), length }
}

/** Words as a `tsquery`. They are of letters and digits only, so none is read as an operator. */
export const wordsQuery = (words: AnyWord): string =>
  words
    .flatMap(({ word, begins }) =>
      wordsOf(word).map((one) => (begins === true ? `'${one}':*` : `'${one}'`)),
    )
    .join(' | ')

function wordsOf(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .normalize('NFC')
  return (plain.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []).map((word) =>
    word.slice(0, LONGEST_WORD).toWellFormed(),
  )
}
