/** Sets a timer now; the returned function clears it. */
export type SetTimer = (ms: number, callback: () => void) => () => void

/**
 * Timers keep the async context in which they are set; these serve many callers. Not imported: the
 * package's main entry imports no Node module.
 */
const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks')
const withoutContext = AsyncLocalStorage.snapshot()

/**
 * A wait of a minute or more is counted from the end of the turn in which it started, since reading
 * the clock would cost more than everything else here.
 */
const LONG_MS = 60_000

/** A wait. It gets a timer after the current event loop turn. */
interface Pending {
  readonly ms: number
  readonly callback: () => void
  /** The start on the monotonic clock; `undefined` for a long wait. */
  readonly since: number | undefined
  previous: Pending | undefined
  next: Pending | undefined
  isPending: boolean
  clear: (() => void) | undefined
}

/**
 * Timers for time limits, which are nearly always cleared before they fire. A real timer is set
 * only for a wait that outlasts the current event loop turn: setting and clearing one takes half a
 * microsecond, and none could fire within the turn. Callbacks run without an async context.
 */
export class LimitTimers {
  readonly #setTimer: SetTimer
  #first: Pending | undefined
  #last: Pending | undefined
  /**
   * The `setImmediate` that will set the timers. Not a flag: a test may replace `setImmediate` with
   * a fake that never calls back, and then the real one must be called again.
   */
  #askedOf: typeof setImmediate | undefined

  constructor(setTimer: SetTimer) {
    this.#setTimer = setTimer
  }

  set(ms: number, callback: () => void): () => void {
    const previous = this.#last
    const pending: Pending = {
      ms,
      callback,
      since: ms < LONG_MS ? performance.now() : undefined,
      previous,
      next: undefined,
      isPending: true,
      clear: undefined,
    }
    if (previous === undefined) this.#first = pending
    else previous.next = pending
    this.#last = pending
    if (this.#askedOf !== setImmediate) this.#ask()
    return () => this.#forget(pending)
  }

  #ask(): void {
    const asked = setImmediate
    this.#askedOf = asked
    withoutContext(asked, () => this.#setAll())
  }

  #setAll(): void {
    this.#askedOf = undefined
    const now = performance.now()
    let pending = this.#first
    this.#first = undefined
    this.#last = undefined
    while (pending !== undefined) {
      const { ms, callback, since = now, next } = pending
      leaveList(pending)
      pending.clear = this.#setTimer(Math.max(0, ms - (now - since)), callback)
      pending = next
    }
  }

  #forget(pending: Pending): void {
    if (!pending.isPending) return pending.clear?.()
    const { previous, next } = pending
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    leaveList(pending)
  }
}

/** Unlinks the neighbors, so that a reference to one wait does not keep the others alive. */
function leaveList(pending: Pending): void {
  pending.isPending = false
  pending.previous = undefined
  pending.next = undefined
}
