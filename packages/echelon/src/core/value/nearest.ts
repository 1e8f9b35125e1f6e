/**
 * The most similar word, or `null` if none is similar enough.
 * @param least minimum similarity, 0 to 1; the default accepts words that share two fifths of their
 * letter pairs
 */
export function nearest(word: string, words: readonly string[], least = 0.4): string | null {
  const own = pairs(word.toLowerCase())
  const [best] = words
    .map((candidate) => ({ candidate, score: similarity(own, pairs(candidate.toLowerCase())) }))
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
  return best?.candidate ?? null
}

/** The suggestion for an unknown word: `; did you mean …?`, or all allowed words. */
export function wordHint(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === null ? `; there are ${words.join(', ')}` : `; did you mean ${near}?`
}

/** Sørensen-Dice coefficient of the pairs of neighboring letters, 0 to 1 (Dice 1945). */
const similarity = (left: ReadonlySet<string>, right: ReadonlySet<string>): number =>
  (2 * left.intersection(right).size) / Math.max(1, left.size + right.size)

const pairs = (word: string): Set<string> =>
  new Set(Array.from(word.slice(1), (letter, before) => `${word.charAt(before)}${letter}`))
