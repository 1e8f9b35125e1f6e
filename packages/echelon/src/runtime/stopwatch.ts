import type { Clock } from '../core/agent/ports.ts'

/**
 * Measures the time during which any activity is in progress. Activities may overlap; it stops
 * while none is in progress, for example while all wait for a person.
 */
export class Stopwatch {
  readonly #clock: Clock
  #active = 0
  #since = 0
  #endedAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param now the time if it was just read: reading the clock is slow compared to a step */
  begin(now?: number): void {
    this.#endedAt = undefined
    if (this.#active++ === 0) this.#since = now ?? this.#clock.now()
  }

  /** Ends an activity. @returns the milliseconds measured if it was the last one; else 0 */
  end(): number {
    if (--this.#active > 0) return 0
    this.#endedAt = this.#clock.now()
    return Math.max(0, this.#endedAt - this.#since)
  }

  /** When the last activity ended; `undefined` while there is one. */
  get endedAt(): number | undefined {
    return this.#endedAt
  }

  /** Whether no activity is in progress. */
  get isStill(): boolean {
    return this.#active === 0
  }

  /** Milliseconds that the current activities have taken so far. */
  get underWayMs(): number {
    return this.#active === 0 ? 0 : Math.max(0, this.#clock.now() - this.#since)
  }
}
