import { contentWords, type RelatedWord, type RelatedWords } from 'echelon/internal/knowledge'

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

/** A word as a query of its own, and queries for words of about the same meaning. */
export interface EachWordQuery {
  readonly word: string
  readonly related: readonly { readonly near: number; readonly words: string }[]
}

/** Each word that tells what a text is about; forms of it count as well. */
export const eachWordQuery = (
  text: string,
  related: RelatedWords | undefined,
): readonly EachWordQuery[] =>
  contentWords(text).map((word) => {
    const stem = stemOf(word)
    return {
      word: stem === word ? quoted(word) : `${quoted(stem)} *`,
      related: byNearness(related?.get(word) ?? []),
    }
  })

/** Words of about the same nearness are looked up together. */
const STEPS = 8
/** Related words of one word. */
const MOST_RELATED = 24

function byNearness(words: readonly RelatedWord[]): EachWordQuery['related'] {
  const steps = new Map<number, string[]>()
  for (const { word, near } of words.slice(0, MOST_RELATED)) {
    const step = Math.round(Math.min(1, near) * STEPS)
    steps.set(step, [...(steps.get(step) ?? []), ...contentWords(word).map(quoted)])
  }
  return [...steps].flatMap(([step, all]) =>
    all.length === 0 || step <= 0 ? [] : [{ near: step / STEPS, words: all.join(' OR ') }],
  )
}

const quoted = (word: string): string => `"${word}"`

const stemOf = (word: string): string =>
  word.length < 5 ? word : word.replace(/(?:ies|ing|es|ed|s)$/u, '')
