import type { Intent } from '../intent/intent.ts'
import type { Plan } from '../plan/plan.ts'
import type { Report } from '../report.ts'

/** Something that a check found in what was said. */
export interface Finding {
  readonly kind:
    | 'stop'
    | 'frustration'
    | 'achieved'
    | 'non_goal'
    | 'tactical_drift'
    | 'repetition'
    | 'too_long'
  /** The non-goal or stop condition, in the intent's words. */
  readonly what: string
  /** The words that show it. */
  readonly evidence: string
  /** 0 to 1. */
  readonly confidence: number
}

/** What the user's message shows: whether the turn is to end. Pure. */
export type ReadUser = (text: string, intent: Intent) => readonly Finding[]

/** What a draft shows: whether it keeps to the intent. Pure. */
export type ReadDraft = (
  draft: string,
  about: { readonly intent: Intent; readonly plan: Plan; readonly report: Report },
) => readonly Finding[]
