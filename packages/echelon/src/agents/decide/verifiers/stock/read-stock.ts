import { stockDoubt, UNREAD_WORDS } from './stock-doubts.ts'
import { tokenise, wordAt, markAt, type Token } from '../english/token.ts'

/** The data that a question about closing prices asks for. */
export interface StockRequest {
  readonly ticker: string
  /** The latest trading days. */
  readonly rows: number
  /** A moving average, or the mean of the rows. */
  readonly average: boolean
  /** Days of a moving average; null if none is requested. */
  readonly window: number | null
  /** The requested extremes of the rows. */
  readonly extremes: readonly Extreme[]
  readonly plot: boolean
}

/** In the words of `numeric_analysis`. */
export type Extreme = 'max' | 'min'

/** Companies whose name stands for one listed share. Closed: any other company needs its ticker. */
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
/** Known in any case; other tickers must be in capitals. */
const TICKERS = new Set(Object.values(COMPANIES))
/** Words in capitals that are not tickers. */
const ACRONYMS = new Set(
  'I A MA SMA USD US USA PNG SVG CSV OK ETF NYSE NASDAQ CEO EUR AND THE OF'.split(' '),
)

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const PLOT = words(
  'plot plots plotted plotting chart charts charted charting graph graphs graphed draw draws drawn drawing picture diagram image visualise visualize',
)
const MAX = words('highest high maximum max peak')
const MIN = words('lowest low minimum min')
const MOVING = words('moving rolling ma sma')
const PRICES = words(
  'close closes closing closed closings price prices stock stocks share shares ticker quote quotes',
)
const MARKET = PRICES.union(PLOT).union(MOVING)
const PERFORMANCE = /\bhow (?:did|has)\b.*\bdo(?:ne)?\b/i
const HISTORICAL = /\b(?:prices|history|closes(?! at))\b/i
/** All other words that a request for prices, averages and plots may hold. */
const PLAIN = words(
  "a an and all any are as at average averages be been by calculate chart's compute could can create daily data day days did do done each fetch figure figures find for get give had has have history how i i'd in including is it it's its just last latest let let's like line list look looked looks make market me mean most my need numbers of on one only our out over overlaid overlay past please preceding previous recent recently see series session sessions show simple so task tell that that's the their them then these this time to together top trading trend us value values want was we week weeks were what what's which with would you your",
)
/** Periods whose length is not the number of rows, if they stand without a number. */
const DAYS: Readonly<Record<string, number>> = {
  day: 1,
  days: 1,
  session: 1,
  sessions: 1,
  week: 5,
  weeks: 5,
  close: 1,
  closes: 1,
  price: 1,
  prices: 1,
  value: 1,
  values: 1,
}
/** Words between a number and its unit: `10 most recent closing prices`. */
const BEFORE_UNIT = words('trading closing daily market most recent latest last')
/** Rows of a plot or a history without a stated length. */
const HISTORY = 30
/** The tools' only moving average, used if a question names no other. */
const WINDOW = 7

/**
 * Reads a question about closing prices: the request, or why it is ambiguous. Undefined if it is about something
 * else or asks for more. Every word must be known. A week has five trading days; months and years have no fixed
 * number and are not read.
 */
export function readStock(text: string): StockRequest | { readonly why: string } | undefined {
  if (FOR_DAY.test(text) || OF_AVERAGE.test(text)) return undefined
  const asked = text.replaceAll(NO_PLOT, ' ')
  const tickers = tickersOf(asked)
  const [ticker] = tickers
  const tokens = tokenise(asked)
  if (ticker === undefined || !tokens.every((token) => isKnown(token, tickers))) return undefined
  const said = new Set(tokens.flatMap(partsOf))
  const isPerformance = PERFORMANCE.test(text)
  if (!isPerformance && said.isDisjointFrom(MARKET)) return undefined
  if (tickers.length > 1) return { why: 'prices of one share are checked at a time' }
  const counts = countsOf(tokens)
  const [rows, ...more] = counts.rows
  const [window = WINDOW, ...windows] = counts.windows
  const strangeNumbers = more.length > 0 || windows.length > 0 || counts.strange
  const moving = !said.isDisjointFrom(MOVING)
  const request = {
    average: moving || ['average', 'averages', 'mean'].some((word) => said.has(word)),
    window: moving ? window : null,
    plot: !said.isDisjointFrom(PLOT),
  }
  const extremes = extremesOf(said)
  const why = stockDoubt({
    ...request,
    text: asked,
    said,
    rows,
    strangeNumbers,
    extremes: extremes.length > 0,
  })
  if (why !== undefined) return { why }
  const history = request.plot || moving || isPerformance || HISTORICAL.test(text)
  return { ticker, rows: rows ?? (history ? HISTORY : 1), ...request, extremes }
}

const extremesOf = (said: ReadonlySet<string>): readonly Extreme[] => [
  ...(said.isDisjointFrom(MAX) ? [] : ['max' as const]),
  ...(said.isDisjointFrom(MIN) ? [] : ['min' as const]),
]

const NO_PLOT =
  /\b(?:no|without(?: an?| any)?|skip the|not an?|(?:do not|don['’]t)(?: (?:need|want|make|draw|give me))?(?: an?| any| the)?) (?:plots?|plotting|charts?|graphs?|pictures?|images?|diagrams?)\b(?: (?:needed|required|necessary|it|them)\b)?/gi
/** Asks for a date, which is not computed. */
const FOR_DAY = /\b(?:which|what) (?:trading )?(?:day|date|session|week)s?\b/i
/** The highest average is not the highest price. */
const OF_AVERAGE =
  /\b(?:high(?:est)?|low(?:est)?|max(?:imum)?|min(?:imum)?|peak)(?: of)?(?: the)?(?: \S+[- ]days?)?(?: simple)? (?:moving|rolling|averages?|mean|s?ma)\b/i
const MARKS = words(`. , ? ! - ( ) : ; ' "`)

function isKnown(token: Token, tickers: readonly string[]): boolean {
  if (token.type === 'mark') return MARKS.has(token.mark)
  return partsOf(token).every(
    (word) =>
      [PLAIN, PLOT, MAX, MIN, MOVING, PRICES, UNREAD_WORDS].some((list) => list.has(word)) ||
      [word.toUpperCase(), COMPANIES[word]].some((name = '') => tickers.includes(name)),
  )
}

/** A word without its possessive ending, split at its hyphens. */
function partsOf(token: Token): readonly string[] {
  if (token.type !== 'word') return []
  return PLAIN.has(token.word) ? [token.word] : token.word.replace(/'s$/, '').split('-')
}

function tickersOf(text: string): readonly string[] {
  const capitals = text.match(/\b[A-Z]{1,5}\b/g)?.filter((word) => !ACRONYMS.has(word)) ?? []
  const lower = text.toLowerCase().match(/[a-z]+/g) ?? []
  const names = lower.flatMap((word) => {
    const symbol = word.toUpperCase()
    return TICKERS.has(symbol) ? symbol : (COMPANIES[word] ?? [])
  })
  return [...new Set([...capitals, ...names])]
}

interface Counts {
  readonly rows: readonly number[]
  readonly windows: readonly number[]
  /** A number counts neither days nor a window. */
  readonly strange: boolean
}

/** "30 days", "2 weeks", "10 most recent closes", and the window of "7-day moving average". */
function countsOf(tokens: readonly Token[]): Counts {
  const rows: number[] = []
  const windows: number[] = []
  let strange = false
  tokens.forEach((token, at) => {
    if (token.type !== 'number') return
    let next = at + (markAt(tokens, at + 1) === '-' ? 2 : 1)
    while (BEFORE_UNIT.has(wordAt(tokens, next)) || isShare(wordAt(tokens, next))) next += 1
    const unit = DAYS[wordAt(tokens, next)]
    const whole = Number.isInteger(token.term.value) && token.term.value > 0 && token.unit === ''
    // "MA7" comes as two tokens.
    if (whole && SHORT.has(wordAt(tokens, at - 1))) windows.push(token.term.value)
    else if (unit === undefined || !whole) strange = true
    else if (isWindow(tokens, next + 1)) windows.push(token.term.value * unit)
    else rows.push(token.term.value * unit)
  })
  const bare = tokens.findIndex(
    (_, at) => wordAt(tokens, at) === 'week' && tokens[at - 1]?.type !== 'number',
  )
  if (bare >= 0) rows.push(5)
  return { rows, windows, strange }
}

const SHORT = words('ma sma')

const isShare = (word: string): boolean => {
  const name = word.replace(/'s$/, '')
  return Object.hasOwn(COMPANIES, name) || TICKERS.has(name.toUpperCase())
}

function isWindow(tokens: readonly Token[], at: number): boolean {
  const word = wordAt(tokens, at) === 'simple' ? wordAt(tokens, at + 1) : wordAt(tokens, at)
  return MOVING.has(word) || word === 'moving-average'
}
