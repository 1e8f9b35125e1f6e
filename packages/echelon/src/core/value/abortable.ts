import type { Clock } from '../agent/ports.ts'

/**
 * Resolves after so many milliseconds (never, if infinite; at once, if that is no number), or at once
 * when the signal aborts.
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
 * What work comes to within so many milliseconds; nothing when it takes longer, and then it is left
 * behind: what it comes to later, a rejection included, nobody hears.
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
