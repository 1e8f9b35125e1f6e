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
 * adjusted for splits. Needs the packages @observablehq/sample-datasets and csv-parse, which the
 * first call loads.
 */
export function sampleStock(): StockSource {
  let loading: Promise<readonly DailyClose[]> | undefined
  return {
    name: 'the sample data',
    attribution: 'Yahoo! Finance, by way of @observablehq/sample-datasets (ISC)',
    async fetch(ticker, n) {
      if (ticker !== TICKER) throw unknownTicker(ticker)
      const days = await (loading ??= load())
      return days.slice(-n)
    },
  }
}

async function load(): Promise<readonly DailyClose[]> {
  const file = fileURLToPath(import.meta.resolve(TABLE))
  return readCloses(await readFile(file, 'utf8'), { date: 'Date', close: 'Close' })
}

/** A retry cannot help, so the message names the ticker that is available. */
const unknownTicker = (ticker: string): ToolError =>
  new ToolError('INVALID_ARGS', `the sample data has no prices of ${ticker}, only of ${TICKER}`, {
    fault: 'value',
  })
