import { isThere } from 'echelon/internal/platform'
import { type AuditEntry, entryOf } from 'echelon/internal/audit'
import { linesOf } from './lines.ts'

/** Selected entries of an audit log, oldest first. */
export interface AuditRead {
  readonly entries: readonly AuditEntry[]
  /** Number of matching entries before these, omitted because of `last`. */
  readonly earlier: number
  /** Number of lines in the whole log that are not entries; `verifyAudit` reports what is wrong. */
  readonly unreadable: number
}

export interface AuditChoice {
  /** The id of a run, or a prefix of it; default all runs. */
  readonly run?: string
  /** Maximum number of entries, the newest; default all. */
  readonly last?: number
}

/**
 * Reads entries of an audit log without verifying the chain. A missing file has no entries.
 * @throws Error when the file cannot be read
 */
export async function readAudit(path: string, choice: AuditChoice = {}): Promise<AuditRead> {
  const selection = new Selection(choice)
  if (isThere(path)) for await (const { bytes } of linesOf(path)) selection.read(bytes)
  return selection
}

/** Reads entries of an audit log stored line by line, such as an `AuditStore`. */
export function readAuditLines(lines: Iterable<string>, choice: AuditChoice = {}): AuditRead {
  const selection = new Selection(choice)
  for (const line of lines) selection.read(Buffer.from(line))
  return selection
}

class Selection implements AuditRead {
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
