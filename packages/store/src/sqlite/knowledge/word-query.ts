import { contentWords } from 'echelon/internal/knowledge'

/**
 * The words of a text as an FTS5 query: any of them, each quoted, so that none is read as an
 * operator. Words that nearly every text holds are left out: they rank nothing, and looking them up
 * takes longer than all the rest.
 * @returns undefined for a text without words that tell what it is about
 */
export function wordQuery(text: string): string | undefined {
  const words = contentWords(text)
  return words.length === 0 ? undefined : words.map(quoted).join(' OR ')
}

/** Each word that tells what a text is about as a query of its own; forms of it count as well. */
export const eachWordQuery = (text: string): readonly string[] =>
  contentWords(text).map((word) => {
    const stem = stemOf(word)
    return stem === word ? quoted(word) : `${quoted(stem)} *`
  })

const quoted = (word: string): string => `"${word}"`

const stemOf = (word: string): string =>
  word.length < 5 ? word : word.replace(/(?:ies|ing|es|ed|s)$/u, '')
