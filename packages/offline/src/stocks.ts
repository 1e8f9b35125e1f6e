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

/** Accepted in any case; other tickers need capitals. */
const SYMBOLS = new Set(Object.values(COMPANIES))

/** All words that a stock request may contain besides the ticker: any unknown word declines it. */
const WORDS = new Set(
  (
    'a ah all also and any are as at average averages be calculate can chart charted charts close closed ' +
    'closes closing compute could course create daily data day days display draw during each fetch find for from get give ' +
    'graph had has have high highest history how i in inc include including is it its last latest line look low lowest ' +
    'ma make maximum me mean minimum most moving need of on over overlay past please plot plotted plotting plots price prices ' +
    'quote quotes recent recently sessions share shares show stock stocks task tell that the their them then ' +
    "these this ticker to together trading value values want was were what what's which with would you along " +
    'sma simple visualize visualise visualization picture image png trend s add using same by print list see ' +
    "just only numbers figures previous preceding top drawn overlaid our my let let's like i'd market " +
    'diagram rolling peak session did do done graphs'
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
const PLOT = /\b(?:plot\w*|charts?|charted|graphs?|drawn?|visuali[sz]\w+|picture|image|diagram)\b/
/** An explicitly unwanted plot. */
const NO_PLOT =
  /\b(?:(?:no|without|not)(?: an?| any)?|skip the|(?:do not|don't)(?: (?:need|want|make|draw))?(?: an?| any| the)?) (?:plot\w*|charts?|graphs?|picture|image|diagram)\b(?: (?:needed|required|necessary|it|them)\b)?/g
const EXTREMES = /\b(?:high|highest|low|lowest|maximum|minimum|peak)\b/
const AVERAGES = /\b(?:sma|ma|ma-?7|averages?|mean)\b/
const WINDOW =
  /#(?<n>\d+)[- ](?:day|days|session|period)s? (?:simple )?(?:(?:moving|rolling) averages?|sma|ma)\b|\bma-?(?<glued>\d+)\b/g
const NAME = `(?:${Object.entries(COMPANIES).flat().join('|').toLowerCase()})`
const DAYS = new RegExp(
  `#(?<n>\\d+)[- ]?(?:most recent |latest |last )?(?:${NAME}(?:'s)? )?(?:trading |closing |daily )?(?:days?|sessions|closes|closing|prices|closing prices|values)\\b`,
  'g',
)
const DEFAULT_DAYS = 30
/** Asks for more than the latest price, but without a number of days. */
const HISTORY = /\b(?:history|prices|closes(?! at)|trend|how (?:did|has))\b/
/** Asks for a date, or for the highest average, which no tool provides. */
const BEYOND =
  /\b(?:which|what) (?:trading )?(?:day|session)s?\b|\b(?:high(?:est)?|low(?:est)?|(?:max|min)imum|peak)(?: of the)?(?: #\d+[- ]days?)? (?:moving|rolling|averages?|mean|s?ma)\b/

/**
 * Reads a request for closing prices: fetch, then statistics and a plot if requested. The plot always
 * includes the average. Undefined if a word or number of the request has no role in that.
 */
export function readStock(question: string, marked: Marked): readonly Action[] | undefined {
  const text = marked.text.replaceAll(NO_PLOT, ' ')
  const isStock = [ABOUT_STOCKS, PLOT, EXTREMES, AVERAGES].some((cue) => cue.test(text))
  if (!isStock || BEYOND.test(text)) return undefined
  const ticker = findTicker(question)
  const n = ticker && countDays({ ...marked, text })
  if (!ticker || n === undefined || !onlyKnownWords(text, ticker)) return undefined
  const fetch: Action = { tool: 'data_fetch_stock', args: { ticker, n } }
  const analyze: Action = { tool: 'numeric_analysis', args: { series: '$1.series' } }
  const plot: Action = {
    tool: 'plotter',
    args: { series: '$1.series', ma7: '$2.ma7', title: ticker },
  }
  if (PLOT.test(text)) return [fetch, analyze, plot]
  return EXTREMES.test(text) || AVERAGES.test(text) ? [fetch, analyze] : [fetch]
}

/** The one named ticker or company; undefined for none and for two. */
function findTicker(question: string): string | undefined {
  const [ticker, another] = new Set(
    [...question.matchAll(/\p{L}+/gu)].flatMap(([word]) => symbolOf(word) ?? []),
  )
  return another === undefined ? ticker : undefined
}

function symbolOf(word: string): string | undefined {
  const name = word.toLowerCase()
  if (Object.hasOwn(COMPANIES, name)) return COMPANIES[name]
  const isTicker = /^[A-Z]{1,5}$/.test(word) && !NOT_TICKERS.has(word)
  return isTicker || SYMBOLS.has(word.toUpperCase()) ? word.toUpperCase() : undefined
}

/** The requested number of days; undefined if another number remains besides the 7-day window. */
function countDays({ text, numbers }: Marked): number | undefined {
  const windows = [...text.matchAll(WINDOW)]
  if (windows.some(({ groups }) => groups && window(groups, numbers) !== 7)) return undefined
  const days = [...text.replace(WINDOW, '').matchAll(DAYS)]
  const rest = text.replace(WINDOW, '').replace(DAYS, '')
  if (days.length > 1 || /[#\d]/.test(rest)) return undefined
  const requested = days[0]?.groups?.['n']
  if (requested !== undefined) return wholeNumber(numbers[Number(requested)]?.value)
  // "The highest" without a number of days is ambiguous.
  if (EXTREMES.test(text)) return undefined
  return [HISTORY, PLOT, AVERAGES].some((cue) => cue.test(text)) ? DEFAULT_DAYS : 1
}

/** A window is written before ("7-day moving average") or attached ("MA7"). */
function window(
  groups: Readonly<Record<string, string | undefined>>,
  numbers: Marked['numbers'],
): number | undefined {
  const { n, glued } = groups
  return n === undefined ? Number(glued) : numbers[Number(n)]?.value
}

const wholeNumber = (value: number | undefined): number | undefined =>
  Number.isSafeInteger(value) ? value : undefined

function onlyKnownWords(text: string, ticker: string): boolean {
  const words = text.replaceAll(/\bma-?7\b|#\d+|'s\b/g, ' ').match(/[^\s,.?!:;()"$-]+/g) ?? []
  const names = (word: string): boolean =>
    word.toUpperCase() === ticker || symbolOf(word) === ticker
  return words.every((word) => WORDS.has(word) || names(word))
}
