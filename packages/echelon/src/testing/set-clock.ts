import type { Clock } from '../core/agent/ports.ts'

/**
 * A clock controlled by the test: time stands still until `advance`. As a run's `clock`, it makes
 * waits, time limits and retries take no real time: `await clock.runUntil(agent.run('hi').result)`.
 */
export class SetClock implements Clock {
  #now: number
  #timers: { readonly due: number; readonly callback: () => void }[] = []
  /** Wakes the code that waits for a timer to be set. */
  #added: (() => void) | undefined

  /** @param start milliseconds since the epoch; default 2025-09-08T00:00:00Z */
  constructor(start: number = Date.UTC(2025, 8, 8)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  after(ms: number, callback: () => void): () => void {
    // NaN is due at once, as with the system clock.
    const timer = { due: this.#now + (ms > 0 ? ms : 0), callback }
    this.#timers.push(timer)
    this.#added?.()
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  /** The number of timers that are set and not yet due: 0 if all were released. */
  get pending(): number {
    return this.#timers.length
  }

  /**
   * Lets this many milliseconds pass. Due timers are called in order, each at its own time.
   * @throws Error after 100,000 timers, which indicates an endless retry loop
   */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    for (let called = 0; ; called++) {
      if (called === MOST_TIMERS) throw endless()
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
  /**
   * Advances from one timer to the next until a promise settles, and returns its value: a run that
   * sleeps for a day, or waits before a retry, ends at once. While no timer is set it waits in real
   * time, for work such as file reads or requests to a local server; if such work races a timer,
   * the timer wins.
   * @param mostMs the maximum time to advance; default a day more than a year
   * @throws Error when the promise has not settled by then, or after 100,000 timers
   */
  async runUntil<Value>(promise: Promise<Value>, mostMs: number = 366 * DAY): Promise<Value> {
    const until = this.#now + mostMs
    let settled = false
    const note = (): void => void (settled = true)
    const end = promise.then(note, note)
    for (let turned = 0; ; turned++) {
      await letSettle()
      if (settled) return promise
      if (turned === MOST_TIMERS) throw endless()
      const due = this.#timers.reduce((least, timer) => Math.min(least, timer.due), Infinity)
      if (due > until && due < Infinity) {
        await this.advance(until - this.#now)
        throw new Error(`the promise has not settled after ${mostMs} ms of the clock`)
      }
      if (due < Infinity) await this.advance(Math.max(0, due - this.#now))
      else await Promise.race([end, new Promise<void>((resolve) => (this.#added = resolve))])
    }
  }
}

const DAY = 86_400_000

/** More than a run that renews a lease every second for a day. */
const MOST_TIMERS = 100_000

const endless = (): Error =>
  new Error(`the clock has called ${MOST_TIMERS} timers, and something still sets another one`)

/** One step may need several event loop turns before it waits for time again. */
async function letSettle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
