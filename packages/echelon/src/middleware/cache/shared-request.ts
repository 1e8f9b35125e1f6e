import { pause, within } from '../../core/value/abortable.ts'
import type { Clock } from '../../core/agent/ports.ts'

/** Maximum time that a caller waits for a request. */
export interface Patience {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds; may be infinite. */
  readonly ms: number
}

/** A request that several callers wait for. It is aborted when the last of them leaves. */
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
    // Waiting callers receive a rejection; without any it is ignored.
    this.#work.then(settle, settle)
  }

  /** Whether it was aborted, so that no more callers can join. */
  get isOver(): boolean {
    return this.#controller.signal.aborted
  }

  /** Its result, or `left` when the caller's patience ends first. Rejects like the work. */
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

  /** Aborted work gets one tick of the clock to record its spending. */
  async #end(clock: Clock): Promise<void> {
    this.#controller.abort()
    await within(clock, 0, this.#work).catch(() => undefined)
  }
}
