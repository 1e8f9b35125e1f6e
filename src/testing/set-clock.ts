import type { Clock } from '../core/ports.ts'

/** A clock that a test turns by hand: time stands still until `advance`. */
export class SetClock implements Clock {
  #now: number
  #timers: { readonly due: number; readonly callback: () => void }[] = []

  /** @param start milliseconds since the epoch; default 2025-09-08T00:00:00Z */
  constructor(start: number = Date.UTC(2025, 8, 8)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { due: this.#now + ms, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  /** Timers that are set and not yet due: 0 when everything was released. */
  get pending(): number {
    return this.#timers.length
  }

  /** Lets so many milliseconds pass; what falls due is called in order, at its own time. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    for (;;) {
      const next = this.#timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0]
      if (next === undefined) break
      this.#timers = this.#timers.filter((one) => one !== next)
      this.#now = Math.max(this.#now, next.due)
      next.callback()
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#now = until
    await new Promise((resolve) => setImmediate(resolve))
  }
}
