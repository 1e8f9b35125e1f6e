import type { Plan } from '../plan/plan.ts'
import type { Report } from '../report.ts'

/** What came of an execution: what happened, and the plan that it followed. */
export interface Outcome {
  readonly plan: Plan
  readonly report: Report
}
