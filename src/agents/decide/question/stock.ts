import { tokenise, wordAt, markAt, type Token } from './token.ts'

/** What a question about closing prices asks for. */
export interface StockRequest {
  readonly ticker: string
  /** Trading days, the latest ones. */
  readonly rows: number
  /** A moving average, or the mean of the rows. */
  readonly average: boolean
  /** Days of a moving average; null where no moving average is asked. */
  readonly window: number | null
  readonly plot: boolean
}

/** Companies whose name stands for one listed share. Closed: another name needs its ticker. */
const COMPANIES: Readonly<Record<string, string>> = {
  apple: 'AAPL',
  microsoft: 'MSFT',
  amazon: 'AMZN',
  tesla: 'TSLA',
  nvidia: 'NVDA',
  netflix: 'NFLX',
  intel: 'INTC',
  ibm: 'IBM',
}
/** Capitals that are no tickers. */
const ACRONYMS = new Set(
  'I A MA SMA USD US USA PNG SVG CSV OK ETF NYSE NASDAQ CEO EUR AND THE OF'.split(' '),
)
const MARKET =
  /\bstocks?\b|\bshare prices?\b|\bclos(?:e|es|ing)\b(?: prices?)?|\bprices? of\b|\bticker\b|\btrading days?\b|\bmoving average\b|\bprices?\b/i
/** Asked for more than prices, averages and plots: nothing that the tools return would prove it. */
const BEYOND =
  /\b(?:high|highest|low|lowest|max\w*|min\w*|change\w*|difference|compare\w*|versus|vs|volume|dividend\w*|return\w*|predict\w*|forecast\w*|should|will|tomorrow|buy|sell|sold|bought|worth|cost|median|volatility|deviation|exponential|weighted|ema|between|since|from|until|weekly|monthly|yearly|if|how many|percent\w*|why|when)\b|%/i
const DAYS: Readonly<Record<string, number>> = {
  day: 1,
  days: 1,
  session: 1,
  sessions: 1,
  week: 5,
  weeks: 5,
}
/** Rows of a plot or a history whose length is not named. */
const HISTORY = 30
/** The moving average that the tools know, for a question that names no other. */
const WINDOW = 7

/**
 * Reads a question about closing prices; undefined where it is about something else, or asks more
 * than that, or names no share or two. A week has five trading days; months and years have no fixed
 * number and are not read.
 */
export function readStock(text: string): StockRequest | undefined {
  const ticker = tickerOf(text)
  if (ticker === undefined || !MARKET.test(text) || BEYOND.test(text)) return undefined
  if (
    /\b(?:months?|years?|quarters?|hours?|minutes?|january|february|march|april|june|july|august|september|october|november|december|yesterday)\b/i.test(
      text,
    )
  )
    return undefined
  const tokens = tokenise(text)
  const plot = /\b(?:plot|chart|graph|draw)\w*\b/i.test(text)
  const moving = /\b(?:moving|rolling) averages?\b|\bs?ma\b/i.test(text)
  const counts = countsOf(tokens)
  const [rows, ...more] = counts.rows
  const [window = WINDOW, ...windows] = counts.windows
  if (more.length > 0 || windows.length > 0 || counts.strange) return undefined
  const history = plot || moving || /\b(?:prices|history)\b/i.test(text)
  return {
    ticker,
    rows: rows ?? (history ? HISTORY : 1),
    average: moving || /\b(?:average|mean)\b/i.test(text),
    window: moving ? window : null,
    plot,
  }
}

function tickerOf(text: string): string | undefined {
  const capitals = text.match(/\b[A-Z]{1,5}\b/g)?.filter((word) => !ACRONYMS.has(word)) ?? []
  const names =
    text
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.flatMap((word) => COMPANIES[word] ?? []) ?? []
  const [ticker, ...others] = new Set([...capitals, ...names])
  return others.length === 0 ? ticker : undefined
}

interface Counts {
  readonly rows: readonly number[]
  readonly windows: readonly number[]
  /** A number that counts neither days nor a window. */
  readonly strange: boolean
}

/** "30 days", "2 weeks", and the window of "7-day moving average". */
function countsOf(tokens: readonly Token[]): Counts {
  const rows: number[] = []
  const windows: number[] = []
  let strange = false
  tokens.forEach((token, at) => {
    if (token.type !== 'number') return
    const next = at + (markAt(tokens, at + 1) === '-' ? 2 : 1)
    const trading = wordAt(tokens, next) === 'trading' ? 1 : 0
    const unit = DAYS[wordAt(tokens, next + trading)]
    const whole = Number.isInteger(token.term.value) && token.term.value > 0 && token.unit === ''
    if (unit === undefined || !whole) strange = true
    else if (isWindow(tokens, next + trading + 1)) windows.push(token.term.value * unit)
    else rows.push(token.term.value * unit)
  })
  const bare = tokens.findIndex(
    (_, at) => wordAt(tokens, at) === 'week' && tokens[at - 1]?.type !== 'number',
  )
  if (bare >= 0) rows.push(5)
  return { rows, windows, strange }
}

function isWindow(tokens: readonly Token[], at: number): boolean {
  const word = wordAt(tokens, at) === 'simple' ? wordAt(tokens, at + 1) : wordAt(tokens, at)
  return ['moving', 'rolling', 'ma', 'sma'].includes(word)
}
