import type { Recorder } from 'echelon/internal/observability'
import { systemTimeZone } from 'echelon/internal/host'
import { openRecords as openIn, type RecordsOptions as Options } from './recorder.ts'

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
