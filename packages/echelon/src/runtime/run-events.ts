import type { RunEvent } from '../core/agent/event.ts'
import type { Audience } from './audience.ts'

type Next = IteratorResult<RunEvent, void>

/**
 * An iterator over the events of a run for one reader. Not a generator, which creates several
 * promises for each event, and a stream of text has thousands.
 */
export class RunEvents implements AsyncIterator<RunEvent, void, undefined> {
  readonly #stopListening: () => void
  #queue: RunEvent[] = []
  #read = 0
  #waiting: Promise<Next> | undefined
  #wake: ((next: Next | Promise<Next>) => void) | undefined
  #ended: Promise<Next> | undefined

  /** @param result ends the events; if it rejects, the last `next` throws its error */
  constructor(audience: Audience, result: Promise<unknown>) {
    this.#stopListening = audience.listen((event) => this.#hear(event))
    const over = result.then((): Next => DONE)
    over.catch(() => undefined)
    const end = (): void => {
      this.#ended = over
      this.#stopListening()
      this.#wake?.(over)
      this.#waiting = this.#wake = undefined
    }
    result.then(end, end)
  }

  next(): Promise<Next> {
    const event = this.#queue[this.#read]
    if (event !== undefined) {
      this.#read++
      return Promise.resolve({ done: false, value: event })
    }
    if (this.#read > 0) {
      this.#queue = []
      this.#read = 0
    }
    if (this.#ended !== undefined) return this.#ended
    this.#waiting ??= new Promise((resolve) => {
      this.#wake = resolve
    })
    return this.#waiting
  }

  return(): Promise<Next> {
    this.#stopListening()
    this.#queue = []
    this.#read = 0
    this.#ended = Promise.resolve(DONE)
    return this.#ended
  }

  #hear(event: RunEvent): void {
    const wake = this.#wake
    if (wake === undefined) {
      this.#queue.push(event)
      return
    }
    this.#waiting = this.#wake = undefined
    wake({ done: false, value: event })
  }
}

const DONE: Next = { done: true, value: undefined }
