import type { Entry, Journal } from '../core/journal.ts'

/** A journal that lives as long as the process: for tests, replays and short programs. */
export class MemoryJournal implements Journal {
  readonly #runs = new Map<string, Entry[]>()

  append(runId: string, entries: readonly Entry[]): void {
    const kept = this.#runs.get(runId)
    if (kept === undefined) this.#runs.set(runId, [...entries])
    else kept.push(...entries)
  }

  read(runId: string): readonly Entry[] {
    return [...(this.#runs.get(runId) ?? [])]
  }
}
