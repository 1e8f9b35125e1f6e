import { fstatSync, fsyncSync, ftruncateSync, writeSync } from 'node:fs'
import {
  type AuditAct,
  BEFORE_FIRST,
  chainedLines,
  DAMAGE,
  entryOf,
  foundAct,
  type Head,
  LONGEST_LINE,
  TORN_LINE,
} from 'echelon/internal/audit'
import { linesFromEnd, readAt } from './lines.ts'
import { whileLocked } from './lock.ts'
import { withPrivateFile } from './private-file.ts'

/** Port: the destination of audit entries. A file is built in; a store can be another. */
export interface AuditTrail {
  /**
   * Appends all acts to the chain, or none.
   * @param durable whether they, and all entries before them, must survive a power failure
   * @throws Error if they were not stored
   */
  append(acts: readonly AuditAct[], durable: boolean): void
}

/**
 * An append-only log in a private file (0600): one entry per line, each chained to the previous one
 * (`AuditEntry`). Any number of processes may append to the same file, one at a time under a lock file
 * next to it. It is never rotated, shortened or rewritten.
 *
 * When `append` returns, the operating system has the entry, so it survives the process; durable
 * entries are also flushed to disk (fsync). A line cut short by a killed process stays as it is, and
 * the next append records it as `torn_line`, with the digest of its bytes. Anything else at the end
 * that is not an entry is recorded as `damage`, which fails verification.
 * @param wait milliseconds to wait for the lock, which is held during a disk flush
 */
export function auditLog(path: string, wait: number = MAX_WAIT_MS): AuditTrail {
  /** After a lock timeout, further appends do not wait until one gets the lock. */
  let mayWait = true
  return {
    append(acts, durable) {
      const timeout = mayWait ? wait : 0
      mayWait = false
      whileLocked(lockOf(path), timeout, () => {
        mayWait = true
        withPrivateFile(path, (file) => {
          const { size } = fstatSync(file)
          writeWhole(file, size, textFor(acts, endOf(file, size)))
          if (durable) fsyncSync(file)
        })
      })
    },
  }
}

export const MAX_WAIT_MS = 5000

/** The lock held while appending to a log. */
export const lockOf = (path: string): string => `${path}.lock`

interface End {
  readonly head: Head
  /** Whether the file ends with a newline or is empty. */
  readonly complete: boolean
  /** The bytes after the last entry. */
  readonly tail: Buffer
}

function endOf(file: number, size: number): End {
  let complete = true
  for (const line of linesFromEnd(file, size)) {
    const end = line.start + line.bytes.length + Number(line.complete)
    if (end === size) complete = line.complete
    const head = entryOf(line.bytes)
    if (head !== undefined) return { head, complete, tail: readAt(file, end, size - end) }
    if (size - line.start > LONGEST_LINE) throw new Error('it is not an audit log; move it away')
  }
  return { head: BEFORE_FIRST, complete, tail: readAt(file, 0, size) }
}

/** The newline that ends a torn line, its record, and the acts. */
function textFor(acts: readonly AuditAct[], { head, complete, tail }: End): string {
  const about =
    tail.length === 0 ? [] : acts.slice(0, 1).map(({ ts }) => tailAct(tail, complete, ts))
  const lines = chainedLines([...about, ...acts], head)
  return `${complete ? '' : '\n'}${lines.map((line) => `${line}\n`).join('')}`
}

/** The digest excludes the newline at the end, so that the bytes can be matched in the file later. */
function tailAct(tail: Buffer, complete: boolean, ts: string): AuditAct {
  const broken = complete ? tail.subarray(0, -1) : tail
  return foundAct(broken, { action: complete ? DAMAGE : TORN_LINE, ts })
}

function writeWhole(file: number, size: number, text: string): void {
  const bytes = Buffer.from(text)
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
  } catch (error) {
    undo(file, size)
    throw error
  }
}

/** If even truncating fails, the next append records a torn line. */
function undo(file: number, size: number): void {
  try {
    ftruncateSync(file, size)
  } catch {
    // Report the first error, not this one.
  }
}
