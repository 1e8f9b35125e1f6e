import type { Marked } from './numbers.ts'
import type { Action } from './plan.ts'

const COMPANIES: Readonly<Record<string, string>> = {
  apple: 'AAPL',
  microsoft: 'MSFT',
  google: 'GOOGL',
  alphabet: 'GOOGL',
  amazon: 'AMZN',
  tesla: 'TSLA',
  nvidia: 'NVDA',
}

/** Every word that a stock request may hold besides the ticker: one unknown word and it is declined. */
const WORDS = new Set(
  (
    'a ah all also and any are as at average averages be calculate can chart charted charts close closed ' +
    'closes closing compute could course create daily data day days display draw during each fetch find for from get give ' +
    'graph had has have high highest history how i in inc include including is it its last latest line look low lowest ' +
    'ma make maximum me mean minimum most moving need of on over overlay past please plot plotted plotting plots price prices ' +
    'quote quotes recent recently sessions share shares show stock stocks task tell that the their them then ' +
    "these this ticker to together trading value values want was were what what's which with would you along " +
    'sma simple visualize visualise visualization picture image png trend s add using same by print list see'
  ).split(' '),
)
const ABOUT_STOCKS =
  /\b(?:stocks?|shares?|clos(?:e|es|ed|ing)|ticker|moving average|trading days|prices?|quotes?)\b/
const NOT_TICKERS = new Set([
  'A',
  'I',
  'MA',
  'SMA',
  'PNG',
  'THE',
  'AND',
  'FOR',
  'OF',
  'PLOT',
  'SHOW',
  'DAY',
  'DAYS',
])
const PLOT = /\b(?:plot\w*|charts?|charted|graph|draw|visuali[sz]\w+|picture|image)\b/
const STATISTICS =
  /\b(?:moving average|sma|ma|ma-?7|average|mean|high|highest|low|lowest|maximum|minimum)\b/
const WINDOW =
  /#(?<n>\d+)[- ](?:day|days|session|period)s? (?:simple )?(?:moving averages?|sma|ma)\b|\bma-?(?<glued>\d+)\b/g
const DAYS =
  /#(?<n>\d+)[- ]?(?:most recent |latest |last )?(?:trading |closing |daily )?(?:days?|sessions|closes|closing|prices|closing prices|values)\b/g
const DEFAULT_DAYS = 30
/** Asks for more than the latest price, though no number of days is said. */
const HISTORY =
  /\b(?:plot\w*|charts?|charted|graph|draw|visuali[sz]\w+|picture|image|history|prices|recent|trend|moving average|sma|ma|ma-?7|average|mean)\b/

/**
 * Reads a request for closing prices: fetch, then statistics and a plot as far as they are asked.
 * Undefined when a word or number of the request plays no part in that.
 */
export function readStock(question: string, marked: Marked): readonly Action[] | undefined {
  if (![ABOUT_STOCKS, PLOT, STATISTICS].some((cue) => cue.test(marked.text))) return undefined
  const ticker = findTicker(question)
  const n = ticker && countDays(marked)
  if (!ticker || n === undefined || !onlyKnownWords(marked.text, ticker)) return undefined
  const fetch: Action = { tool: 'data_fetch_stock', args: { ticker: ticker.symbol, n } }
  const analyse: Action = { tool: 'numeric_analysis', args: { series: '$1.series' } }
  const plot: Action = {
    tool: 'plotter',
    args: { series: '$1.series', ma7: '$2.ma7', title: ticker.symbol },
  }
  if (PLOT.test(marked.text)) return [fetch, analyse, plot]
  return STATISTICS.test(marked.text) ? [fetch, analyse] : [fetch]
}

interface Ticker {
  readonly symbol: string
  /** As written, in lower case. */
  readonly written: string
}

/** The one ticker or company that is named; undefined for none and for two. */
function findTicker(question: string): Ticker | undefined {
  const found = new Map<string, string>()
  for (const [word] of question.matchAll(/\p{L}+/gu)) {
    const company = Object.hasOwn(COMPANIES, word.toLowerCase()) && COMPANIES[word.toLowerCase()]
    const isTicker = /^[A-Z]{1,5}$/.test(word) && !NOT_TICKERS.has(word)
    if (company || isTicker) found.set(company || word, word.toLowerCase())
  }
  const [first, second] = found
  return first && !second ? { symbol: first[0], written: first[1] } : undefined
}

/** Days asked for; undefined when a number is left that is neither days nor the average of seven. */
function countDays({ text, numbers }: Marked): number | undefined {
  const windows = [...text.matchAll(WINDOW)]
  if (windows.some(({ groups }) => groups && window(groups, numbers) !== 7)) return undefined
  const days = [...text.replace(WINDOW, '').matchAll(DAYS)]
  const rest = text.replace(WINDOW, '').replace(DAYS, '')
  if (days.length > 1 || /[#\d]/.test(rest)) return undefined
  const asked = days[0]?.groups?.['n']
  if (asked !== undefined) return wholeNumber(numbers[Number(asked)]?.value)
  return HISTORY.test(text) ? DEFAULT_DAYS : 1
}

/** A window is written before ("7-day moving average") or glued on ("MA7"). */
function window(
  groups: Readonly<Record<string, string | undefined>>,
  numbers: Marked['numbers'],
): number | undefined {
  const { n, glued } = groups
  return n === undefined ? Number(glued) : numbers[Number(n)]?.value
}

const wholeNumber = (value: number | undefined): number | undefined =>
  Number.isSafeInteger(value) ? value : undefined

function onlyKnownWords(text: string, ticker: Ticker): boolean {
  const words = text.replaceAll(/\bma-?7\b|#\d+|'s\b/g, ' ').match(/[^\s,.?!:;()"$-]+/g) ?? []
  return words.every((word) => WORDS.has(word) || word === ticker.written)
}
