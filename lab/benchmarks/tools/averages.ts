import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { type Close, numericAnalysis } from '../../../packages/tools/src/analysis.ts'
import { context } from './context.ts'
import { type DataRow, pick, readDataFile } from './data-file.ts'
import { absent, type Row } from './row.ts'

const DATE = ['date', 'day', 'timestamp', 'time']
const CLOSE = ['close', 'close_price', 'closing_price', 'price', 'AAPL.Close', 'value']
const MA7 = ['ma7', 'sma7', 'ma_7', 'sma_7', 'moving_average', 'average']
/** Where one row holds a whole series. */
const SERIES = ['series', 'rows', 'data', 'prices', 'input']

/** A day of the file, with the average that the file gives it, if it does. */
export interface Day extends Close {
  readonly ma7?: number
}

/**
 * Measures `numeric_analysis` on one data set of closing prices, one day a row or one series a row.
 * A day is right if its average is within 1e-6 of a plain sum over seven, and of the file's own.
 * @throws EchelonError INVALID_INPUT for a file without any day
 */
export async function benchAverages(folder: string, file: string): Promise<Row> {
  const data = await readDataFile(folder, file)
  if (data === undefined) return absent(file)
  const series = seriesOf(data.rows)
  const counted = series.reduce((sum, days) => sum + days.length, 0)
  if (counted === 0) throw data.unusable('a date and a close')
  const start = performance.now()
  const found = await Promise.all(series.map(averages))
  const seconds = (performance.now() - start) / 1000
  const right = series.flatMap((days, index) =>
    days.filter((_, last) => isRight(days, last, found[index]?.[last])),
  )
  return { set: file, rows: data.rows.length, counted, right: right.length, seconds }
}

/** The series of a file, oldest day first. */
export function seriesOf(rows: readonly DataRow[]): readonly (readonly Day[])[] {
  const daily = rows.flatMap((row) => dayOf(row) ?? [])
  if (daily.length > 0) return [ascending(daily)]
  return rows.flatMap((row) => {
    const series = pick(row, SERIES)
    const days = Array.isArray(series)
      ? series.filter(isRecord).flatMap((day) => dayOf(day) ?? [])
      : []
    return days.length === 0 ? [] : [ascending(days)]
  })
}

function dayOf(row: DataRow): Day | undefined {
  const date = /^\d{4}-\d\d-\d\d/.exec(String(pick(row, DATE)))?.[0]
  const close = numberOf(pick(row, CLOSE))
  const ma7 = numberOf(pick(row, MA7))
  if (date === undefined || close === undefined) return undefined
  return ma7 === undefined ? { date, close } : { date, close, ma7 }
}

const numberOf = (value: unknown): number | undefined =>
  (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) &&
  Number.isFinite(Number(value))
    ? Number(value)
    : undefined

const ascending = (days: readonly Day[]): readonly Day[] =>
  days.toSorted((a, b) => (a.date < b.date ? -1 : 1))

async function averages(days: readonly Day[]): Promise<readonly unknown[]> {
  const series = days.map(({ date, close }) => ({ date, close }))
  const result = await numericAnalysis.run({ series }, context)
  return isRecord(result) && Array.isArray(result['ma7']) ? result['ma7'] : []
}

function isRight(days: readonly Day[], last: number, found: unknown): boolean {
  if (last < 6) return found === null
  const sum = days.slice(last - 6, last + 1).reduce((sum, { close }) => sum + close, 0)
  const wanted = [sum / 7, days[last]?.ma7 ?? sum / 7]
  return typeof found === 'number' && wanted.every((value) => Math.abs(value - found) <= 1e-6)
}
