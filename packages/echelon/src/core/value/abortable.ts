import type { Clock } from '../agent/ports.ts'

/**
 * Resolves after so many milliseconds (never if infinite, at once for NaN), or when the signal aborts.
 */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const forget = ms === Infinity ? undefined : clock.after(Number.isNaN(ms) ? 0 : ms, done)
    function done(): void {
      forget?.()
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
  })
}

/**
 * Returns the result of work that finishes within so many milliseconds, or undefined. The result or
 * rejection of late work is ignored.
 */
export function within<Value>(
  clock: Clock,
  ms: number,
  work: Promise<Value>,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const forget = clock.after(ms, () => resolve(undefined))
    work.then(resolve, reject).finally(() => forget())
  })
}
