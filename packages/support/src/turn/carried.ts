import { isJson, isJsonArray, isJsonObject } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import { unsupportedClaims } from '../wording/claims/unsupported-claims.ts'
import { countsFromShown, followsFromShown } from '../wording/claims/shown-sums.ts'
import { unsupportedOutcomes } from '../wording/claims/unsupported-outcomes.ts'
import { unsupportedFigures } from 'echelon/internal/figures'
import { answerIn } from './kept-history.ts'
import { groundsOf } from './grounding.ts'
import type { SupportState } from './support-state.ts'

/**
 * Whether the data supports everything in a model's text: each figure, and each claim about the present, past or
 * future. The customer's words prove which order is meant, but no amount: repeating a claim does not make it true.
 */
export function isCarried(
  state: SupportState,
  intent: Intent,
  text: string,
  stated: readonly string[] = [],
): boolean {
  const { said, results } = groundsOf(state)
  const parsed = results.map(withParsedTexts)
  // A model that plans by itself holds a conversation; one that words a result may state only that.
  const isOpenEnded = intent.tools.length > 0
  if (!isOpenEnded) {
    const figures = unsupportedFigures(text, [...parsed, state.task?.params ?? null])
    const isHeld = (figure: string): boolean =>
      IS_ID.test(figure) && unsupportedFigures(figure, said).length === 0
    const evidence = { results: parsed, done: doneIn(state, intent) }
    return figures.every(isHeld) && unsupportedClaims(text, evidence).length === 0
  }
  const sources = [
    ...parsed,
    ...askedFor(state),
    ...answeredBefore(state),
    state.task?.params ?? null,
    ...stated,
  ]
  const evidence = { results: parsed, done: doneSoFar(state) }
  return figuresFollow(text, sources, said) && unsupportedOutcomes(text, evidence).length === 0
}

/** What the calls of the conversation asked for: a day that was searched is the day of what was found. */
const askedFor = ({ history, calls }: SupportState): readonly Json[] =>
  [...history.flatMap((message) => answerIn(message).calls), ...calls].map(
    ({ call }) => call.params,
  )

/** Earlier answers: each was checked like this one before it was given. */
const answeredBefore = ({ history }: SupportState): readonly string[] =>
  history.flatMap(({ role, text }) => (role === 'agent' ? [text] : []))

/** Whether each figure of an open conversation is held, said by the customer, or follows from those shown. */
function figuresFollow(text: string, sources: readonly Json[], said: readonly string[]): boolean {
  const isHeld = (figure: string): boolean => unsupportedFigures(figure, sources).length === 0
  const isSaid = (figure: string): boolean => unsupportedFigures(figure, said).length === 0
  return unsupportedFigures(text, sources).every((figure) => {
    if (COUNTS.has(figure)) return true
    if (!IS_MONEY.test(figure)) return isSaid(figure) || countsFromShown(figure, text)
    return followsFromShown(figure, text, isHeld) || (isSaid(figure) && OF_THE_CUSTOMER.test(text))
  })
}

/** What customers say the amount of themselves: it is theirs, and none that is given to them. */
const OF_THE_CUSTOMER =
  /\b(?:budget|limit|certificates?|gift cards?|at most|up to|exceeds?|within)\b/iu

/** An amount or a share: saying one does not make it true. */
const IS_MONEY = /[$€£¥₹%]|dollars?|euros?|pounds?|percent/iu

/** Words that count what a conversation is about, such as its options; no figure of the data. */
const COUNTS: ReadonlySet<string> = new Set(['two', 'three', 'both'])

/** Longer texts do not count as data. */
const MOST_CHARACTERS = 200_000

/** Results with texts that hold JSON as the data they hold, so that lists count and fields have names. */
function withParsedTexts(value: Json): Json {
  if (typeof value === 'string') return parsedText(value)
  if (isJsonArray(value)) return value.map(withParsedTexts)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withParsedTexts(inner)]),
  )
}

function parsedText(text: string): Json {
  if (!/^\s*[[{]/.test(text) || text.length > MOST_CHARACTERS) return text
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : text
  } catch {
    return text
  }
}

/** A word with digits, such as `O-12345`. */
const IS_ID = /^\p{L}[\p{L}\p{N}]*-?\p{N}[\p{L}\p{N}-]*$/u

/** What was done for the current task, by the names of its tools and of the intent. */
function doneIn({ task }: SupportState, intent: Intent): readonly string[] {
  const tools = (task?.done ?? []).flatMap(({ call, result }) =>
    result.success ? [call.toolName] : [],
  )
  return tools.includes(intent.tool) ? [...tools, intent.id] : tools
}

/** What was done in the whole conversation. */
function doneSoFar({ history, calls }: SupportState): readonly string[] {
  const earlier = history.flatMap((message) => answerIn(message).calls)
  return [...earlier, ...calls].flatMap(({ call, result }) =>
    result.success ? [call.toolName] : [],
  )
}
