import { counts } from '../counts.ts'
import type { ReadDraft } from '../evaluation/finding.ts'
import type { Intent } from './intent.ts'
import type { Outcome } from '../evaluation/outcome.ts'

/** Defines success and holds authority. It is read-only: only the user changes an intent. */
export class IntentStore {
  readonly #intent: Intent
  readonly #readDraft: ReadDraft

  constructor(intent: Intent, readDraft: ReadDraft) {
    this.#intent = intent
    this.#readDraft = readDraft
  }

  getIntent(): Intent {
    return this.#intent
  }

  /** Whether nothing in an outcome visibly contradicts the intent; false without a draft. */
  isSuccess({ plan, report }: Outcome): boolean {
    const { draft } = report
    if (draft === null) return false
    return !this.#readDraft(draft, { intent: this.#intent, plan, report }).some(counts)
  }

  getNonGoals(): readonly string[] {
    return this.#intent.non_goals
  }

  getStopConditions(): readonly string[] {
    return this.#intent.stop_conditions
  }
}
