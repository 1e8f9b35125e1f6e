import type { AuditLines } from '../../core/audit-lines.ts'
import type { RunRecord } from '../../core/run-record.ts'
import type { AuditStore } from '../../core/store.ts'

/** The audit log as long as the process lives. */
export class MemoryAudit implements AuditStore {
  readonly #add: AuditLines
  readonly #lines: string[] = []
  #lost = 0

  constructor(lines: AuditLines) {
    this.#add = lines
  }

  record(record: RunRecord): void {
    try {
      const fromLast = fromEnd(this.#lines)
      this.#lines.push(...this.#add(record, { fromLast, lost: this.#lost }))
      this.#lost = 0
    } catch {
      // A run does not end because its records cannot be kept.
      this.#lost++
    }
  }

  async read(): Promise<readonly string[]> {
    return [...this.#lines]
  }
}

function* fromEnd(lines: readonly string[]): Generator<string> {
  for (let at = lines.length - 1; at >= 0; at--) yield lines[at] ?? ''
}
