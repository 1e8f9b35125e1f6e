import type { Recorder } from './core/run-record.ts'
import { systemTimeZone } from './host/clock.ts'
import { openRecords as openIn, type RecordsOptions as Options } from './telemetry/recorder.ts'

export type { Log, LogLevel, LogRecord } from './core/log.ts'
export { logRuns, type LogRunsOptions } from './core/log-runs.ts'
export type {
  Recorder,
  RunActed,
  RunEnded,
  RungUsage,
  RunRecord,
  RunRefused,
  RunStarted,
} from './core/run-record.ts'
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
} from './core/tracing.ts'
export type { AuditAct, AuditEntry } from './telemetry/audit-entry.ts'
export { auditLog, type AuditTrail } from './telemetry/audit-log.ts'
export {
  type AuditChoice,
  type AuditRead,
  readAudit,
  readAuditLines,
} from './telemetry/audit-read.ts'
export {
  type AuditOptions,
  type AuditReport,
  type Breach,
  verifyAudit,
  verifyAuditLines,
} from './telemetry/audit-verify.ts'
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
} from './telemetry/costs.ts'
export { daysIn } from './telemetry/day.ts'
export { openTelemetry, type OpenTelemetryOptions } from './telemetry/otel/open-telemetry.ts'
export { pinoLog, type PinoLogger, type PinoLogOptions } from './telemetry/pino-log.ts'
export { type CostAlert, createRecorder, recordFiles } from './telemetry/recorder.ts'
export {
  type KnownCost,
  readUsage,
  type UsageBook,
  usageFile,
  type UsageRead,
} from './telemetry/usage-file.ts'
export type { RunPurpose, UsageOfRung, UsageRecord } from './telemetry/usage-record.ts'

export type RecordsOptions = Omit<Options, 'timeZone'> & Partial<Pick<Options, 'timeZone'>>

/**
 * Keeps records of runs in two private files of a folder: `audit.jsonl`, what was done, and
 * `usage.jsonl`, what it took. Give it to `createDecider` as `records`. Any number of processes may
 * use one folder. Without a `timeZone`, a day is one of the system's zone.
 *
 * The audit log is on the disk when a run ends, a usage record when it is written. What could not be
 * written is counted and said in the log as soon as it can be written again (`entries_lost`).
 * @throws EchelonError INVALID_CONFIG for a folder, a zone or a threshold that cannot be used
 */
export function openRecords(options: RecordsOptions): Recorder {
  return openIn({ timeZone: systemTimeZone(), ...options })
}
