import { unit } from '../duration.ts'
import { Ambiguous, Misread } from './misread.ts'
import { monthName } from './names.ts'
import { type Found, type Cursor, advance, peek } from './cursor.ts'
import type { Token } from './token.ts'
import { expandYear } from '../year.ts'

/** A month and a day, which may not exist together, with the year if given. */
interface Numeric {
  readonly year?: number
  readonly month: number
  readonly day: number
}

/**
 * A date in numbers: `2025-04-03`, `20250403`, `13/04/2025`, `4.22`. A leading year is followed by
 * month and day, as in ISO 8601. Otherwise day and month may be in either order, with any
 * separator.
 * @throws Misread if both orders make sense, or neither does
 */
export function numeric(cursor: Cursor): Found<Numeric> | undefined {
  const token = peek(cursor)
  const spaced = spacedParts(cursor)
  const parts = spaced ?? (token && partsOf(token))
  if (!token || !parts) return undefined
  const rest = advance(cursor, spaced?.length)
  const isAmount = parts.length < 3 || token.type === 'number'
  if (isAmount && unit(advance(cursor))) return undefined
  const readings = readingsOf(cursor, parts).filter(({ month, day, year }) => {
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 && year !== 0
  })
  const [value, other] = readings
  if (!value) throw new Misread(`${token.text} is not a date`)
  if (other && other.month !== value.month) {
    throw new Ambiguous(
      `${token.text} can be ${formatted(value)} or ${formatted(other)}; write the month as a word or the date as YYYY-MM-DD`,
    )
  }
  return { value, rest }
}

/** `10 31 1974`: two short numbers and a year of four digits. */
function spacedParts(cursor: Cursor): readonly string[] | undefined {
  const tokens = [0, 1, 2].map((ahead) => peek(cursor, ahead))
  const parts = tokens.flatMap((token) => (token?.type === 'number' ? token.text : []))
  return /^\d\d? \d\d? [12]\d{3}$/u.test(parts.join(' ')) && !unit(advance(cursor, 3))
    ? parts
    : undefined
}

function partsOf(token: Token): readonly string[] | undefined {
  if (token.type === 'numeric') return token.parts
  const compact = token.type === 'number' && /^(\d{4})(\d\d)(\d\d)$/u.exec(token.text)
  return compact ? compact.slice(1) : undefined
}

function readingsOf(cursor: Cursor, parts: readonly string[]): readonly Numeric[] {
  const [first = 0, second = 0, third = 0] = parts.map(Number)
  if (parts[0]?.length === 4) return [{ year: first, month: second, day: third }]
  const year =
    parts[2] === undefined
      ? {}
      : { year: parts[2].length === 2 ? expandYear(cursor, third) : third }
  return [
    { ...year, month: first, day: second },
    { ...year, month: second, day: first },
  ]
}

const formatted = ({ year, month, day }: Numeric): string =>
  `${monthName(month)} ${day}${year === undefined ? '' : `, ${year}`}`
