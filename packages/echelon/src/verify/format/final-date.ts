import { markedPiece } from './marked-piece.ts'

/** A calendar day as a final answer. */
export interface FinalDate {
  readonly kind: 'date'
  /** ISO form. */
  readonly date: string
  readonly isMarked: boolean
}

const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ')
const MONTH = MONTHS.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|')
const ISO = String.raw`(?<iso>\d{4}-\d{1,2}-\d{1,2})(?!\d)`
const SLASHED = String.raw`(?<slashed>(?<![\d/])\d{1,2}[/.]\d{1,2}[/.]\d{4})(?!\d)`
const MONTH_FIRST = String.raw`(?<month>${MONTH}|sept)\.?\s{1,3}(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}(?<year>\d{4})\b`
const DAY_FIRST = String.raw`(?<![\d/])(?<day2>\d{1,2})(?:st|nd|rd|th)?\s{1,3}(?:of\s)?(?<month2>${MONTH}|sept)\.?,?\s{1,3}(?<year2>\d{4})\b`
const DATE = new RegExp([ISO, SLASHED, MONTH_FIRST, DAY_FIRST].join('|'), 'gi')

/**
 * Reads the day that a text gives as its answer: in a marked piece the first, else the last of the text. `3/4/2021`
 * is the fourth of March, as Americans write; `13/4/2021` can only be the thirteenth of April.
 */
export function finalDate(text: string): FinalDate | undefined {
  const { piece, isMarked } = markedPiece(text)
  const [inMark] = isMarked ? datesIn(piece) : []
  if (inMark !== undefined) return { kind: 'date', date: inMark, isMarked: true }
  const last = datesIn(text).at(-1)
  return last === undefined ? undefined : { kind: 'date', date: last, isMarked: false }
}

const datesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(DATE), ({ groups = {} }) => dateOf(groups)).flatMap((date) => date ?? [])

function dateOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  if (groups['iso'] !== undefined) {
    const [year = 0, month = 0, day = 0] = groups['iso'].split('-').map(Number)
    return civil(year, month, day)
  }
  if (groups['slashed'] !== undefined) {
    const [first = 0, second = 0, year = 0] = groups['slashed'].split(/[/.]/).map(Number)
    return civil(year, first, second) ?? civil(year, second, first)
  }
  const month = (groups['month'] ?? groups['month2'] ?? '').toLowerCase()
  const number = MONTHS.findIndex((name) => name.startsWith(month.slice(0, 3))) + 1
  const [year, day] = [groups['year'] ?? groups['year2'], groups['day'] ?? groups['day2']]
  return civil(Number(year), number, Number(day))
}

/** @returns undefined for a day that does not exist, such as the 30th of February */
function civil(year: number, month: number, day: number): string | undefined {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  if (days === undefined || day < 1 || day > days) return undefined
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}
