import { pause, within } from '../../core/value/abortable.ts'
import type { Clock } from '../../core/agent/ports.ts'

/** Until when somebody waits for a request. */
export interface Patience {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds; may be infinite. */
  readonly ms: number
}

/** One request that several wait for. It is given up when the last of them leaves. */
export class SharedRequest<Value> {
  readonly #controller = new AbortController()
  readonly #work: Promise<Value>
  #waiting = 0
  #isDone = false

  constructor(start: (signal: AbortSignal) => Promise<Value>) {
    this.#work = start(this.#controller.signal)
    const settle = (): void => {
      this.#isDone = true
    }
    // Whoever waits hears of a rejection; when nobody does any more it is no matter.
    this.#work.then(settle, settle)
  }

  /** Whether it was given up: nobody may join it. */
  get isOver(): boolean {
    return this.#controller.signal.aborted
  }

  /** What it comes to, or `left` when patience ends first. Rejects as the work does. */
  async wait({ clock, signal, ms }: Patience): Promise<Value | 'left'> {
    this.#waiting++
    const done = new AbortController()
    const leaving = pause(clock, ms, AbortSignal.any([signal, done.signal]))
    try {
      return await Promise.race([this.#work, leaving.then(() => 'left' as const)])
    } finally {
      done.abort()
      this.#waiting--
      if (this.#waiting === 0 && !this.#isDone) await this.#end(clock)
    }
  }

  /** Work that is given up has a turn of the clock to put on record what it spent. */
  async #end(clock: Clock): Promise<void> {
    this.#controller.abort()
    await within(clock, 0, this.#work).catch(() => undefined)
  }
}
