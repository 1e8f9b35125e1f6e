import type { AuditLines } from '../core/observability/audit-lines.ts'
import { auditActs } from './audit-acts.ts'
import { chainedLines, DAMAGE, foundAct, lostAct } from './audit-chain.ts'
import { BEFORE_FIRST, entryOf, type Head } from './audit-entry.ts'

/**
 * The lines that a record adds to an audit log kept line by line, such as in a table: the same
 * lines as in a file. Invalid lines at the end, which only a manual change can leave there, are
 * recorded as `damage`.
 */
export const auditLines: AuditLines = (record, { fromLast, lost }) => {
  const { ts } = record
  const { head, broken } = endOf(fromLast)
  const acts = [
    ...(broken.length === 0 ? [] : [foundAct(broken, { action: DAMAGE, ts })]),
    ...(lost === 0 ? [] : [lostAct(ts, lost)]),
    ...auditActs(record),
  ]
  return chainedLines(acts, head)
}

function endOf(fromLast: Iterable<string>): { readonly head: Head; readonly broken: Buffer } {
  const broken: string[] = []
  const brokenBytes = (): Buffer => Buffer.from(broken.join('\n'))
  for (const line of fromLast) {
    const head = entryOf(Buffer.from(line))
    if (head !== undefined) return { head, broken: brokenBytes() }
    broken.unshift(line)
  }
  return { head: BEFORE_FIRST, broken: brokenBytes() }
}
