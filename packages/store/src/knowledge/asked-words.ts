import { contentWords, type RelatedWord, type RelatedWords } from 'echelon/internal/knowledge'

/** A word to look for, lower case, of letters and digits. */
export interface AskedWord {
  readonly word: string
  /** Whether longer words that begin with it count as well. Default false. */
  readonly begins?: true
}

/** Any one of them counts. */
export type AnyWord = readonly AskedWord[]

/** A word of a question, and words of about the same meaning. */
export interface EachWord {
  readonly words: AnyWord
  readonly related: readonly { readonly near: number; readonly words: AnyWord }[]
}

/**
 * The words of a text. Words that nearly every text holds are left out: they rank nothing, and looking
 * them up takes longer than all the rest.
 * @returns nothing for a text without words that tell what it is about
 */
export const anyWord = (text: string): AnyWord => contentWords(text).map((word) => ({ word }))

/** Each word that tells what a text is about; forms of it count as well. */
export const eachWord = (text: string, related: RelatedWords | undefined): readonly EachWord[] =>
  contentWords(text).map((word) => {
    const stem = stemOf(word)
    return {
      words: [stem === word ? { word } : { word: stem, begins: true }],
      related: byNearness(related?.get(word) ?? []),
    }
  })

/** Words of about the same nearness are looked up together. */
const STEPS = 8
/** Related words of one word. */
const MOST_RELATED = 24

function byNearness(words: readonly RelatedWord[]): EachWord['related'] {
  const steps = new Map<number, AskedWord[]>()
  for (const { word, near } of words.slice(0, MOST_RELATED)) {
    const step = Math.round(Math.min(1, near) * STEPS)
    steps.set(step, [...(steps.get(step) ?? []), ...anyWord(word)])
  }
  return [...steps].flatMap(([step, all]) =>
    all.length === 0 || step <= 0 ? [] : [{ near: step / STEPS, words: all }],
  )
}

const stemOf = (word: string): string =>
  word.length < 5 ? word : word.replace(/(?:ies|ing|es|ed|s)$/u, '')
