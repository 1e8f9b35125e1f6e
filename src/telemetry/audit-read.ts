import { existsSync } from 'node:fs'
import { type AuditEntry, entryOf } from './audit-entry.ts'
import { linesOf } from './lines.ts'

/** Some entries of an audit log, oldest first. */
export interface AuditRead {
  readonly entries: readonly AuditEntry[]
  /** How many that fit the choice come before them, and were left out for `last`. */
  readonly earlier: number
  /** How many lines of the whole log are no entries: `verifyAudit` says what is wrong. */
  readonly unreadable: number
}

export interface AuditChoice {
  /** The id of a run, or how it begins; default all. */
  readonly run?: string
  /** How many of them, the newest; default all. */
  readonly last?: number
}

/**
 * Reads entries of an audit log, without checking that the chain is whole. A file that is not there
 * holds none.
 * @throws Error when the file cannot be read
 */
export async function readAudit(
  path: string,
  { run, last = Infinity }: AuditChoice = {},
): Promise<AuditRead> {
  const entries: AuditEntry[] = []
  let earlier = 0
  let unreadable = 0
  if (!existsSync(path)) return { entries, earlier, unreadable }
  for await (const { bytes } of linesOf(path)) {
    const entry = entryOf(bytes)
    if (entry === undefined) unreadable++
    else if (run === undefined || entry.run_id?.startsWith(run) === true) {
      entries.push(entry)
      if (entries.length > last) {
        entries.shift()
        earlier++
      }
    }
  }
  return { entries, earlier, unreadable }
}
