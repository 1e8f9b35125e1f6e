import { unit } from '../duration.ts'
import { Ambiguous, Misread } from './misread.ts'
import { monthName } from './names.ts'
import { type Found, type Place, advance, peek } from './place.ts'
import type { Token } from './token.ts'
import { century } from '../year.ts'

/** A month and a day, which need not exist together, with the year if it is written. */
interface Numeric {
  readonly year?: number
  readonly month: number
  readonly day: number
}

/**
 * A date in numbers: `2025-04-03`, `20250403`, `13/04/2025`, `4.22`.
 * A year in front is followed by month and day, as in ISO 8601. Else day and month may stand in
 * either order, whatever the separator.
 * @throws Misread if both orders make sense, or none does
 */
export function numeric(place: Place): Found<Numeric> | undefined {
  const token = peek(place)
  const parts = token && partsOf(token)
  if (!parts) return undefined
  const isAmount = parts.length < 3 || token.type === 'number'
  if (isAmount && unit(advance(place))) return undefined
  const readings = readingsOf(parts).filter(({ month, day, year }) => {
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 && year !== 0
  })
  const [value, other] = readings
  if (!value) throw new Misread(`${token.text} is not a date`)
  if (other && other.month !== value.month) {
    throw new Ambiguous(
      `${token.text} can be ${written(value)} or ${written(other)}; write the month as a word or the date as YYYY-MM-DD`,
    )
  }
  return { value, rest: advance(place) }
}

function partsOf(token: Token): readonly string[] | undefined {
  if (token.type === 'numeric') return token.parts
  const compact = token.type === 'number' && /^(\d{4})(\d\d)(\d\d)$/u.exec(token.text)
  return compact ? compact.slice(1) : undefined
}

function readingsOf(parts: readonly string[]): readonly Numeric[] {
  const [first = 0, second = 0, third = 0] = parts.map(Number)
  if (parts[0]?.length === 4) return [{ year: first, month: second, day: third }]
  const year =
    parts[2] === undefined ? {} : { year: parts[2].length === 2 ? century(third) : third }
  return [
    { ...year, month: first, day: second },
    { ...year, month: second, day: first },
  ]
}

const written = ({ year, month, day }: Numeric): string =>
  `${monthName(month)} ${day}${year === undefined ? '' : `, ${year}`}`
