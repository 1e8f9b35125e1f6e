import type { JsonObject } from '../../core/value/json.ts'
import { PartialJson } from '../../core/model/partial-json.ts'

/**
 * The growth of an answer between two partial objects: by a 32nd. Parsing all of them then takes linear
 * time, while a short answer is shown with every piece.
 */
const GROWTH = 1 / 32

/** Creates partial objects from a JSON answer while it streams. */
export class PartialOutput {
  readonly #reader = new PartialJson()
  readonly #show: (partial: JsonObject) => void
  #shownAt = 0
  #isShown = false

  constructor(show: (partial: JsonObject) => void) {
    this.#show = show
  }

  /** Reads the next piece; emits the object when it has grown enough, and when it is complete. */
  hear(delta: string): void {
    const reader = this.#reader
    reader.hear(delta)
    const { length, isComplete } = reader
    if (length === 0 || this.#isShown) return
    if (!isComplete && length - this.#shownAt < length * GROWTH) return
    this.#shownAt = length
    this.#isShown = isComplete
    const partial = reader.value()
    if (partial !== undefined) this.#show(partial)
  }
}
