import type { Clock } from '../../../core/agent/ports.ts'

/** Where time starts in a deterministic case. */
const FIRST_MOMENT = Date.UTC(2025, 0, 1)

/** Time that passes a millisecond at each reading; timers still belong to the real clock. */
export function countingClock(real: Clock): Clock {
  let readings = 0
  return { now: () => FIRST_MOMENT + readings++, after: (...given) => real.after(...given) }
}
