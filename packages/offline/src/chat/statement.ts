import { isRecord } from 'echelon/internal/value'
import type { Action } from '../plan.ts'
import type { Result } from './turn.ts'

/** An action with its outcome. */
export interface Done {
  readonly action: Action
  readonly result: Result
}

/** The tools' results in sentences; says nothing else. */
export function stateResults(done: readonly Done[]): string {
  const isAlone = done.length === 1
  return done.map((one) => stateOne(one, isAlone)).join('\n')
}

function stateOne({ action, result }: Done, isAlone: boolean): string {
  const { value, tool, problem } = result
  if (value === undefined) {
    // The other results are stated, so only the plot is missing.
    const missing = tool === 'plotter' && !isAlone ? 'There is no plot' : 'I have no answer'
    return `${missing}: ${tool} ${problem}`
  }
  const sentence = sentenceOf(action, value, isAlone)
  return sentence ?? `I have no answer: I cannot read the result of ${tool}.`
}

function sentenceOf(
  { tool, args }: Action,
  value: Readonly<Record<string, unknown>>,
  isAlone: boolean,
): string | undefined {
  switch (tool) {
    case 'calculator':
      return `${plain(args['expr'])} = ${plain(value['value'])}`
    case 'calendar':
      return dateSentence(plain(args['query']), plain(value['date_str']))
    case 'data_fetch_stock':
      return pricesSentence(plain(args['ticker']), value, isAlone)
    case 'numeric_analysis':
      return analysisSentence(value)
    case 'plotter':
      return `The plot is in ${plain(value['image_path'])}.`
    default:
      return undefined
  }
}

/** A bare number counts what the phrase asks for. */
function dateSentence(query: string, answer: string): string {
  if (!/^-?[\d,.]+$/.test(answer)) return `That is ${answer}.`
  return `${query[0]?.toUpperCase() ?? ''}${query.slice(1)}: ${answer}.`
}

/** Longer lists are not spelled out. */
const MAX_LISTED = 31

function pricesSentence(
  ticker: string,
  { series, source, from, to }: Readonly<Record<string, unknown>>,
  isAlone: boolean,
): string | undefined {
  const days = Array.isArray(series) ? series.filter(isRecord) : []
  const [first, last] = [days.at(0), days.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const by = `(${plain(source)})`
  if (days.length === 1) return `${ticker} closed at ${price(last)} on ${plain(to)} ${by}.`
  const span = `${ticker} closed at ${price(first)} on ${plain(from)} and at ${price(last)} on ${plain(to)}`
  const head = `${span}; these are the latest ${days.length} trading days that the data have ${by}.`
  if (!isAlone || days.length > MAX_LISTED) return head
  return [head, ...days.map((day) => `${plain(day['date'])}  ${price(day)}`)].join('\n')
}

function analysisSentence({ stats, ma7 }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isRecord(stats)) return undefined
  const { mean, min, max, change_percent: percent } = stats
  const latest: unknown = Array.isArray(ma7) ? ma7.at(-1) : undefined
  const average = typeof latest === 'number' ? ` The 7-day average ends at ${rounded(latest)}.` : ''
  const change = typeof percent === 'number' ? `, change ${rounded(percent)} %` : ''
  return `Mean ${rounded(mean)}, lowest ${rounded(min)}, highest ${rounded(max)}${change}.${average}`
}

const price = ({ close }: Readonly<Record<string, unknown>>): string => rounded(close)

const rounded = (value: unknown): string =>
  typeof value === 'number' ? value.toFixed(2) : 'unknown'

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
