import type { Clock } from '../core/ports.ts'

/** What a timer of the machine can hold, about 24 days. */
const LONGEST = 2 ** 31 - 1

/** The machine's clock. A wait longer than a timer can hold is made of several. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    // Also what is no number, which must not be waited for without end.
    if (!(ms > LONGEST)) {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    }
    let forget = systemClock.after(LONGEST, () => {
      forget = systemClock.after(ms - LONGEST, callback)
    })
    return () => forget()
  },
}

/** The machine's time zone, as an IANA name. */
export const systemTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
