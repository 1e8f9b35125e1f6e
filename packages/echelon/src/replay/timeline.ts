/**
 * The source of time and order in a recorded or replayed run. Arrivals from outside (an answer, a
 * tool's outcome, a timer, a reply) are delivered one at a time, each after everything that the
 * previous one triggered is done; time stands still in between. A run thus depends only on its
 * arrivals, their order and their times, and recording these is enough to repeat it.
 */
export interface Timeline {
  /** Milliseconds since the epoch, as of the last arrival. */
  now(): number
  /** Makes a name unique within this timeline by adding a number. */
  numbered(name: string): string
  /** Delivers the end of the work in its turn, under a unique key. */
  settle<Value>(key: string, work: Promise<Value>): Promise<Value>
  /** Calls back once after this many milliseconds; the returned function cancels the timer. */
  after(ms: number, callback: () => void): () => void
}

/** Numbers equal names 1, 2, 3, so that a key does not depend on other calls. */
export class Numbered {
  readonly #counts = new Map<string, number>()

  next(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return `${name}#${count}`
  }
}
