import { EchelonError, type ErrorCode } from '../../core/value/error.ts'
import type { Beside, Entry, FromOutside, Journal, Leaving } from '../../core/journal/journal.ts'

/** The initial state of a writer. */
export interface Beginning {
  /** Called with entries that others record for the run. */
  readonly hear: (entry: FromOutside) => void
  /** Number of entries that are recorded already. */
  readonly read: number
}

/**
 * Collects entries and writes them in one append before each external effect. A failed append stops
 * the run, since the next call would otherwise run without a recorded intent. This process owns the
 * run from the first append until `leave`.
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
  /** A run that was never recorded cannot be resumed. */
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

  /** Number of entries of the run that are known here. */
  get known(): number {
    return this.#known
  }

  /** Whether no write is pending or in flight. */
  get isIdle(): boolean {
    return this.#flushing === undefined && this.#pending.length === 0
  }

  push(entry: Entry): void {
    if (this.#journal === undefined) return
    this.#pending.push(entry)
    this.#known++
  }

  /** Registers a callback for the first successful append of the run. */
  whenOnRecord(done: () => void): void {
    this.#whenOnRecord = done
  }

  /** Adds data to the next append; the newest of each kind counts. */
  beside(more: Beside): void {
    if (this.#journal !== undefined) this.#beside = { ...this.#beside, ...more }
  }

  /** Stops writing: later flushes throw this error. */
  suspend(error: EchelonError): void {
    this.#broken ??= error
  }

  /** Releases the run, with which this process is done. Errors of the journal are ignored. */
  leave(how: Leaving): void {
    if (!this.#holds) return
    this.#holds = false
    harmless(() => this.#unfollow?.())
    const leave = (): void => harmless(() => this.#journal?.leave?.(this.#runId, how))
    // A write in flight must finish before another process can take the run.
    if (this.#flushing === undefined) leave()
    else this.#flushing.then(leave, leave)
  }

  /**
   * Makes all entries durable by the time it returns or its promise resolves. Concurrent flushes
   * share one append and its result; after a failure, all later flushes fail too.
   * @throws EchelonError JOURNAL_FAILED
   */
  flush(): void | Promise<void> {
    if (this.#broken !== undefined) throw this.#broken
    if (this.#flushing !== undefined) return this.#after(this.#flushing)
    if (this.#pending.length > 0) return this.#write()
  }

  /** Flushes during an append share the next one, if there is anything to write. */
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

  /** Called after an append. The first one takes the run and starts following others' entries. */
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
    // The store works and reports that another process has the run or its id.
    if (cause instanceof EchelonError && REFUSED.has(cause.code)) return (this.#broken = cause)
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#broken = new EchelonError(
      'JOURNAL_FAILED',
      this.#isOnRecord
        ? `the run stopped because its journal could not be written (${reason}); what was written before is kept, fix the store and resume`
        : `the run did not begin because its journal could not be written (${reason}); nothing was done, fix the store and begin it again`,
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
    // The run is recorded; a failure to follow or leave it does no harm.
  }
}
