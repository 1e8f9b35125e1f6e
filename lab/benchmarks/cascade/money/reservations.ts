import type { Amounts } from '../../../../packages/echelon/src/core/agent/budget.ts'
import type { Entry, Journal } from '../../../../packages/echelon/src/core/journal/journal.ts'

/**
 * A journal that keeps only the reservations. An attempt's reservation is recorded immediately before the request
 * goes out, so the newest one belongs to the request that a model sees.
 */
export class Reservations implements Journal {
  readonly digests = false
  #newest: Amounts | undefined

  append(_runId: string, entries: readonly Entry[]): void {
    for (const entry of entries) if (entry.type === 'opened') this.#newest = entry.hold
  }

  read(): readonly Entry[] {
    return []
  }

  /** The reservation of the request that was just sent; undefined if nothing was reserved for it. */
  take(): Amounts | undefined {
    const newest = this.#newest
    this.#newest = undefined
    return newest
  }
}
