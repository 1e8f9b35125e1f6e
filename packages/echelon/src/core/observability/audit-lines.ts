import type { RunRecord } from './run-record.ts'

/** The audit log that a record is added to. */
export interface AuditEnd {
  /** The existing lines, from the last one back. Only as many are read as are needed. */
  readonly fromLast: Iterable<string>
  /** Number of earlier records that could not be stored. */
  readonly lost: number
}

/** Formats a record for an audit log: lines, each chained to the one before. */
export type AuditLines = (record: RunRecord, end: AuditEnd) => readonly string[]
