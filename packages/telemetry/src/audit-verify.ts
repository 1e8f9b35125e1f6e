import { createHash, type Hash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { type AuditEntry, BEFORE_FIRST, entryOf, type Head } from 'echelon/internal/audit'
import { ENTRIES_LOST, RECORDER, TORN_LINE } from 'echelon/internal/audit'
import { lockOf, LONGEST_WAIT } from './audit-log.ts'
import { isThere } from 'echelon/internal/host'
import { linesOf, type NumberedLine } from './lines.ts'
import { whileLocked } from './lock.ts'

/** What is wrong with a log. */
export type Breach = 'changed' | 'missing' | 'reordered' | 'inserted' | 'torn'

export interface AuditOptions {
  /** The hash of an entry, noted earlier: it must be in the log. */
  readonly head?: string
  /**
   * Ids of runs that other records tell of, read before: an entry of each must be in the log, unless
   * the log itself says that entries were lost (`entries_lost`).
   */
  readonly runs?: Iterable<string>
}

export interface AuditReport {
  readonly ok: boolean
  /** Entries up to the end, or to the first broken place. */
  readonly entries: number
  /** Hash of the last of them; null where there is none. */
  readonly head: string | null
  /** Lines that processes were killed in, each recorded by the entry after it. */
  readonly torn_lines: number
  /** The first broken place. The line is null where it cannot be told: the end that is missing. */
  readonly broken: {
    readonly line: number | null
    readonly what: Breach
    /** One sentence. */
    readonly reason: string
  } | null
}

/**
 * Checks an audit log from its first line to its last, holding no more than a line of it: that each
 * entry is as it was written and follows the one before it.
 *
 * The chain has no secret. Entries that were cut off the end leave a shorter chain that is whole,
 * and who may write the file can compute a new one: only a `head` that was noted elsewhere, of
 * this log at any time, tells of that; `runs` tell where all of a run is gone. A file that is not
 * there is an empty log.
 * @throws Error when the file cannot be read
 */
export async function verifyAudit(path: string, options: AuditOptions = {}): Promise<AuditReport> {
  const check = new Check(options)
  if (isThere(path)) {
    for await (const line of linesOf(path, sizeOf(path))) check.read(line)
  }
  return check.report()
}

/** Checks an audit log that is kept line by line, as `AuditStore` does: what `verifyAudit` says of a file. */
export function verifyAuditLines(lines: Iterable<string>, options: AuditOptions = {}): AuditReport {
  const check = new Check(options)
  let number = 0
  for (const line of lines) {
    check.read({ bytes: Buffer.from(line), complete: true, number: ++number })
  }
  return check.report()
}

/** Between two appends: a line that is just being written is not judged. */
function sizeOf(path: string): number {
  const size = (): number => statSync(path).size
  if (!existsSync(lockOf(path))) return size()
  try {
    return whileLocked(lockOf(path), LONGEST_WAIT, size)
  } catch {
    // On a read-only copy nobody appends.
    return size()
  }
}

/** A line that does not follow the ones before it. */
interface Suspect {
  readonly line: NumberedLine
  /** Nothing for a line that is no entry as it was written. */
  readonly entry: AuditEntry | undefined
}

/** Lines that are no entries, as a crash may leave them until the next entry says so. */
interface Torn extends Suspect {
  readonly digest: Hash
}

class Check {
  readonly #noted: string | undefined
  #sawNoted = false
  /** Of which no entry was seen yet. */
  readonly #runs: Set<string>
  #saysLost = false
  #head: Head = BEFORE_FIRST
  #tornLines = 0
  #torn: Torn | undefined
  #suspect: Suspect | undefined
  /** Whether what should have stood in the suspect's place came later. */
  #cameLater = false

  constructor({ head, runs = [] }: AuditOptions) {
    this.#noted = head
    this.#runs = new Set(runs)
  }

  read(line: NumberedLine): void {
    if (this.#cameLater) return
    const entry = entryOf(line.bytes)
    const follows = entry !== undefined && this.#isNext(entry)
    if (this.#suspect !== undefined) this.#cameLater = follows
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
      this.#cameLater = torn !== undefined
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
    if (entry.hash === this.#noted) this.#sawNoted = true
    if (entry.run_id !== null) this.#runs.delete(entry.run_id)
    if (entry.actor === RECORDER && entry.action === ENTRIES_LOST) this.#saysLost = true
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
    if (this.#noted !== undefined && !this.#sawNoted)
      return `no entry has the noted head ${this.#noted}: the end of the log was cut off, or another log was put in its place.`
    const { size } = this.#runs
    if (size === 0 || this.#saysLost) return undefined
    const runs = size === 1 ? '1 run' : `${size} runs`
    return `usage records tell of ${runs} of which the audit log holds nothing: it was deleted, emptied, cut off, or another log was put in its place.`
  }

  #breach({ line, entry }: Suspect): Breach {
    if (entry === undefined) {
      if (this.#cameLater) return 'inserted'
      return line.complete ? 'changed' : 'torn'
    }
    const expected = this.#head.seq + 1
    if (entry.seq < expected) return 'inserted'
    if (this.#isNext(entry)) return 'missing'
    if (entry.seq === expected) return this.#cameLater ? 'inserted' : 'changed'
    return this.#cameLater ? 'reordered' : 'missing'
  }

  #reason({ line: { number }, entry }: Suspect, what: Breach): string {
    const expected = this.#head.seq + 1
    const seq = entry?.seq
    switch (what) {
      case 'changed':
        return seq === undefined
          ? `line ${number} is no entry as it was written: it was changed.`
          : `line ${number} was chained to another entry than the one before it, which was changed.`
      case 'missing':
        return seq === expected
          ? `line ${number} records a torn line that should stand before it: that one is missing.`
          : `line ${number} holds entry ${seq} where entry ${expected} should stand: what was between is missing.`
      case 'reordered':
        return `line ${number} holds entry ${seq} where entry ${expected} should stand, which comes later: lines were reordered.`
      case 'inserted':
        return seq === undefined
          ? `line ${number} is no entry, and the log goes on after it: it was inserted.`
          : `line ${number} holds entry ${seq} where entry ${expected} should stand: it was inserted.`
      case 'torn':
        return `line ${number}, the last, is not complete: a process died while it wrote it, and the next run will record that; or somebody cut it.`
    }
  }
}

const recordsTorn = ({ actor, action }: AuditEntry): boolean =>
  actor === RECORDER && action === TORN_LINE
