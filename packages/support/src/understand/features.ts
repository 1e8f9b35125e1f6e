/** Beyond this nothing is read: a text from outside may have any length. */
export const MOST_CHARACTERS = 2_000

const SHORTEST = 2
const LONGEST = 5

/**
 * The words of a text as a classifier sees them: small letters, without accents, figures as `0`, since
 * which order it is says nothing of what is wanted.
 */
function wordsOf(text: string): readonly string[] {
  const plain = text
    .slice(0, MOST_CHARACTERS)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’‘`']/g, '')
    .replace(/\d+/g, '0')
  return plain.match(/[\p{L}\p{N}]+|[?$€£]/gu) ?? []
}

/** What a text is counted by: words, pairs of words, and pieces of words. */
export interface Features {
  readonly words: readonly string[]
  readonly pieces: readonly string[]
}

/** Words and pairs of neighbours, with the ends of the text as words; pieces of 2 to 5 characters. */
export function featuresOf(text: string): Features {
  const words = wordsOf(text)
  const pairs = ['^', ...words].map((word, at) => `${word} ${words[at] ?? '$'}`)
  return { words: [...words, ...pairs], pieces: words.flatMap(piecesOf) }
}

/** Pieces within a word, whose ends count as a character: what is misspelt still shares most of them. */
function piecesOf(word: string): readonly string[] {
  const whole = `_${word.slice(0, 40)}_`
  const pieces: string[] = []
  for (let length = SHORTEST; length <= LONGEST; length++) {
    for (let at = 0; at + length <= whole.length; at++) pieces.push(whole.slice(at, at + length))
  }
  return pieces
}
