/**
 * The most similar word, or `null` when none is similar enough.
 * @param least similarity from which a word counts, 0 to 1: the default takes what shares two fifths
 * of its pairs of letters
 */
export function nearest(word: string, words: readonly string[], least = 0.4): string | null {
  const own = pairs(word.toLowerCase())
  const [best] = words
    .map((candidate) => ({ candidate, score: similarity(own, pairs(candidate.toLowerCase())) }))
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
  return best?.candidate ?? null
}

/** What to write in the place of an unknown word: `; did you mean …?`, or all there are. */
export function wordHint(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === null ? `; there are ${words.join(', ')}` : `; did you mean ${near}?`
}

/** Sørensen-Dice coefficient of the pairs of neighbouring letters, 0 to 1 (Dice 1945). */
const similarity = (left: ReadonlySet<string>, right: ReadonlySet<string>): number =>
  (2 * left.intersection(right).size) / Math.max(1, left.size + right.size)

const pairs = (word: string): Set<string> =>
  new Set(Array.from(word.slice(1), (letter, before) => `${word.charAt(before)}${letter}`))
