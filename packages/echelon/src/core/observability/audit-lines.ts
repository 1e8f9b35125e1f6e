import type { RunRecord } from './run-record.ts'

/** Where an audit log stands that a record is added to. */
export interface AuditEnd {
  /** The lines there are, from the last one back. Only as many are taken as are needed. */
  readonly fromLast: Iterable<string>
  /** How many records before could not be kept. */
  readonly lost: number
}

/** What a record adds to an audit log: lines, each chained to the one before. */
export type AuditLines = (record: RunRecord, end: AuditEnd) => readonly string[]
