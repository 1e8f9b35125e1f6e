export { auditActs } from '../audit/audit-acts.ts'
export {
  chainedLines,
  DAMAGE,
  ENTRIES_LOST,
  foundAct,
  lostAct,
  RECORDER,
  TORN_LINE,
} from '../audit/audit-chain.ts'
export {
  type AuditAct,
  type AuditEntry,
  BEFORE_FIRST,
  entryOf,
  type Head,
} from '../audit/audit-entry.ts'
export { auditLines } from '../audit/audit-lines.ts'
export { LONGEST_LINE } from '../audit/longest-line.ts'
