import { isPastForm, verbOf } from './lexicon.ts'
import { directionOf } from './percentage.ts'
import { type Token, wordAt } from '../../english/token.ts'

type Sentence = readonly Token[]

const PAST = new Set(['had', 'was', 'were', 'did'])
const PRESENT = new Set(['has', 'have', 'is', 'are', 'does', 'do'])
const GAIN_OR_LOSS = new Set(['gain', 'lose', 'give', 'buy', 'sell', 'come', 'leave', 'pay'])

/**
 * Why the tenses of a story do not fit: a present amount with past changes, or a question about the amount before
 * a change. Undefined if they fit.
 */
export function tenseProblem(
  statements: readonly Sentence[],
  question: Sentence,
): string | undefined {
  const verbs = statements.flatMap(verbsOf)
  const state = verbs.filter(({ deed }) => deed === 'have' || deed === 'be')
  const events = verbs.filter(({ deed }) => GAIN_OR_LOSS.has(deed))
  const hasNow = state.some(({ past }) => !past)
  const hadThen = state.some(({ past }) => past)
  if (hasNow && events.some(({ past }) => past) && !hadThen) {
    return 'what is there now may already count what happened'
  }
  if (hasNow && hadThen && events.length === 0) return 'it tells of two times'
  const deeds = verbs.filter(({ deed, word }) => !TIMELESS.has(deed) && !isAuxiliary(word))
  if (new Set(deeds.map(({ past }) => past)).size > 1) return 'it tells of two times'
  const asked = question.map((_, at) => wordAt(question, at))
  if (asked.some((word) => ['will', 'can'].includes(word)) && verbs.some(({ past }) => past))
    return 'it asks for another time'
  const asksAge = asked.some((word, at) => word === 'how' && asked[at + 1] === 'old')
  if (asksAge && (hadThen || asked.some((word) => OF_AGES.has(word)))) {
    return 'it asks for an age at another time, or for several'
  }
  if (statements.some(wasChanged) && !asked.includes('new')) {
    return 'the price that is told may be the one before or after its change'
  }
  const asksBefore = asked.some((word) => PAST.has(word)) && asksForState(question)
  return asksBefore && events.length > 0 ? 'it may ask for what was there before' : undefined
}

/** Prices and states hold while things happen. */
const TIMELESS = new Set(['cost', 'have', 'be', 'need', ''])
const OF_AGES = new Set(['was', 'were', 'they', 'will'])

/** "Its price was reduced by 20%" */
const wasChanged = (statement: Sentence): boolean =>
  statement.some(
    (_, at) =>
      ['was', 'were', 'been'].includes(wordAt(statement, at)) &&
      directionOf(wordAt(statement, at + 1)) !== undefined,
  )

interface Verb {
  readonly word: string
  readonly deed: string
  readonly past: boolean
}

function verbsOf(sentence: Sentence): readonly Verb[] {
  return sentence.flatMap((_, at) => {
    const word = wordAt(sentence, at)
    const { deed = '' } = verbOf(word) ?? {}
    return deed === '' && !isAuxiliary(word) ? [] : [{ word, deed, past: isPastForm(word) }]
  })
}

const isAuxiliary = (word: string): boolean => PAST.has(word) || PRESENT.has(word)

/** "How many did he have", "how many were there": not "how many did he buy", nor what was left. */
function asksForState(question: Sentence): boolean {
  const words = question.map((_, at) => wordAt(question, at))
  const isLeft = words.some((word) => ['left', 'remain', 'remained', 'remaining'].includes(word))
  return !isLeft && (words.includes('have') || words.includes('were') || words.includes('was'))
}
