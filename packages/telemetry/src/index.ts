export { openRecords, type RecordsOptions } from './compose/open-records.ts'
export type { Log, LogLevel, LogRecord } from 'echelon/middleware'
export { logRuns, type LogRunsOptions } from 'echelon/internal/observability'
export type {
  Recorder,
  RunActed,
  RunEnded,
  RungUsage,
  RunRecord,
  RunRefused,
  RunStarted,
} from 'echelon/internal/observability'
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
} from 'echelon/internal/observability'
export type { AuditAct, AuditEntry } from 'echelon/internal/audit'
export { auditLog, type AuditTrail } from './audit-log.ts'
export { type AuditChoice, type AuditRead, readAudit, readAuditLines } from './audit-read.ts'
export {
  type AuditOptions,
  type AuditReport,
  type Breach,
  verifyAudit,
  verifyAuditLines,
} from './audit-verify.ts'
export {
  COST_GROUPS,
  type CostGroup,
  type CostOptions,
  type CostReport,
  costReport,
  type CostRow,
  type CostSum,
  type CostTotal,
  type EarlierRows,
} from './costs.ts'
export { daysIn } from './day.ts'
export { openTelemetry, type OpenTelemetryOptions } from './otel/open-telemetry.ts'
export { pinoLog, type PinoLogger, type PinoLogOptions } from './pino-log.ts'
export { type CostAlert, createRecorder, recordFiles } from './recorder.ts'
export {
  type KnownCost,
  readUsage,
  type UsageBook,
  usageFile,
  type UsageRead,
} from './usage-file.ts'
export type { RunPurpose, UsageOfRung, UsageRecord } from './usage-record.ts'
