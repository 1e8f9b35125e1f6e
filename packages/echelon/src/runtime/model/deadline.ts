import type { Clock } from '../../core/agent/ports.ts'

export { pause } from '../../core/value/abortable.ts'

/** Why an effect was given up. */
export type Cause = 'canceled' | 'seconds' | 'timeout'

/** What can give up all effects of a run at once. */
export interface Canceler {
  readonly clock: Clock
  readonly isCanceled: boolean
  /** Milliseconds of the run's time that are left; infinite without a limit. */
  readonly msLeft: number
  /** The deadlines that a cancel reaches. */
  readonly deadlines: { add(deadline: Deadline): unknown; delete(deadline: Deadline): unknown }
}

/** Deadlines of a run. Most runs have one at a time, for which a set is much. */
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

/** A pause is measured in so many parts: hearing something then costs no timer. */
const PAUSE_TICKS = 4

/**
 * Watches over one effect: it is given up on cancel, at its own time limit, at the run's, or by a
 * signal of its caller's. Neither timer nor signal exists before somebody waits or asks for it:
 * making an abort signal alone takes longer than a whole step.
 */
export class Deadline {
  readonly #canceler: Canceler
  /** Nothing for an effect that no time limit ends. */
  readonly #timeoutMs: number | undefined
  #cause: Cause | undefined
  /** The longest pause, once something was heard; nothing before, or where pauses are not limited. */
  #pauseMs: number | undefined
  #longestPauseMs: number | undefined
  #hasHeard = false
  #silentTicks = 0
  /** How many wait for a person just now. */
  #untimed = 0
  #isOver = false
  #controller: AbortController | undefined
  #giveUp: ((reason: DOMException) => void) | undefined
  #forget: (() => void) | undefined
  #unfollow: (() => void) | undefined

  /**
   * @param timeoutMs the effect's own limit, infinite for none but the run's; `undefined` for an
   *   effect that no time limit ends, since what it is made of has limits of its own
   * @param signal gives the effect up in the place of a cancel
   */
  constructor(canceler: Canceler, timeoutMs: number | undefined, signal?: AbortSignal) {
    this.#canceler = canceler
    this.#timeoutMs = timeoutMs
    if (signal !== undefined) this.#follow(signal)
    else if (canceler.isCanceled) this.#cause = 'canceled'
    else canceler.deadlines.add(this)
  }

  /** For whoever does the work. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#cause !== undefined) this.#controller.abort()
    return this.#controller.signal
  }

  /** What gave the effect up; nothing while it was not. */
  get cause(): Cause | undefined {
    return this.#cause
  }

  abort(by: Cause): void {
    if (this.#cause !== undefined) return
    this.#cause = by
    this.#controller?.abort()
    this.#giveUp?.(givenUp())
  }

  /** From the first thing that is heard on, the longest pause takes the place of the effect's limit. */
  limitPauses(longestMs: number): void {
    this.#longestPauseMs = longestMs
  }

  /** Whether it was heard of, so that a pause was what took too long. */
  get wasHeard(): boolean {
    return this.#pauseMs !== undefined
  }

  /** The work is alive: a part of it came. Called for each part, so that it only leaves a mark. */
  heard(): void {
    this.#hasHeard = true
    if (this.#pauseMs !== undefined || this.#longestPauseMs === undefined) return
    this.#pauseMs = this.#longestPauseMs
    this.#forget?.()
    this.#forget = undefined
    if (this.#cause === undefined) this.#arm()
  }

  /**
   * The work, or a rejection as soon as it is given up: whoever ignores the signal is left behind,
   * so that a limit holds against code that does not cooperate. One work at a time.
   */
  race<Value>(work: PromiseLike<Value>): Promise<Value> {
    this.#arm()
    return new Promise((resolve, reject) => {
      if (this.#cause === undefined) this.#giveUp = reject
      else reject(givenUp())
      work.then(resolve, reject)
    })
  }

  /** While a person is waited for no time of the run passes: only a cancel gives up such work. */
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

  /** Must be called when the effect is over: no timer stays. */
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
    // Whoever waited for a person may come to hear of it when all is over.
    if (this.#isOver) return
    if (this.#forget !== undefined || timeoutMs === undefined || this.#untimed > 0) return
    const runMs = this.#canceler.msLeft
    const ownMs = this.#pauseMs === undefined ? timeoutMs : this.#pauseMs / PAUSE_TICKS
    const waitMs = Math.min(runMs, ownMs)
    if (waitMs === Infinity) return
    const isRuns = runMs <= ownMs
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

const givenUp = (): DOMException => new DOMException('given up', 'AbortError')
