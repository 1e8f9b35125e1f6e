import type { Intent } from '../intent/intent.ts'
import type { Plan } from '../plan/plan.ts'
import { NOTHING, type Weighed } from './cue.ts'
import { wordsOf } from './readable.ts'

/** Default word limit of an answer. */
const MOST_WORDS = 400

const LONGEST_WORD = 40

const LIMIT =
  /\b(?:at most|no more than|up to|max(?:imum)?(?: of)?|under|below|within)\s+(\d{1,5})\s+words\b/iu

/**
 * Whether a draft has more words than the plan's constraints, or the intent's rules and non-goals, allow ("at most
 * 120 words"); the lowest limit applies.
 */
export function weighLength(draft: string, intent: Intent, plan: Plan): Weighed {
  const limits = [...intent.authority_rules, ...intent.non_goals, ...plan.constraints].flatMap(
    (rule) => {
      const [, words] = LIMIT.exec(rule) ?? []
      return words === undefined ? [] : [Number(words)]
    },
  )
  const most = limits.length === 0 ? MOST_WORDS : Math.min(...limits)
  // Text without blanks is long as well; it is measured by characters, up to a limit.
  const words = Math.max(wordsOf(draft).length, Math.ceil(draft.length / LONGEST_WORD))
  if (words <= most) return NOTHING
  return { confidence: 0.9, evidence: `${words} words, of ${most} at most` }
}
