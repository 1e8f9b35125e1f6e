import type { Clock, Json, MemoryStore } from 'echelon/runtime'
import { HttpProblem } from '../http/problem.ts'

export interface SharedRecordsOptions {
  readonly memories: MemoryStore
  readonly clock: Clock
}

/** A new value for a record, and what the caller gets. */
export interface RecordChange<Result> {
  readonly value: Json
  readonly result: Result
}

/** Tries against other processes before a request is turned away. */
const MOST_TRIES = 60
const MOST_PAUSE_MS = 25

/**
 * JSON records in the store that several processes change at the same time: each change is made on the
 * newest value, and none is lost.
 */
export class SharedRecords {
  readonly #memories: MemoryStore
  readonly #clock: Clock
  /** The last change of each record in this process; the next one waits for it. */
  readonly #last = new Map<string, Promise<unknown>>()

  constructor({ memories, clock }: SharedRecordsOptions) {
    this.#memories = memories
    this.#clock = clock
  }

  async read(name: string): Promise<Json> {
    return (await this.#memories.read(name, null)).value
  }

  /**
   * @param key names this change; the store keeps it
   * @param change called again with the newer value when another process was first
   */
  change<Result>(
    name: string,
    key: string,
    change: (value: Json) => RecordChange<Result>,
  ): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const mine = before.then(() => this.#try(name, key, change))
    const over = mine
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(name) === over) this.#last.delete(name)
      })
    this.#last.set(name, over)
    return mine
  }

  async #try<Result>(
    name: string,
    key: string,
    change: (value: Json) => RecordChange<Result>,
  ): Promise<Result> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { value: old, version } = await this.#memories.read(name, null)
      const { value, result } = change(old)
      const written = await this.#memories.write(name, value, {
        key: `${key}/${version}`,
        ifVersion: version,
      })
      if (written !== 'conflict') return result
      await new Promise<void>((resolve) =>
        this.#clock.after(Math.min(tries, MOST_PAUSE_MS), resolve),
      )
    }
    throw new HttpProblem(503, 'store_busy', 'the store is busy; try again soon', { retryAfter: 1 })
  }
}
