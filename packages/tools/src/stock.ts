import { z } from 'zod'
import type { Schema } from 'echelon/internal/schema'
import { defineTool, ToolError } from 'echelon/internal/tool'
import type { Tool } from 'echelon/chat'
import type { DailyClose } from './stock/daily-close.ts'
import { sampleStock } from './stock/sample.ts'
import { type StockSource, TICKER } from './stock/source.ts'

export interface StockInput {
  /** Case does not matter. */
  readonly ticker: string
  /** Trading days, 1 to 5,000. */
  readonly n: number
}

const input: Schema<StockInput> = z.strictObject({
  ticker: z.string().regex(TICKER, 'expected a ticker symbol such as AAPL'),
  n: z.int().min(1).max(5_000).describe('How many trading days'),
})

/**
 * `data_fetch_stock(ticker, n)`: the closing prices of the latest n trading days that the source
 * has, ascending, as `{ series: [{ date, close }], kind: 'data', source, from, to }`. `source`
 * names the owner of the data; `from` and `to` are the first and last day, since the latest day of
 * a source may not be recent. Fails with INVALID_ARGS for a ticker that the source does not know or
 * when it has fewer days, and as the source does. Retries a network failure twice.
 */
export function stockTool(source: StockSource): Tool<StockInput> {
  return defineTool({
    name: 'data_fetch_stock',
    description: 'Fetches the closing prices of a share for the latest n trading days.',
    input,
    retries: 2,
    async run({ ticker, n }, { signal }) {
      const symbol = ticker.toUpperCase()
      const series = await source.fetch(symbol, n, signal)
      if (series.length < n) throw tooFew(source, symbol, series)
      const [from, to] = [series.at(0)?.date ?? '', series.at(-1)?.date ?? '']
      return { series, kind: 'data', source: source.attribution, from, to }
    },
  })
}

/** The tool on the sample data: five years of AAPL only. */
export const dataFetchStock: Tool<StockInput> = stockTool(sampleStock())

function tooFew({ name }: StockSource, ticker: string, series: readonly DailyClose[]): ToolError {
  const { length } = series
  const span = `${series.at(0)?.date} to ${series.at(-1)?.date}`
  const message =
    length === 0
      ? `${name} has no closing price of ${ticker}`
      : `${name} has ${length} trading days of ${ticker}, ${span}; ask for at most ${length}`
  return new ToolError('INVALID_ARGS', message, { fault: 'value' })
}
