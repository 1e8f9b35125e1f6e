/**
 * Where time and the order of things come from in a run that is recorded or replayed. What comes
 * from outside (an answer, an outcome, a timer, a reply) is delivered one at a time, each when all
 * that the one before set off is done; time stands still in between. So a run depends on nothing
 * but what came in, in which order and when, and the record of that is enough to have it again.
 */
export interface Timeline {
  /** Milliseconds since the epoch, as of what came in last. */
  now(): number
  /** A name that no other call of this timeline gets: the name with its number. */
  numbered(name: string): string
  /** The work's end, delivered in its turn under a key that must be unique. */
  settle<Value>(key: string, work: Promise<Value>): Promise<Value>
  /** Calls back once after so many milliseconds; the returned function forgets it. */
  after(ms: number, callback: () => void): () => void
}

/** Numbers names: the same name gets 1, 2, 3, so that a key does not depend on what others do. */
export class Numbered {
  readonly #counts = new Map<string, number>()

  next(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return `${name}#${count}`
  }
}
