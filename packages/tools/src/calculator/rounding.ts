import { isFraction } from './mathjs.ts'
import * as exact from './exact.ts'
import { refuse } from './refuse.ts'
import type { Steps } from './steps.ts'
import { fraction, type Value, ZERO } from './value.ts'

const MAX_PLACES = 50n

/** `round(x, places)`: halves away from zero. */
export const roundWith =
  ({ plus, times, over, floor, whole, negative, isNegative }: Steps) =>
  (x: Value, to: Value = ZERO): Value => {
    const places = whole(to)
    if (places === undefined || places.s < 0n || places.n > MAX_PLACES) {
      throw refuse(`round takes 0 to ${MAX_PLACES} decimal places`)
    }
    if (isFraction(x)) return exact.rounded(x, Number(places.n))
    const unit = fraction(10n ** places.n)
    const size = isNegative(x) ? negative(x) : x
    const rounded = over(floor(plus(times(size, unit), fraction(1n, 2n))), unit)
    return isNegative(x) ? negative(rounded) : rounded
  }
