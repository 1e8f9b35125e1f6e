export type { CaseOutcome, CaseRunRecord } from './evals/case-run-record.ts'
export { type Comparison, compareRuns } from './evals/comparison.ts'
export { type EvalCase, readDataset } from './evals/dataset.ts'
export type { GateVerdict } from './evals/gate-verdict.ts'
export type { Gates } from './evals/gate-settings.ts'
export { checkGates } from './evals/gates.ts'
export type { Difference } from './core/statistics/difference.ts'
export type { PairedDifference } from './core/statistics/bootstrap.ts'
export type { Estimate } from './core/statistics/intervals.ts'
export type { Verdict } from './core/statistics/verdict.ts'
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
export { type Goal, type GoalCheck, readGoal } from './tune/goal.ts'
export type { PolicyFigures } from './tune/policy.ts'
export type {
  CurvePoint,
  FrontierPoint,
  LadderReport,
  ModelReport,
  Proposal,
  TuneReport,
  WithError,
} from './tune/report.ts'
export { type TakeOptions, takeTask, type TunedTask } from './tune/tuned-task.ts'
export { type Tuned, tune, type TuneOptions } from './tune/tune.ts'
export { readTraces } from './tune/traces/read-traces.ts'
export type { RecordedAnswer, Trace } from './tune/traces/trace.ts'
