import { unit } from './duration.ts'
import { type Found, type Place, advance, peek } from './read/place.ts'

/** A day of the month in digits or words, cardinal or ordinal. Behind it stands no unit. */
export function dayNumber(place: Place): Found<number> | undefined {
  const token = peek(place)
  const rest = advance(place)
  if (token?.type !== 'ordinal' && token?.type !== 'number') return undefined
  const short = token.type === 'ordinal' || token.spelled || /^\d\d?$/u.test(token.text)
  if (!short || token.value < 1 || token.value > 31 || unit(rest)) return undefined
  return { value: token.value, rest }
}
