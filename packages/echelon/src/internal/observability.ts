export type { AuditLines } from '../core/observability/audit-lines.ts'
export { logRuns, type LogRunsOptions } from '../core/observability/log-runs.ts'
export type {
  Recorder,
  RunActed,
  RunEnded,
  RungUsage,
  RunRecord,
  RunRefused,
  RunStarted,
} from '../core/observability/run-record.ts'
export type {
  AnsweredBy,
  ModelSpan,
  Reply,
  RunSpan,
  Span,
  ToolSpan,
  TraceContext,
  TracedCall,
  TracedEnd,
  TracedRun,
  TracedTool,
  TracedWait,
  Tracing,
} from '../core/observability/tracing.ts'
