import type { RunEvent } from 'echelon/runtime'

/**
 * Collects the events of a run that has no handle yet. A run that is started behind a promise would
 * otherwise lose the first ones. For one reader.
 */
export class HeardEvents implements AsyncIterator<RunEvent, void, undefined> {
  readonly #events: RunEvent[] = []
  #read = 0
  #isOver = false
  #wake: (() => void) | undefined

  readonly hear = (event: RunEvent): void => {
    this.#events.push(event)
    this.#wake?.()
  }

  /** Ends the events when the run is over, however it ends. */
  endWith(outcome: Promise<unknown>): void {
    const end = (): void => {
      this.#isOver = true
      this.#wake?.()
    }
    outcome.then(end, end)
  }

  async next(): Promise<IteratorResult<RunEvent, void>> {
    for (;;) {
      const event = this.#events[this.#read]
      if (event !== undefined) {
        this.#read++
        return { done: false, value: event }
      }
      this.#events.length = this.#read = 0
      if (this.#isOver) return { done: true, value: undefined }
      await this.#more()
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
