import { Temporal } from 'temporal-polyfill'
import { ToolError } from 'echelon/internal/tool'
import { formatDate } from './format-date.ts'
import { readDate } from './read/read-date.ts'

/** A question, with what determines today. */
export type Question = {
  readonly query: string
  /** ISO date; `null` for the day of `at`. */
  readonly today: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
  /** IANA name of the zone that determines the day of `at`. */
  readonly timeZone: string
}

/**
 * The calendar's worker function. Returns the date that a question means, as `Monday, September 8,
 * 2025`, or the number that it asks for, as `45`.
 * @throws ToolError INVALID_ARGS with the reason if neither is clear
 */
export default function answer({ query, today, at, timeZone }: Question): string {
  const reading = readDate(query, today === null ? day(at, timeZone) : parse(today))
  if ('error' in reading) {
    const fault = reading.isAmbiguous === true ? 'value' : undefined
    throw new ToolError('INVALID_ARGS', reading.error, { fault })
  }
  return 'count' in reading ? String(reading.count) : formatDate(reading.date)
}

const day = (at: number, timeZone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()

const parse = (today: string): Temporal.PlainDate => Temporal.PlainDate.from(today)
