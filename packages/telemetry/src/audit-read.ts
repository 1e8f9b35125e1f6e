import { isThere } from 'echelon/internal/host'
import { type AuditEntry, entryOf } from 'echelon/internal/audit'
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
export async function readAudit(path: string, choice: AuditChoice = {}): Promise<AuditRead> {
  const chosen = new Chosen(choice)
  if (isThere(path)) for await (const { bytes } of linesOf(path)) chosen.read(bytes)
  return chosen
}

/** Reads entries of an audit log that is kept line by line, as `AuditStore` does. */
export function readAuditLines(lines: Iterable<string>, choice: AuditChoice = {}): AuditRead {
  const chosen = new Chosen(choice)
  for (const line of lines) chosen.read(Buffer.from(line))
  return chosen
}

class Chosen implements AuditRead {
  readonly entries: AuditEntry[] = []
  earlier = 0
  unreadable = 0
  readonly #run: string | undefined
  readonly #last: number

  constructor({ run, last = Infinity }: AuditChoice) {
    this.#run = run
    this.#last = last
  }

  read(bytes: Buffer): void {
    const entry = entryOf(bytes)
    if (entry === undefined) this.unreadable++
    else if (this.#run === undefined || entry.run_id?.startsWith(this.#run) === true) {
      this.entries.push(entry)
      if (this.entries.length <= this.#last) return
      this.entries.shift()
      this.earlier++
    }
  }
}
