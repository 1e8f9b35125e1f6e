import { z } from 'zod'
import type { Tool } from 'echelon/chat'
import { defineTool } from 'echelon/internal/tool'
import type { Question } from './calendar/answer.ts'
import { workerModule } from 'echelon/internal/platform'
import { isolate, TURN_AND_WORK_MS } from 'echelon/internal/isolate'

/** Arguments of the calendar. */
export interface CalendarInput {
  /** A question about one date or a number of days, in English, 1 to 500 characters. */
  readonly query: string
  /** The date to treat as today, in ISO form; default the day of the run's clock. */
  readonly today?: string | null | undefined
}

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(500)
    .describe(
      'one date in English: "45 days after March 3, 2024", "the third Monday of May 2026"; or a number of days: "days from March 3, 2024 to May 1, 2024"',
    ),
  today: z.iso
    .date()
    .nullish()
    .describe('the day that counts as today, as YYYY-MM-DD; null for the actual day'),
})

const worker = isolate<Question, string>({
  name: 'calendar',
  module: workerModule(import.meta.url, './calendar/answer.ts'),
  memoryMb: 64,
  timeoutMs: 2000,
})

/**
 * Returns the date that a question means, as `Monday, September 8, 2025`, or the number of days
 * (whole weeks, months, years) between two dates, as the number alone: `45`. Both are the
 * `date_str` of the result. A question that means no date, several, a span of days, or that is
 * ambiguous fails with INVALID_ARGS and a sentence that gives the reason. A date without a time is
 * the same in every zone; the run's zone only decides which day is today. Needs the package
 * `temporal-polyfill`.
 */
export const calendar: Tool<CalendarInput> = defineTool<CalendarInput>({
  name: 'calendar',
  description:
    'Finds the date that an English phrase or question means and its day of the week. Takes one date: absolute, relative to today, a named holiday, the nth weekday of a month, or days, weeks, months, years and business days (Monday to Friday) before or after another date. Or counts the days, whole weeks, months or years between two dates, until one or since one, and gives the number.',
  input,
  timeoutMs: TURN_AND_WORK_MS,
  async run({ query, today = null }, { at, timeZone, signal }) {
    const question = { query, today, at, timeZone }
    return { date_str: await worker.run(question, signal), kind: 'text' }
  },
})
