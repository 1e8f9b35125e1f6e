import { unit } from './duration.ts'
import { type Found, type Cursor, advance, peek } from './read/cursor.ts'

/** A day of the month in digits or words, cardinal or ordinal, with no unit after it. */
export function dayNumber(cursor: Cursor): Found<number> | undefined {
  const token = peek(cursor)
  const rest = advance(cursor)
  if (token?.type !== 'ordinal' && token?.type !== 'number') return undefined
  const short = token.type === 'ordinal' || token.spelled || /^\d\d?$/u.test(token.text)
  if (!short || token.value < 1 || token.value > 31 || unit(rest)) return undefined
  return { value: token.value, rest }
}
