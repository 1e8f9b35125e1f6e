import type { Plan } from '../plan/plan.ts'
import type { Report } from '../report.ts'

/** The outcome of an execution, with the plan that it followed. */
export interface Outcome {
  readonly plan: Plan
  readonly report: Report
}
