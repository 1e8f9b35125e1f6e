import type { RunEvent } from 'echelon/runtime'
import { ModelTally } from './model-tally.ts'

/** Events that are summed up while they are read. */
export class TalliedEvents implements AsyncIterator<RunEvent, void, undefined> {
  readonly tally: ModelTally = new ModelTally()
  readonly #events: AsyncIterator<RunEvent, void>
  readonly #isOver = Promise.withResolvers<void>()
  #isRead = false

  constructor(events: AsyncIterator<RunEvent, void>) {
    this.#events = events
  }

  /** Resolves when all are read; at once if they are not read. */
  get read(): Promise<void> {
    return this.#isRead ? this.#isOver.promise : Promise.resolve()
  }

  async next(): Promise<IteratorResult<RunEvent, void>> {
    this.#isRead = true
    try {
      const next = await this.#events.next()
      if (next.done === true) this.#isOver.resolve()
      else this.tally.hear(next.value)
      return next
    } catch (error) {
      this.#isOver.resolve()
      throw error
    }
  }

  async return(): Promise<IteratorResult<RunEvent, void>> {
    this.#isOver.resolve()
    await this.#events.return?.()
    return { done: true, value: undefined }
  }
}
