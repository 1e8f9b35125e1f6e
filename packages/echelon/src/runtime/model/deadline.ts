import type { Clock } from '../../core/agent/ports.ts'

export { pause } from '../../core/value/abortable.ts'

/** Why an effect was aborted. */
export type Cause = 'canceled' | 'seconds' | 'timeout'

/** Can abort all effects of a run at once. */
export interface Canceler {
  readonly clock: Clock
  readonly isCanceled: boolean
  /** Milliseconds of the run's time that are left; infinite without a limit. */
  readonly msLeft: number
  /** The deadlines that a cancel reaches. */
  readonly deadlines: { add(deadline: Deadline): unknown; delete(deadline: Deadline): unknown }
}

/** The deadlines of a run. Most runs have one at a time, for which no set is allocated. */
export class Deadlines {
  #only: Deadline | undefined
  #others: Set<Deadline> | undefined

  add(deadline: Deadline): void {
    if (this.#only === undefined) {
      this.#only = deadline
      return
    }
    this.#others ??= new Set()
    this.#others.add(deadline)
  }

  delete(deadline: Deadline): void {
    if (this.#only === deadline) this.#only = undefined
    else this.#others?.delete(deadline)
  }

  abort(by: Cause): void {
    this.#only?.abort(by)
    for (const deadline of this.#others ?? []) deadline.abort(by)
  }
}

/** A pause is measured in this many ticks, so that a received part needs no new timer. */
const PAUSE_TICKS = 4

/**
 * Aborts one effect on cancel, at its own time limit, at the run's, or by a signal of its caller.
 * Timer and signal are created lazily: creating an abort signal alone takes longer than a step.
 */
export class Deadline {
  readonly #canceler: Canceler
  /** `undefined` for an effect without any time limit. */
  readonly #timeoutMs: number | undefined
  #cause: Cause | undefined
  /** The longest pause, set with the first received part if pauses are limited. */
  #pauseMs: number | undefined
  #longestPauseMs: number | undefined
  #hasHeard = false
  #silentTicks = 0
  /** Number of waits for a person in progress. */
  #untimed = 0
  #isOver = false
  #controller: AbortController | undefined
  #giveUp: ((reason: DOMException) => void) | undefined
  #forget: (() => void) | undefined
  #unfollow: (() => void) | undefined

  /**
   * @param timeoutMs the effect's own limit; `Infinity` for only the run's limit; `undefined` for no
   *   time limit at all, since the parts of the effect have their own
   * @param signal aborts the effect in place of a cancel
   */
  constructor(canceler: Canceler, timeoutMs: number | undefined, signal?: AbortSignal) {
    this.#canceler = canceler
    this.#timeoutMs = timeoutMs
    if (signal !== undefined) this.#follow(signal)
    else if (canceler.isCanceled) this.#cause = 'canceled'
    else canceler.deadlines.add(this)
  }

  /** The abort signal for the work. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#cause !== undefined) this.#controller.abort()
    return this.#controller.signal
  }

  /** Why the effect was aborted; `undefined` if it was not. */
  get cause(): Cause | undefined {
    return this.#cause
  }

  abort(by: Cause): void {
    if (this.#cause !== undefined) return
    this.#cause = by
    this.#controller?.abort()
    this.#giveUp?.(abortError())
  }

  /** From the first received part on, limits each pause instead of the whole effect. */
  limitPauses(longestMs: number): void {
    this.#longestPauseMs = longestMs
  }

  /** Whether a part was received, so that a timeout means a pause was too long. */
  get wasHeard(): boolean {
    return this.#pauseMs !== undefined
  }

  /** Called for each received part of the work; it usually only sets a flag, to be fast. */
  heard(): void {
    this.#hasHeard = true
    if (this.#pauseMs !== undefined || this.#longestPauseMs === undefined) return
    this.#pauseMs = this.#longestPauseMs
    this.#forget?.()
    this.#forget = undefined
    if (this.#cause === undefined) this.#arm()
  }

  /**
   * Returns the result of the work, or rejects when it is aborted, even if the work ignores the
   * signal. One work at a time.
   */
  race<Value>(work: PromiseLike<Value>): Promise<Value> {
    this.#arm()
    return new Promise((resolve, reject) => {
      if (this.#cause === undefined) this.#giveUp = reject
      else reject(abortError())
      work.then(resolve, reject)
    })
  }

  /** Stops all time limits while waiting for a person; only a cancel aborts such work. */
  async untimed<Value>(waiting: Promise<Value>): Promise<Value> {
    this.#untimed++
    this.#forget?.()
    this.#forget = undefined
    try {
      return await waiting
    } finally {
      this.#untimed--
      if (this.#untimed === 0 && this.#cause === undefined) this.#arm()
    }
  }

  /** Clears timers and listeners. Must be called when the effect is over. */
  release(): void {
    this.#isOver = true
    this.#forget?.()
    this.#unfollow?.()
    this.#giveUp = undefined
    this.#canceler.deadlines.delete(this)
  }

  #follow(signal: AbortSignal): void {
    const onAbort = (): void => this.abort('canceled')
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    this.#unfollow = () => signal.removeEventListener('abort', onAbort)
  }

  #arm(): void {
    const timeoutMs = this.#timeoutMs
    // A wait for a person may end after the effect is over.
    if (this.#isOver) return
    if (this.#forget !== undefined || timeoutMs === undefined || this.#untimed > 0) return
    const runMs = this.#canceler.msLeft
    const limitMs = this.#pauseMs === undefined ? timeoutMs : this.#pauseMs / PAUSE_TICKS
    const waitMs = Math.min(runMs, limitMs)
    if (waitMs === Infinity) return
    const isRuns = runMs <= limitMs
    const onTime = (): void => {
      if (isRuns) this.abort('seconds')
      else if (this.#pauseMs === undefined) this.abort('timeout')
      else this.#tick()
    }
    this.#forget = this.#canceler.clock.after(waitMs, onTime, 'limit')
  }

  #tick(): void {
    this.#forget = undefined
    this.#silentTicks = this.#hasHeard ? 0 : this.#silentTicks + 1
    this.#hasHeard = false
    if (this.#silentTicks === PAUSE_TICKS) this.abort('timeout')
    else this.#arm()
  }
}

const abortError = (): DOMException => new DOMException('given up', 'AbortError')
