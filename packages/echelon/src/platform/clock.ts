import type { Clock } from '../core/agent/ports.ts'
import { LimitTimers } from './limit-timers.ts'

/** The longest delay of a system timer, about 24 days. */
const LONGEST = 2 ** 31 - 1

/** The system clock. Splits a wait that is longer than a timer allows. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback, kind) =>
    kind === 'limit' ? limits.set(ms, callback) : setTimer(ms, callback),
}

function setTimer(ms: number, callback: () => void): () => void {
  // Includes NaN, which must not wait forever.
  if (!(ms > LONGEST)) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  }
  let forget = setTimer(LONGEST, () => {
    forget = setTimer(ms - LONGEST, callback)
  })
  return () => forget()
}

const limits = new LimitTimers(setTimer)

/** The system's time zone, as an IANA name. */
export const systemTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
