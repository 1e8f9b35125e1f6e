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

/** Port: where audit entries go. The file is one; a store can be another. */
export interface AuditTrail {
  /**
   * Chains acts to the end of the log, all of them or none.
   * @param durable whether they, and all before them, must outlive a power cut
   * @throws Error when they are not kept
   */
  append(acts: readonly AuditAct[], durable: boolean): void
}

/**
 * An append-only log in a private file (0600), one entry a line, each chained to the one before it
 * (`AuditEntry`). Any number of processes may append to one file: a lock beside it makes them take
 * turns. It is never rotated, shortened or rewritten.
 *
 * An entry is the system's as soon as `append` returns, so that it outlives the process; the disk
 * is told to keep it (fsync) where it is asked to be durable. The line that a process was killed in
 * stays as it is, and the next append records it: `torn_line`, with the digest of its bytes.
 * Anything else that stands at the end and is no entry is recorded as `damage`, which no
 * verification accepts.
 * @param wait milliseconds that another process may hold the lock: it holds it for a disk flush
 */
export function auditLog(path: string, wait: number = LONGEST_WAIT): AuditTrail {
  /** Whoever waited in vain does not wait again for each entry, until there was a turn. */
  let isPatient = true
  return {
    append(acts, durable) {
      const patience = isPatient ? wait : 0
      isPatient = false
      whileLocked(lockOf(path), patience, () => {
        isPatient = true
        withPrivateFile(path, (file) => {
          const { size } = fstatSync(file)
          writeWhole(file, size, textFor(acts, endOf(file, size)))
          if (durable) fsyncSync(file)
        })
      })
    },
  }
}

export const LONGEST_WAIT = 5000

/** The lock that whoever appends to a log holds. */
export const lockOf = (path: string): string => `${path}.lock`

interface End {
  readonly head: Head
  /** Whether the file ends with a newline, or is empty. */
  readonly complete: boolean
  /** What stands after the last entry. */
  readonly tail: Buffer
}

function endOf(file: number, size: number): End {
  let complete = true
  for (const line of linesFromEnd(file, size)) {
    const end = line.start + line.bytes.length + Number(line.complete)
    if (end === size) complete = line.complete
    const head = entryOf(line.bytes)
    if (head !== undefined) return { head, complete, tail: readAt(file, end, size - end) }
    if (size - line.start > LONGEST_LINE) throw new Error('it is no audit log; move it away')
  }
  return { head: BEFORE_FIRST, complete, tail: readAt(file, 0, size) }
}

/** What ends the line before, what is to be said about it, and the acts. */
function textFor(acts: readonly AuditAct[], { head, complete, tail }: End): string {
  const about = tail.length === 0 ? [] : acts.slice(0, 1).map(({ ts }) => found(tail, complete, ts))
  const lines = chainedLines([...about, ...acts], head)
  return `${complete ? '' : '\n'}${lines.map((line) => `${line}\n`).join('')}`
}

/** Digested without the newline that ends it, or will: so it is found in the file again. */
function found(tail: Buffer, complete: boolean, ts: string): AuditAct {
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

/** Where a system forbids even that, the next append records a torn line. */
function undo(file: number, size: number): void {
  try {
    ftruncateSync(file, size)
  } catch {
    // The first error is the one to tell.
  }
}
