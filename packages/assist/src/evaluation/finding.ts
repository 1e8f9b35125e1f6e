import type { Intent } from '../intent/intent.ts'
import type { Plan } from '../plan/plan.ts'
import type { Report } from '../report.ts'

/** Something that a check found in a message or draft. */
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
  /** The words that are the evidence. */
  readonly evidence: string
  /** 0 to 1. */
  readonly confidence: number
}

/** Findings in the user's message that may end the turn. Pure. */
export type ReadUser = (text: string, intent: Intent) => readonly Finding[]

/** Findings on whether a draft keeps to the intent. Pure. */
export type ReadDraft = (
  draft: string,
  about: { readonly intent: Intent; readonly plan: Plan; readonly report: Report },
) => readonly Finding[]
