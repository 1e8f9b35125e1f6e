export type { Evaluation, Evaluations, Patterns } from './agents/assist/evaluation.ts'
export type { Finding, ReadDraft, ReadUser } from './agents/assist/finding.ts'
export { DEFAULT_INTENT, type Intent } from './agents/assist/intent.ts'
export {
  type Altitude,
  ALTITUDES,
  type Plan,
  type Plans,
  type Revision,
} from './agents/assist/plan.ts'
export type { Report, TurnFacts } from './agents/assist/report.ts'
