import type { Clock } from '../../../core/agent/ports.ts'

/** Start time of a deterministic case. */
const FIRST_MOMENT = Date.UTC(2025, 0, 1)

/** A clock that advances one millisecond per reading. Timers still use the real clock. */
export function countingClock(real: Clock): Clock {
  let readings = 0
  return { now: () => FIRST_MOMENT + readings++, after: (...given) => real.after(...given) }
}
