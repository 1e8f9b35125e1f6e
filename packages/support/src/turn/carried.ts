import type { Intent } from '../intent.ts'
import { unsupportedClaims } from '../wording/claims/unsupported-claims.ts'
import { unsupportedOutcomes } from '../wording/claims/unsupported-outcomes.ts'
import { unsupportedFigures } from 'echelon/internal/figures'
import { answerIn } from './kept-history.ts'
import { groundsOf } from './grounding.ts'
import type { SupportState } from './support-state.ts'

/**
 * Whether the data supports everything in a model's text: each figure, and each claim about the present, past or
 * future. The customer's words prove which order is meant, but no amount: repeating a claim does not make it true.
 */
export function isCarried(state: SupportState, intent: Intent, text: string): boolean {
  const { said, results } = groundsOf(state)
  const figures = unsupportedFigures(text, [...results, state.task?.params ?? null])
  const isHeld = (figure: string): boolean =>
    IS_ID.test(figure) && unsupportedFigures(figure, said).length === 0
  if (!figures.every(isHeld)) return false
  // A model that plans by itself holds a conversation; one that words a result may state only that.
  const isOpenEnded = intent.tools.length > 0
  const read = isOpenEnded ? unsupportedOutcomes : unsupportedClaims
  const done = isOpenEnded ? doneSoFar(state) : doneIn(state, intent)
  return read(text, { results, done }).length === 0
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
