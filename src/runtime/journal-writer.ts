import { EchelonError } from '../core/error.ts'
import type { Entry, Journal } from '../core/journal.ts'

/**
 * Collects entries and writes them in one append each time the run is about to touch the world.
 * An append that fails poisons the run: a writer that could not write performs nothing more, for
 * else the next call would run without its intent on record.
 */
export class JournalWriter {
  readonly #journal: Journal | undefined
  readonly #runId: string
  #pending: Entry[] = []
  #flushing: Promise<void> = Promise.resolve()

  constructor(journal: Journal | undefined, runId: string) {
    this.#journal = journal
    this.#runId = runId
  }

  /** Whether anything is recorded: digests are only worth their time if so. */
  get records(): boolean {
    return this.#journal !== undefined
  }

  push(entry: Entry): void {
    if (this.#journal !== undefined) this.#pending.push(entry)
  }

  /**
   * Durable when it resolves. Flushes of the same time share an append and its fate, and one that
   * failed is the fate of all that come after it.
   */
  flush(): Promise<void> {
    if (this.#pending.length === 0) return this.#flushing
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #write(): Promise<void> {
    if (this.#pending.length === 0) return
    const batch = this.#pending
    this.#pending = []
    try {
      await this.#journal?.append(this.#runId, batch)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new EchelonError(
        'JOURNAL_FAILED',
        `the run stopped because its journal could not be written (${reason}); what was written before is kept, mend the store and resume`,
        { cause },
      )
    }
  }
}
