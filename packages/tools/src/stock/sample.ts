import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ToolError } from 'echelon/internal/tool'
import type { DailyClose } from './daily-close.ts'
import { readCloses } from './read-closes.ts'
import type { StockSource } from './source.ts'

const TICKER = 'AAPL'
const TABLE = '@observablehq/sample-datasets/aapl.csv'

/**
 * Five years of AAPL, offline: 1,260 trading days from 2013-05-13 to 2018-05-11 in US dollars,
 * adjusted for splits. Needs the packages @observablehq/sample-datasets and csv-parse, and reads
 * them on the first call.
 */
export function sampleStock(): StockSource {
  let loading: Promise<readonly DailyClose[]> | undefined
  return {
    name: 'the sample data',
    attribution: 'Yahoo! Finance, by way of @observablehq/sample-datasets (ISC)',
    async fetch(ticker, n) {
      if (ticker !== TICKER) throw notThere(ticker)
      const days = await (loading ??= load())
      return days.slice(-n)
    },
  }
}

async function load(): Promise<readonly DailyClose[]> {
  const file = fileURLToPath(import.meta.resolve(TABLE))
  return readCloses(await readFile(file, 'utf8'), { date: 'Date', close: 'Close' })
}

/** No model can mend this by another try: it says what there is instead. */
const notThere = (ticker: string): ToolError =>
  new ToolError('INVALID_ARGS', `there are no prices of ${ticker}; there are prices of ${TICKER}`, {
    fault: 'value',
  })
