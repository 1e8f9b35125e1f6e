import { createHash, type Hash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import {
  type AuditEntry,
  BEFORE_FIRST,
  entryOf,
  type Head,
  ENTRIES_LOST,
  RECORDER,
  TORN_LINE,
} from 'echelon/internal/audit'
import { lockOf, MAX_WAIT_MS } from './audit-log.ts'
import { isThere } from 'echelon/internal/platform'
import { linesOf, type NumberedLine } from './lines.ts'
import { whileLocked } from './lock.ts'

/** Kinds of damage to a log. */
export type Breach = 'changed' | 'missing' | 'reordered' | 'inserted' | 'torn'

export interface AuditOptions {
  /** The hash of an entry, noted earlier; it must be in the log. */
  readonly head?: string
  /**
   * Run ids from other records, read earlier. The log must contain an entry for each, unless it records
   * that entries were lost (`entries_lost`).
   */
  readonly runs?: Iterable<string>
}

export interface AuditReport {
  readonly ok: boolean
  /** Number of entries up to the end, or up to the first broken place. */
  readonly entries: number
  /** Hash of the last of them; null if there are none. */
  readonly head: string | null
  /** Lines cut short by killed processes, each recorded by the entry after it. */
  readonly torn_lines: number
  /** The first broken place. `line` is null if it is unknown: the missing end. */
  readonly broken: {
    readonly line: number | null
    readonly what: Breach
    /** One sentence. */
    readonly reason: string
  } | null
}

/**
 * Verifies an audit log from first line to last, one line in memory at a time: each entry is unchanged
 * and follows the previous one.
 *
 * The chain has no secret. A log with its last entries cut off is still a valid chain, and anyone with
 * write access can compute a new one. Only a `head` noted elsewhere, at any time, reveals this; `runs`
 * reveal that all entries of a run are gone. A missing file is an empty log.
 * @throws Error when the file cannot be read
 */
export async function verifyAudit(path: string, options: AuditOptions = {}): Promise<AuditReport> {
  const check = new Check(options)
  if (isThere(path)) {
    for await (const line of linesOf(path, sizeOf(path))) check.read(line)
  }
  return check.report()
}

/**
 * Verifies an audit log stored line by line, such as an `AuditStore`, as `verifyAudit` does for a file.
 */
export function verifyAuditLines(lines: Iterable<string>, options: AuditOptions = {}): AuditReport {
  const check = new Check(options)
  let number = 0
  for (const line of lines) {
    check.read({ bytes: Buffer.from(line), complete: true, number: ++number })
  }
  return check.report()
}

/** Read between two appends, so that a half-written line is not checked. */
function sizeOf(path: string): number {
  const size = (): number => statSync(path).size
  if (!existsSync(lockOf(path))) return size()
  try {
    return whileLocked(lockOf(path), MAX_WAIT_MS, size)
  } catch {
    // A read-only copy has no concurrent writer.
    return size()
  }
}

/** A line that does not follow from the lines before it. */
interface Suspect {
  readonly line: NumberedLine
  /** Undefined for a line that is not an unchanged entry. */
  readonly entry: AuditEntry | undefined
}

/** Lines that are not entries. A crash may leave them, and the next entry then records them. */
interface Torn extends Suspect {
  readonly digest: Hash
}

class Check {
  readonly #expectedHead: string | undefined
  #sawExpectedHead = false
  /** Runs without an entry so far. */
  readonly #runs: Set<string>
  #recordsLoss = false
  #head: Head = BEFORE_FIRST
  #tornLines = 0
  #torn: Torn | undefined
  #suspect: Suspect | undefined
  /** Whether the entry expected in the suspect's place was found later. */
  #foundLater = false

  constructor({ head, runs = [] }: AuditOptions) {
    this.#expectedHead = head
    this.#runs = new Set(runs)
  }

  read(line: NumberedLine): void {
    if (this.#foundLater) return
    const entry = entryOf(line.bytes)
    const follows = entry !== undefined && this.#isNext(entry)
    if (this.#suspect !== undefined) this.#foundLater = follows
    else if (follows) this.#follow(line, entry)
    else if (entry === undefined) this.#keepTorn(line)
    else this.#suspect = this.#torn ?? { line, entry }
  }

  #isNext({ seq, prev }: AuditEntry): boolean {
    return seq === this.#head.seq + 1 && prev === this.#head.hash
  }

  #follow(line: NumberedLine, entry: AuditEntry): void {
    const torn = this.#torn
    if (recordsTorn(entry) ? torn === undefined : torn !== undefined) {
      this.#suspect = torn ?? { line, entry }
      this.#foundLater = torn !== undefined
      return
    }
    if (torn !== undefined) {
      if (entry.details['sha256'] !== torn.digest.digest('hex')) {
        this.#suspect = torn
        return
      }
      this.#torn = undefined
      this.#tornLines++
    }
    this.#head = entry
    if (entry.hash === this.#expectedHead) this.#sawExpectedHead = true
    if (entry.run_id !== null) this.#runs.delete(entry.run_id)
    if (entry.actor === RECORDER && entry.action === ENTRIES_LOST) this.#recordsLoss = true
  }

  #keepTorn(line: NumberedLine): void {
    if (this.#torn === undefined) {
      this.#torn = { line, entry: undefined, digest: createHash('sha256').update(line.bytes) }
    } else this.#torn.digest.update('\n').update(line.bytes)
  }

  report(): AuditReport {
    const broken = this.#broken()
    const { seq, hash } = this.#head
    return {
      ok: broken === null,
      entries: seq,
      head: seq === 0 ? null : hash,
      torn_lines: this.#tornLines,
      broken,
    }
  }

  #broken(): AuditReport['broken'] {
    const suspect = this.#suspect ?? this.#torn
    if (suspect !== undefined) {
      const what = this.#breach(suspect)
      return { line: suspect.line.number, what, reason: this.#reason(suspect, what) }
    }
    const missing = this.#missing()
    return missing === undefined ? null : { line: null, what: 'missing', reason: missing }
  }

  #missing(): string | undefined {
    if (this.#expectedHead !== undefined && !this.#sawExpectedHead)
      return `no entry has the noted head ${this.#expectedHead}: the end of the log was cut off, or the log was replaced.`
    const { size } = this.#runs
    if (size === 0 || this.#recordsLoss) return undefined
    const runs = size === 1 ? '1 run' : `${size} runs`
    return `the usage records contain ${runs} without an entry in the audit log: it was deleted, emptied, cut off or replaced by another log.`
  }

  #breach({ line, entry }: Suspect): Breach {
    if (entry === undefined) {
      if (this.#foundLater) return 'inserted'
      return line.complete ? 'changed' : 'torn'
    }
    const expected = this.#head.seq + 1
    if (entry.seq < expected) return 'inserted'
    if (this.#isNext(entry)) return 'missing'
    if (entry.seq === expected) return this.#foundLater ? 'inserted' : 'changed'
    return this.#foundLater ? 'reordered' : 'missing'
  }

  #reason({ line: { number }, entry }: Suspect, what: Breach): string {
    const expected = this.#head.seq + 1
    const seq = entry?.seq
    switch (what) {
      case 'changed':
        return seq === undefined
          ? `line ${number} is not an entry as written: it was changed.`
          : `line ${number} is chained to a different entry than the one before it: that one was changed.`
      case 'missing':
        return seq === expected
          ? `line ${number} records a torn line before it that is missing.`
          : `line ${number} holds entry ${seq} instead of entry ${expected}: the entries in between are missing.`
      case 'reordered':
        return `line ${number} holds entry ${seq} instead of entry ${expected}, which comes later: lines were reordered.`
      case 'inserted':
        return seq === undefined
          ? `line ${number} is not an entry, and the log continues after it: it was inserted.`
          : `line ${number} holds entry ${seq} instead of entry ${expected}: it was inserted.`
      case 'torn':
        return `line ${number}, the last, is incomplete: a process died while writing it, and the next run will record that; or it was cut.`
    }
  }
}

const recordsTorn = ({ actor, action }: AuditEntry): boolean =>
  actor === RECORDER && action === TORN_LINE
