import { z } from 'zod'
import type { Schema } from 'echelon/internal/schema'
import { defineTool } from 'echelon/internal/tool'
import type { Tool } from 'echelon/chat'
import type { Analysis, Closes } from './analysis/analyze.ts'
import { workerModule } from 'echelon/internal/platform'
import { isolate, TURN_AND_WORK_MS } from 'echelon/internal/isolate'

/** One trading day. */
export interface Close {
  /** ISO, `2025-09-08`. */
  readonly date: string
  /** The closing price, in any currency. */
  readonly close: number
}

/** 1 to 10,000 days, each later than the one before. */
export interface AnalysisInput {
  readonly series: readonly Close[]
}

/** Up to this value a mean of seven doubles is accurate to 1e-6. */
const MAX_CLOSE = 1e9

const day = z.strictObject({
  date: z.iso.date(),
  close: z.number().min(-MAX_CLOSE).max(MAX_CLOSE),
})

const input: Schema<AnalysisInput> = z.strictObject({
  series: z
    .array(day)
    .min(1)
    .max(10_000)
    .superRefine((days, context) => {
      const late = days.findIndex(({ date }, index) => date <= (days[index - 1]?.date ?? ''))
      if (late === -1) return
      context.addIssue({
        code: 'custom',
        path: [late, 'date'],
        message: 'dates must ascend, each once',
      })
    })
    .describe('Closing prices by day, oldest first'),
})

/**
 * Runs in a worker, since a function in this process cannot be interrupted and every tool has
 * limits. The work is one pass over at most 10,000 rows; sending them takes less than 20 ms.
 */
const analysis = isolate<Closes, Analysis>({
  name: 'numeric_analysis',
  module: workerModule(import.meta.url, './analysis/analyze.ts'),
  memoryMb: 64,
  timeoutMs: 2000,
})

/**
 * `numeric_analysis(series)`: the seven-day moving average, as long as the series, and statistics
 * of the series, as `{ ma7, stats, kind: 'data' }`. A series of fewer than seven days has no
 * average, which is not an error. Needs the package simple-statistics.
 */
export const numericAnalysis: Tool<AnalysisInput> = defineTool({
  name: 'numeric_analysis',
  description:
    'Computes the 7-day moving average of closing prices (null for the first six days) and their ' +
    'count, mean, median, min, max, standard deviation, first, last and change.',
  input,
  timeoutMs: TURN_AND_WORK_MS,
  async run({ series }, { signal }) {
    const closes = series.map(({ close }) => close)
    return { ...(await analysis.run(closes, signal)), kind: 'data' }
  },
})
