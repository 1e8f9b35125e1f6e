import { EchelonError, type ErrorCode } from '../../core/value/error.ts'
import type { Beside, Entry, FromOutside, Journal, Leaving } from '../../core/journal/journal.ts'

/** What a writer begins with. */
export interface Beginning {
  /** Hears what others put on record for the run. */
  readonly hear: (entry: FromOutside) => void
  /** How many entries are on record already. */
  readonly read: number
}

/**
 * Collects entries and writes them in one append each time the run is about to touch the world.
 * An append that fails poisons the run: a writer that could not write performs nothing more, for
 * else the next call would run without its intent on record. The run is this process's own from the
 * first append on until it is left.
 */
export class JournalWriter {
  readonly #journal: Journal | undefined
  readonly #runId: string
  readonly #hear: Beginning['hear']
  #pending: Entry[] = []
  #beside: Beside | undefined
  #known: number
  #flushing: Promise<void> | undefined
  #broken: EchelonError | undefined

  #holds = false
  /** One that never was cannot be resumed. */
  #isOnRecord: boolean
  #unfollow: (() => void) | undefined
  #whenOnRecord: (() => void) | undefined

  constructor(journal: Journal | undefined, runId: string, { hear, read }: Beginning = NEW) {
    this.#journal = journal
    this.#runId = runId
    this.#hear = hear
    this.#known = read
    this.#isOnRecord = read > 0
  }

  /** Whether anything is recorded. */
  get records(): boolean {
    return this.#journal !== undefined
  }

  /** Whether entries carry digests. */
  get digests(): boolean {
    return this.#journal !== undefined && this.#journal.digests !== false
  }

  /** Whether snapshots are kept. */
  get keepsSnapshots(): boolean {
    return this.#journal?.snapshot !== undefined
  }

  /** How many entries of the run there are, as far as it is known here. */
  get known(): number {
    return this.#known
  }

  /** Whether nothing is to be written, and nothing is being written. */
  get isIdle(): boolean {
    return this.#flushing === undefined && this.#pending.length === 0
  }

  push(entry: Entry): void {
    if (this.#journal === undefined) return
    this.#pending.push(entry)
    this.#known++
  }

  /** Called once, when the run has come on record; what does not come there is called of nobody. */
  whenOnRecord(done: () => void): void {
    this.#whenOnRecord = done
  }

  /** To be written with the next append; the newest of each kind counts. */
  beside(more: Beside): void {
    if (this.#journal !== undefined) this.#beside = { ...this.#beside, ...more }
  }

  /** Writes nothing more: whoever tries to is told this. */
  suspend(error: EchelonError): void {
    this.#broken ??= error
  }

  /** This process does nothing more for the run. What the journal makes of that is no fault of the run. */
  leave(how: Leaving): void {
    if (!this.#holds) return
    this.#holds = false
    harmless(() => this.#unfollow?.())
    const leave = (): void => harmless(() => this.#journal?.leave?.(this.#runId, how))
    // What is being written must not come after somebody else has taken the run up.
    if (this.#flushing === undefined) leave()
    else this.#flushing.then(leave, leave)
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
      const appended =
        beside === undefined
          ? this.#journal?.append(this.#runId, batch)
          : this.#journal?.append(this.#runId, batch, beside)
      if (!(appended instanceof Promise)) return this.#written()
      this.#flushing = this.#settled(appended)
      return this.#flushing
    } catch (cause) {
      throw this.#break(cause)
    }
  }

  async #settled(appended: Promise<void>): Promise<void> {
    try {
      await appended
      this.#written()
    } catch (cause) {
      throw this.#break(cause)
    } finally {
      this.#flushing = undefined
    }
  }

  /** The first append takes the run: from then on others are heard. */
  #written(): void {
    if (this.#holds) return
    this.#holds = true
    this.#isOnRecord = true
    this.#whenOnRecord?.()
    this.#whenOnRecord = undefined
    const journal = this.#journal
    harmless(() => {
      this.#unfollow = journal?.follow?.(this.#runId, (entry) => {
        this.#known++
        this.#hear(entry)
      })
    })
  }

  #break(cause: unknown): EchelonError {
    // The store works, and says who else has the run, or its id: nothing is to be mended.
    if (cause instanceof EchelonError && REFUSED.has(cause.code)) return (this.#broken = cause)
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#broken = new EchelonError(
      'JOURNAL_FAILED',
      this.#isOnRecord
        ? `the run stopped because its journal could not be written (${reason}); what was written before is kept, mend the store and resume`
        : `the run did not begin because its journal could not be written (${reason}); nothing was done, mend the store and begin it again`,
      { cause },
    )
    return this.#broken
  }
}

const NEW: Beginning = { hear: () => undefined, read: 0 }

const REFUSED: ReadonlySet<ErrorCode> = new Set(['RUN_BUSY', 'SESSION_BUSY', 'INVALID_INPUT'])

function harmless(work: () => void): void {
  try {
    work()
  } catch {
    // The run is on record; a store that lets nobody follow or leave it makes it no worse.
  }
}
