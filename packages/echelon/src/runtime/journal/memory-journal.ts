import type { Entry, Journal } from '../../core/journal/journal.ts'

export interface MemoryJournalOptions {
  /**
   * Whether entries carry digests, like those of a durable journal: a resume by code that decides
   * differently is then rejected. Default true.
   */
  readonly digests?: boolean
}

/** A journal in memory: for tests, replays and short programs. */
export class MemoryJournal implements Journal {
  readonly digests: boolean
  readonly #runs = new Map<string, Entry[]>()

  constructor({ digests = true }: MemoryJournalOptions = {}) {
    this.digests = digests
  }

  append(runId: string, entries: readonly Entry[]): void {
    const kept = this.#runs.get(runId)
    if (kept === undefined) this.#runs.set(runId, [...entries])
    else kept.push(...entries)
  }

  read(runId: string): readonly Entry[] {
    return [...(this.#runs.get(runId) ?? [])]
  }
}
