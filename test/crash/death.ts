import type {
  Beside,
  Entry,
  FromOutside,
  Journal,
  Leaving,
} from '../../packages/echelon/src/core/journal/journal.ts'
import type { Snapshot } from '../../packages/echelon/src/core/journal/snapshot.ts'

/** The point at which a process dies, counted from its start, from 0 on. */
export type Kill =
  /** At an append: before it, or when it is durable and not yet acknowledged. */
  | { readonly at: 'append'; readonly nth: number; readonly isWritten: boolean }
  /** Right after a tool acted, before it could report it; or right before it acts. */
  | { readonly at: 'action'; readonly nth: number; readonly isDone?: boolean }

/** Without any cleanup, as in a power failure. */
function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment, during which nothing more may happen.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
}

/** Counts the points at which a process may die, and kills it at one of them. */
export class Death {
  appends = 0
  actions = 0
  readonly #kill: Kill | undefined

  constructor(kill: Kill | undefined) {
    this.#kill = kill
  }

  /**
   * Called around a tool's action.
   * @param isDone whether it has happened
   */
  acting(isDone: boolean): void {
    const kill = this.#kill
    if (kill?.at === 'action' && kill.nth === this.actions && (kill.isDone ?? true) === isDone)
      die()
    if (isDone) this.actions++
  }

  /** @param isWritten whether it is durable */
  appending(isWritten: boolean): void {
    const kill = this.#kill
    if (kill?.at === 'append' && kill.nth === this.appends && kill.isWritten === isWritten) die()
    if (isWritten) this.appends++
  }
}

/** A journal whose process dies at one of its appends; everything else is the journal's own. */
export class DyingJournal implements Journal {
  readonly #journal: Journal
  readonly #death: Death

  constructor(journal: Journal, death: Death) {
    this.#journal = journal
    this.#death = death
  }

  async append(runId: string, entries: readonly Entry[], beside?: Beside): Promise<void> {
    this.#death.appending(false)
    await this.#journal.append(runId, entries, beside)
    this.#death.appending(true)
  }

  read(runId: string): readonly Entry[] | Promise<readonly Entry[]> {
    return this.#journal.read(runId)
  }

  snapshot(runId: string): Snapshot | undefined | Promise<Snapshot | undefined> {
    return this.#journal.snapshot?.(runId)
  }

  follow(runId: string, hear: (entry: FromOutside) => void): () => void {
    return this.#journal.follow?.(runId, hear) ?? nothing
  }

  leave(runId: string, how: Leaving): void {
    this.#journal.leave?.(runId, how)
  }
}

const nothing = (): undefined => undefined
