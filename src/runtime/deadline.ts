import type { Clock } from '../core/ports.ts'

/** Why an effect was given up. */
export type Cause = 'canceled' | 'seconds' | 'timeout'

/** Watches over one effect: its signal aborts on cancel, at its own time limit, or at the run's. */
export interface Deadline {
  readonly signal: AbortSignal
  /** What aborted the signal; nothing while it has not. */
  cause(): Cause | undefined
  /** Must be called when the effect is over: no timer or listener stays. */
  release(): void
}

export interface DeadlineOptions {
  readonly clock: Clock
  readonly cancel: AbortSignal
  /** What is left of the run's `seconds`, in milliseconds; infinite without a limit. */
  readonly runMs: number
  /** The effect's own limit, in milliseconds. */
  readonly timeoutMs?: number | undefined
}

export function startDeadline({ clock, cancel, runMs, timeoutMs }: DeadlineOptions): Deadline {
  const controller = new AbortController()
  let cause: Cause | undefined
  const abort = (by: Cause): void => {
    cause ??= by
    controller.abort()
  }
  const onCancel = (): void => abort('canceled')
  if (cancel.aborted) onCancel()
  else cancel.addEventListener('abort', onCancel, { once: true })
  const ownMs = timeoutMs ?? Infinity
  const waitMs = Math.min(runMs, ownMs)
  const forget = Number.isFinite(waitMs)
    ? clock.after(waitMs, () => abort(runMs <= ownMs ? 'seconds' : 'timeout'))
    : undefined
  return {
    signal: controller.signal,
    cause: () => cause,
    release() {
      forget?.()
      cancel.removeEventListener('abort', onCancel)
    },
  }
}

/** Resolves after so many milliseconds (never, if infinite), or at once when the signal aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const forget = Number.isFinite(ms) ? clock.after(ms, done) : undefined
    function done(): void {
      forget?.()
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
  })
}

/**
 * The promise, or a rejection as soon as the signal aborts: whoever ignores the signal is left
 * behind, so that a limit holds against code that does not cooperate.
 */
export function orAborted<Value>(
  promised: PromiseLike<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const work = Promise.resolve(promised)
  if (signal.aborted) {
    work.catch(() => undefined)
    return Promise.reject(new DOMException('given up', 'AbortError'))
  }
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const onAbort = (): void => reject(new DOMException('given up', 'AbortError'))
  signal.addEventListener('abort', onAbort, { once: true })
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  return promise
}
