import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  sameJson,
} from '../../../../core/value/json.ts'
import type { ToolCall, ToolOutcome } from '../../../../core/tool/tool.ts'
import { dateInWords } from '../../case/date-in-words.ts'
import type { Evidence } from '../../state.ts'
import { each, having, isCount, isFlag, isText, oneOf, orNull } from '../../stored-shape.ts'
import type { Claim } from '../../verification/claim.ts'
import { lastError, lastResult, resultOf } from '../../verification/evidence.ts'
import type { Confirmable } from '../../verification/second-reader.ts'
import { unproved, type Verdict } from '../../verification/verdict.ts'
import type { Case, QuestionReading } from '../../verification/verifier.ts'
import { readPlain } from '../english/plain-question.ts'
import { type Extreme, readStock, type StockRequest } from './read-stock.ts'

/** Closing prices of one share, with an average, the extremes and a plot of them. */
export interface StockClaim extends Claim, StockRequest {
  readonly kind: 'stock'
}

/**
 * Grades a report on closing prices: rows, averages and extremes are recomputed from the fetched series, and the
 * plot must be an image of it.
 */
export const stock: Confirmable<StockClaim> = {
  name: 'stock',
  tools: ['numeric_analysis'],
  read: ({ input }) => readPlain(input, readPrices),
  confirm: (claim, second) =>
    second.kind === 'stock' && claim.ticker === second.ticker && claim.rows === second.rows
      ? claim
      : undefined,
  checks,
  judge,
  isClaim: having({
    ticker: isText,
    rows: isCount,
    average: isFlag,
    window: orNull(isCount),
    extremes: each(oneOf('max', 'min')),
    plot: isFlag,
  }),
  knownAnswer: 'contained',
}

function readPrices(question: string): QuestionReading<StockClaim> {
  const asked = readStock(question)
  if (asked === undefined) return { type: 'other', why: 'the question asks for no closing prices' }
  if ('why' in asked) return { type: 'unclear', why: asked.why }
  return { type: 'claim', claim: { kind: 'stock', ...asked } }
}

interface Row {
  readonly date: string
  readonly close: number
}

/** Recomputes the averages and extremes from the fetched series. */
function checks({ ran, claim }: Case<StockClaim>): readonly ToolCall[] {
  const series = fetched(ran, claim)?.result['series']
  if ((!claim.average && claim.extremes.length === 0) || series === undefined) return []
  return [{ id: 'check.1', tool: 'numeric_analysis', input: { series } }]
}

/**
 * Graded by the mean of the requested parts: the share of rows, the shares of averages and extremes that
 * recompute, and the plot. It passes at the threshold, provided that the rows are exactly those requested and
 * every figure in the answer is right: these two are not graded.
 */
function judge(one: Case<StockClaim>, checked: readonly ToolOutcome[]): Verdict {
  const { claim } = one
  const data = fetched(one.ran, claim)
  const rows = rowsOf(data?.result['series'])
  const last = rows.at(-1)
  if (data === undefined || last === undefined) {
    const reason = lastError(one.ran) ?? `no closing prices of ${claim.ticker} were fetched`
    const blocked = isNotThere(one.ran, claim)
    return { ...unproved(null, reason), binary: false, ...(blocked && { blocked }) }
  }
  const recomputed = resultOf(checked[0])
  const parts: Readonly<Record<string, number>> = {
    // More rows than requested answer another question.
    rows: rows.length > claim.rows ? 0 : rows.length / claim.rows,
    ...(claim.average ? { averages: shareOfAverages(one.ran, claim, recomputed, rows) } : {}),
    ...(claim.extremes.length > 0
      ? { extremes: shareOfExtremes(one.ran, claim, recomputed, rows) }
      : {}),
    ...(claim.plot ? { plot: plotIsRight(one.ran, data.result, claim) ? 1 : 0 } : {}),
  }
  const shares = Object.values(parts)
  const metric = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const answer = report(claim, rows, one.ran)
  const fault =
    faultOfRows(data.result['series'], rows, claim) ??
    faultOfFigures(one.ran, parts, recomputed, claim)
  if (fault === undefined && metric >= one.threshold) {
    const reason = `${explain(parts)}, as of ${dateInWords(last.date)}`
    return { passed: true, metric, binary: false, checked: 'verified', answer, reason }
  }
  const said = [fault, explain(parts), lastError(one.ran)]
  const reason = said.filter((clause) => clause !== undefined).join('; ')
  return { passed: false, metric, binary: false, checked: 'refuted', answer, reason }
}

/** The requested prices do not exist, which no model can fix. */
function isNotThere(ran: readonly Evidence[], { ticker, rows }: StockClaim): boolean {
  return ran.some(({ call, outcome }) => {
    if (outcome.type !== 'error' || outcome.fault !== 'value') return false
    const { ticker: name, n } = isJsonObject(call.input) ? call.input : {}
    return typeof name === 'string' && name.toUpperCase() === ticker && n === rows
  })
}

/** "The last 30 days" are 30 rows: one more or one less would start on another day. */
function faultOfRows(
  series: Json | undefined,
  rows: readonly Row[],
  claim: StockClaim,
): string | undefined {
  const got = isJsonArray(series) ? series.length : 0
  // Rows that do not count, such as a repeated day, still went into the averages.
  if (got !== rows.length) return `${got - rows.length} of the ${got} rows are no closing prices`
  if (got === claim.rows) return undefined
  return `${got} trading ${got === 1 ? 'day was' : 'days were'} fetched, and ${claim.rows} asked for`
}

/** For a moving average, the answer states only the last value. */
function faultOfFigures(
  ran: readonly Evidence[],
  { averages = 1, extremes = 1 }: Readonly<Record<string, number>>,
  recomputed: JsonObject | undefined,
  { average, window }: StockClaim,
): string | undefined {
  if (extremes < 1) return 'the highest or lowest price is not that of the rows'
  if (!average || averages === 1) return undefined
  const [given, own] = [lastResult(ran, 'numeric_analysis')?.result, recomputed].map(lastAverage)
  if (window !== null && averages > 0 && sameNumber(given, own)) return undefined
  return 'the average is not that of the rows'
}

const lastAverage = (analysis: JsonObject | undefined): Json | undefined =>
  isJsonArray(analysis?.['ma7']) ? analysis['ma7'].at(-1) : undefined

/** The fetched series, if the plan requested the question's ticker. */
function fetched(ran: readonly Evidence[], { ticker }: StockClaim): ReturnType<typeof lastResult> {
  const found = lastResult(ran, 'data_fetch_stock')
  const input = found?.evidence.call.input
  const asked = isJsonObject(input) ? input['ticker'] : undefined
  return typeof asked === 'string' && asked.toUpperCase() === ticker ? found : undefined
}

/** Rows in ascending date order; anything else in the series does not count. */
function rowsOf(series: Json | undefined): readonly Row[] {
  if (!isJsonArray(series)) return []
  const rows: Row[] = []
  for (const row of series) {
    if (!isJsonObject(row)) continue
    const { date, close } = row
    const isLater = typeof date === 'string' && date > (rows.at(-1)?.date ?? '')
    if (isLater && typeof close === 'number' && close > 0) rows.push({ date, close })
  }
  return rows
}

const CLOSE_ENOUGH = 1e-6

function shareOfAverages(
  ran: readonly Evidence[],
  claim: StockClaim,
  recomputed: JsonObject | undefined,
  rows: readonly Row[],
): number {
  const given = lastResult(ran, 'numeric_analysis')?.result
  if (given === undefined || recomputed === undefined) return 0
  if (claim.window === null) {
    // The mean of other rows is another number, even if it recomputes.
    return rows.length === claim.rows && sameNumber(stat(given, 'mean'), stat(recomputed, 'mean'))
      ? 1
      : 0
  }
  // The tool computes only the seven-day average, so another window cannot be proved.
  if (claim.window !== 7) return 0
  return isEmpty(recomputed['ma7']) ? 0 : shareEqual(given['ma7'], recomputed['ma7'])
}

/** Extremes of other rows are other numbers, even if they recompute. */
function shareOfExtremes(
  ran: readonly Evidence[],
  { extremes, rows: asked }: StockClaim,
  recomputed: JsonObject | undefined,
  rows: readonly Row[],
): number {
  const given = lastResult(ran, 'numeric_analysis')?.result
  if (given === undefined || recomputed === undefined || rows.length !== asked) return 0
  const right = extremes.filter((name) => sameNumber(stat(given, name), stat(recomputed, name)))
  return right.length / extremes.length
}

function stat(result: JsonObject, name: 'mean' | Extreme): Json | undefined {
  return isJsonObject(result['stats']) ? result['stats'][name] : undefined
}

function shareEqual(given: Json | undefined, own: Json | undefined): number {
  if (!isJsonArray(given) || !isJsonArray(own) || own.length === 0) return 0
  const equal = own.filter((value, index) => sameNumber(value, given[index]))
  return equal.length / Math.max(own.length, given.length)
}

function sameNumber(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return a === null && b === null
  return Math.abs(a - b) <= CLOSE_ENOUGH
}

/** Minimum share of drawn pixels in a plot. */
const LEAST_INK = 0.005

/** Whether the plot shows the fetched series, under its name, and is a real image that is not blank. */
function plotIsRight(ran: readonly Evidence[], data: JsonObject, { ticker }: StockClaim): boolean {
  const plot = lastResult(ran, 'plotter')?.evidence
  if (plot?.outcome.type !== 'ok' || !isJsonObject(plot.call.input)) return false
  const { series, ma7, title } = plot.call.input
  const averages = lastResult(ran, 'numeric_analysis')?.result['ma7']
  const linesAreRight = averages === undefined ? isEmpty(ma7) : sameJson(ma7, averages)
  const image = plot.outcome.artifacts?.find(({ mediaType }) => mediaType === 'image/png')?.image
  return (
    sameJson(series, data['series']) &&
    linesAreRight &&
    namesOnly(title, ticker) &&
    image !== undefined &&
    image.ink >= LEAST_INK
  )
}

/** A line that was not computed may not be drawn. */
const isEmpty = (line: Json | undefined): boolean =>
  isJsonArray(line) && line.every((value) => value === null)

/** Words in capitals that are not tickers. */
const NO_TICKER: ReadonlySet<string> = new Set(['MA', 'SMA', 'US', 'USD', 'PNG'])

/** A title is the model's own text: it may name the requested ticker and no other. */
function namesOnly(title: Json | undefined, ticker: string): boolean {
  if (typeof title !== 'string' || title === '') return true
  const named = [...title.matchAll(/\b[A-Z][A-Z0-9.]{1,5}\b/g)].map(([one]) => one)
  return named.includes(ticker) && named.every((one) => one === ticker || NO_TICKER.has(one))
}

/** The evidence in words, with the days that it covers. */
function report(claim: StockClaim, rows: readonly Row[], ran: readonly Evidence[]): string {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return ''
  const sentences = [describePrices(claim, rows, first, last), endOfData(last)]
  const analysis = lastResult(ran, 'numeric_analysis')?.result
  if (claim.average && analysis !== undefined) sentences.push(describeAverage(claim, analysis))
  if (analysis !== undefined) sentences.push(describeExtremes(claim, analysis))
  const path = lastResult(ran, 'plotter')?.result['image_path']
  if (claim.plot && typeof path === 'string') sentences.push(`Plot: ${path}`)
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

function describePrices(claim: StockClaim, rows: readonly Row[], first: Row, last: Row): string {
  if (rows.length === 1) {
    return `${claim.ticker} closed at ${money(last.close)} on ${dateInWords(last.date)}.`
  }
  const span = `${dateInWords(first.date)} to ${dateInWords(last.date)}`
  const change = `from ${money(first.close)} to ${money(last.close)}`
  return `${claim.ticker}, ${rows.length} trading days, ${span}: the closing price went ${change}.`
}

/** "The last days" are those of the data, which may have ended long ago. */
const endOfData = ({ date }: Row): string => `The data ends on ${dateInWords(date)}.`

function describeAverage(claim: StockClaim, analysis: JsonObject): string {
  if (claim.window === null) {
    const average = stat(analysis, 'mean')
    return typeof average === 'number' ? `The average is ${money(average)}.` : ''
  }
  const latest = lastAverage(analysis)
  return typeof latest === 'number' ? `The 7-day average ends at ${money(latest)}.` : ''
}

function describeExtremes({ extremes }: StockClaim, analysis: JsonObject): string {
  const found = extremes.flatMap((name) => {
    const value = stat(analysis, name)
    return typeof value === 'number'
      ? `${name === 'max' ? 'highest' : 'lowest'} ${money(value)}`
      : []
  })
  return found.length === 0 ? '' : `Closing prices: ${found.join(', ')}.`
}

const money = (value: number): string => `$${value.toFixed(2)}`

function explain(parts: Readonly<Record<string, number>>): string {
  return Object.entries(parts)
    .map(([part, share]) => `${part} ${Math.round(share * 100)} %`)
    .join(', ')
}
