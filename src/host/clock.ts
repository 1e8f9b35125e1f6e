import type { Clock } from '../core/ports.ts'

/** What a timer of the machine can hold, about 24 days. */
const LONGEST = 2 ** 31 - 1

/** The machine's clock. A timer that waits alone does not keep the process alive for ever. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST))
    return () => clearTimeout(timer)
  },
}

/** The machine's time zone, as an IANA name. */
export const systemTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
