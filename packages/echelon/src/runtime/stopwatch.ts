import type { Clock } from '../core/agent/ports.ts'

/**
 * Measures the time in which anything works. Activities may overlap; while none is under way, as
 * when all of them wait for a person, no time passes.
 */
export class Stopwatch {
  readonly #clock: Clock
  #active = 0
  #since = 0
  #endedAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param now where the clock has just been read: reading it takes longer than most of a step */
  begin(now?: number): void {
    this.#endedAt = undefined
    if (this.#active++ === 0) this.#since = now ?? this.#clock.now()
  }

  /** The milliseconds that passed, when the last activity ends; until then 0. */
  end(): number {
    if (--this.#active > 0) return 0
    this.#endedAt = this.#clock.now()
    return Math.max(0, this.#endedAt - this.#since)
  }

  /** When the last activity ended; nothing while one is under way. */
  get endedAt(): number | undefined {
    return this.#endedAt
  }

  /** Whether nothing works. */
  get isStill(): boolean {
    return this.#active === 0
  }

  /** What `end` would say now. */
  get underWayMs(): number {
    return this.#active === 0 ? 0 : Math.max(0, this.#clock.now() - this.#since)
  }
}
