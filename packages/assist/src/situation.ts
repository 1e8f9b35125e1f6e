import { isCorrection } from 'echelon/internal/classify'
import type { Evaluation } from './evaluation/evaluation.ts'
import type { TurnMarks } from './session/turn-marks.ts'

/**
 * The kind of a user's message: a plan holds for one kind. Read from its first words and marks; a planner with a
 * model understands more.
 */
export type SituationKind =
  | 'corrects'
  | 'asks_how'
  | 'asks_what_for'
  | 'asks_whether'
  | 'asks'
  | 'tells'

const KINDS: readonly (readonly [SituationKind, RegExp])[] = [
  ['asks_what_for', /\b(?:why|what for|what is the point|does it matter|worth it|purpose)\b/iu],
  ['asks_whether', /\b(?:should i|should we|or should|whether|which (?:one|of)|better to)\b/iu],
  [
    'asks_how',
    /\b(?:how (?:do|can|to|should|would)|steps?|what do i do|help me (?:write|fix|make|build|do))\b/iu,
  ],
]

export function situationKind(text: string): SituationKind {
  if (isCorrection(text)) return 'corrects'
  const found = KINDS.find(([, words]) => words.test(text))
  if (found !== undefined) return found[0]
  return text.includes('?') ? 'asks' : 'tells'
}

/** The values that a stored plan is compared with. */
export interface Standing {
  /** Marks of the previous turn; `null` at the start of a conversation. */
  readonly before: TurnMarks | null
  readonly evaluation: Evaluation | null
  readonly kind: SituationKind
  /** Digest of the current intent. */
  readonly intent: string
}

/** Why a new plan is needed; `null` while the stored one fits. */
export function whyReplan({ before, evaluation, kind, intent }: Standing): string | null {
  if (before === null) return 'a conversation begins'
  if (before.intent !== intent) return 'the intent is another one'
  if (evaluation !== null && !evaluation.matched_intent) {
    return `the last turn was not on intent: ${evaluation.outcome}`
  }
  return before.kind === kind ? null : `the situation is another one: ${kind}, not ${before.kind}`
}
