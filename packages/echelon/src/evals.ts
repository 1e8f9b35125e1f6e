export type { CaseOutcome, CaseRunRecord } from './evals/case-run-record.ts'
export { type EvalCase, readDataset } from './evals/dataset.ts'
export type { GateVerdict } from './evals/gate-verdict.ts'
export type { Gates } from './evals/gate-settings.ts'
export { checkGates } from './evals/gates.ts'
export type { Estimate } from './core/statistics/intervals.ts'
export {
  type EvaluationFacts,
  type Metrics,
  metricsOf,
  type OutcomeMetrics,
} from './evals/metrics.ts'
export { readMetrics, writtenMetrics } from './evals/metrics-file.ts'
export {
  type DatasetOptions,
  type DatasetRun,
  plannedRuns,
  type PlannedRun,
  runDataset,
  type RunTrace,
} from './evals/run-dataset.ts'
