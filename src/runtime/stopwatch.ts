import type { Clock } from '../core/ports.ts'

/**
 * Measures the time in which anything works. Activities may overlap; while none is under way, as
 * when all of them wait for a person, no time passes.
 */
export class Stopwatch {
  readonly #clock: Clock
  #active = 0
  #since = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(): void {
    if (this.#active++ === 0) this.#since = this.#clock.now()
  }

  /** The milliseconds that passed, when the last activity ends; until then 0. */
  end(): number {
    return --this.#active === 0 ? Math.max(0, this.#clock.now() - this.#since) : 0
  }

  /** What `end` would say now. */
  get underWayMs(): number {
    return this.#active === 0 ? 0 : Math.max(0, this.#clock.now() - this.#since)
  }
}
