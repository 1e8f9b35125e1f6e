/** The rest of a text is not read: untrusted text may have any length. */
export const MOST_CHARACTERS = 2_000

const SHORTEST = 2
const LONGEST = 5

/**
 * The words of a text for a classifier: lower case, without accents, and digits as `0`, since the order's number
 * does not indicate the intent.
 */
function wordsOf(text: string): readonly string[] {
  const plain = text
    .slice(0, MOST_CHARACTERS)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’‘`']/g, '')
    .replace(/\d+/g, '0')
  return plain.match(/[\p{L}\p{N}]+|[!?$€£]/gu) ?? []
}

/** The counted features of a text: words, word pairs, and word pieces. */
export interface Features {
  readonly words: readonly string[]
  readonly pieces: readonly string[]
}

/** Words and neighboring pairs, with the ends of the text as words; pieces of 2 to 5 characters. */
export function featuresOf(text: string): Features {
  const words = wordsOf(text)
  const pairs = ['^', ...words].map((word, at) => `${word} ${words[at] ?? '$'}`)
  return { words: [...words, ...pairs], pieces: words.flatMap(piecesOf) }
}

/** Pieces within a word, whose ends count as a character: a misspelled word still shares most of them. */
function piecesOf(word: string): readonly string[] {
  const whole = `_${word.slice(0, 40)}_`
  const pieces: string[] = []
  for (let length = SHORTEST; length <= LONGEST; length++) {
    for (let at = 0; at + length <= whole.length; at++) pieces.push(whole.slice(at, at + length))
  }
  return pieces
}
