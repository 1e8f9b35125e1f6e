import { counts } from '../counts.ts'
import { type Evaluation, nonGoalOutcome } from './evaluation.ts'
import type { Finding, ReadDraft } from './finding.ts'
import type { Intent } from '../intent/intent.ts'
import type { Outcome } from './outcome.ts'

/** An evaluation with its basis. The quotes stay within the turn; only the evaluation is stored. */
export interface Judgment {
  readonly outcome: string
  readonly isOnIntent: boolean
  readonly target: Evaluation['target']
  /** The deciding findings; empty for an answer that is on intent. */
  readonly findings: readonly Finding[]
  readonly by: 'rules' | 'model'
}

/** Worst first. */
const GRAVITY: readonly Finding['kind'][] = [
  'non_goal',
  'tactical_drift',
  'repetition',
  'too_long',
  'stop',
  'frustration',
  'achieved',
]

/** Compares what happened with what is wanted. It neither answers nor plans. */
export class Evaluator {
  readonly #readDraft: ReadDraft
  readonly #now: string

  /** @param now the time of evaluation, ISO 8601 */
  constructor(readDraft: ReadDraft, now: string) {
    this.#readDraft = readDraft
    this.#now = now
  }

  /** Judges by rules only: the first step, which costs nothing. */
  judge(intent: Intent, { plan, report }: Outcome): Judgment {
    const { draft } = report
    const findings =
      draft === null ? [] : this.#readDraft(draft, { intent, plan, report }).filter(counts)
    return judgmentOf(plan.approach, findings, { target: 'planner', by: 'rules' })
  }

  /** Judges and returns the evaluation to store. */
  evaluate(intent: Intent, outcome: Outcome): Evaluation {
    return this.evaluationOf(this.judge(intent, outcome), false)
  }

  /** @param triggered whether it causes the plan to be revised within the turn */
  evaluationOf({ outcome, isOnIntent, target }: Judgment, triggered: boolean): Evaluation {
    return {
      timestamp: this.#now,
      outcome,
      matched_intent: isOnIntent,
      revision_triggered: triggered,
      target,
    }
  }

  /** Whether the plan is to blame. */
  shouldRevisePlan({ matched_intent, target }: Evaluation): boolean {
    return !matched_intent && target === 'planner'
  }

  /** Whether only the user can clarify the intent. */
  shouldEscalateToIntent({ matched_intent, target }: Evaluation): boolean {
    return !matched_intent && target === 'intent'
  }
}

/** The judgment from findings: the worst one names the outcome. */
export function judgmentOf(
  approach: string,
  findings: readonly Finding[],
  { target, by }: Pick<Judgment, 'target' | 'by'>,
): Judgment {
  const [worst] = findings.toSorted((a, b) => GRAVITY.indexOf(a.kind) - GRAVITY.indexOf(b.kind))
  if (worst === undefined) {
    return { outcome: `on_intent: ${approach}`, isOnIntent: true, target: 'planner', findings, by }
  }
  return { outcome: outcomeOf(worst), isOnIntent: false, target, findings, by }
}

const outcomeOf = ({ kind, what }: Finding): string =>
  kind === 'non_goal' ? nonGoalOutcome(what) : kind
