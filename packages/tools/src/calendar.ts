import { z } from 'zod'
import type { Tool } from 'echelon/chat'
import { defineTool } from 'echelon/internal/tool'
import type { Question } from './calendar/answer.ts'
import { workerModule } from 'echelon/internal/host'
import { isolate, TURN_AND_WORK_MS } from 'echelon/internal/isolate'

/** What the calendar takes. */
export interface CalendarInput {
  /** A question about one date, or for a number of days, in English, 1 to 500 characters. */
  readonly query: string
  /** The day that counts as today, as an ISO date; without it the day of the run's clock. */
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
 * Answers which date a question means, as `Monday, September 8, 2025`, or how many days (whole
 * weeks, months, years) there are from one date to another, as the number alone: `45`. Both are
 * the `date_str` of the result. A question that means no date, several, a span of days, or one
 * that could be read in two ways, is refused with INVALID_ARGS and a sentence that says why. A date without a time is the same in every zone; the
 * run's zone only tells which day today is. Needs the package `temporal-polyfill`.
 */
export const calendar: Tool<CalendarInput> = defineTool<CalendarInput>({
  name: 'calendar',
  description:
    'Finds the date that an English phrase or question means and its day of the week. Takes one date: absolute, relative to today, a holiday of the United States, the nth weekday of a month, or days, weeks, months, years and business days (Monday to Friday) before or after another date. Or counts the days, whole weeks, months or years between two dates, until one or since one, and gives the number.',
  input,
  timeoutMs: TURN_AND_WORK_MS,
  async run({ query, today = null }, { at, timeZone, signal }) {
    const question = { query, today, at, timeZone }
    return { date_str: await worker.run(question, signal), kind: 'text' }
  },
})
