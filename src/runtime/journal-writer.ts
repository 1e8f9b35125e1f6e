import { EchelonError } from '../core/error.ts'
import type { Beside, Entry, Journal } from '../core/journal.ts'

/**
 * Collects entries and writes them in one append each time the run is about to touch the world.
 * An append that fails poisons the run: a writer that could not write performs nothing more, for
 * else the next call would run without its intent on record.
 */
export class JournalWriter {
  readonly #journal: Journal | undefined
  readonly #runId: string
  #pending: Entry[] = []
  #beside: Beside | undefined
  #flushing: Promise<void> | undefined
  #broken: EchelonError | undefined

  constructor(journal: Journal | undefined, runId: string) {
    this.#journal = journal
    this.#runId = runId
  }

  /** Whether anything is recorded. */
  get records(): boolean {
    return this.#journal !== undefined
  }

  /** Whether entries carry digests. */
  get digests(): boolean {
    return this.#journal !== undefined && this.#journal.digests !== false
  }

  /** @param beside what becomes durable with it, or not at all */
  push(entry: Entry, beside?: Beside): void {
    if (this.#journal === undefined) return
    this.#pending.push(entry)
    if (beside !== undefined) this.#beside = { ...this.#beside, ...beside }
  }

  /**
   * Durable when it returns, or when the promise that it returns resolves. Flushes of the same time
   * share an append and its fate, and one that failed is the fate of all that come after it.
   * @throws EchelonError JOURNAL_FAILED
   */
  flush(): void | Promise<void> {
    if (this.#broken !== undefined) throw this.#broken
    if (this.#flushing !== undefined) return this.#after(this.#flushing)
    if (this.#pending.length > 0) return this.#write()
  }

  /** Whoever comes while an append is under way shares the next one, if there is anything to write. */
  async #after(flushing: Promise<void>): Promise<void> {
    await flushing
    await this.flush()
  }

  #write(): void | Promise<void> {
    const batch = this.#pending
    const beside = this.#beside
    this.#pending = []
    this.#beside = undefined
    try {
      const appended = this.#journal?.append(this.#runId, batch, beside)
      if (!(appended instanceof Promise)) return
      this.#flushing = this.#settled(appended)
      return this.#flushing
    } catch (cause) {
      throw this.#break(cause)
    }
  }

  async #settled(appended: Promise<void>): Promise<void> {
    try {
      await appended
    } catch (cause) {
      throw this.#break(cause)
    } finally {
      this.#flushing = undefined
    }
  }

  #break(cause: unknown): EchelonError {
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#broken = new EchelonError(
      'JOURNAL_FAILED',
      `the run stopped because its journal could not be written (${reason}); what was written before is kept, mend the store and resume`,
      { cause },
    )
    return this.#broken
  }
}
