import type { Clock } from '../core/agent/ports.ts'
import { LimitTimers } from './limit-timers.ts'

/** What a timer of the machine can hold, about 24 days. */
const LONGEST = 2 ** 31 - 1

/** The machine's clock. A wait longer than a timer can hold is made of several. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback, kind) =>
    kind === 'limit' ? limits.set(ms, callback) : setTimer(ms, callback),
}

function setTimer(ms: number, callback: () => void): () => void {
  // Also what is no number, which must not be waited for without end.
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

/** The machine's time zone, as an IANA name. */
export const systemTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
