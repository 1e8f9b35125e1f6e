import { EchelonError } from 'echelon/internal/value'
import { ToolError, type ToolErrorCode } from 'echelon/internal/tool'
import { boundedFetch } from './bounded-fetch.ts'
import { type CloseColumns, readCloses } from './read-closes.ts'
import { type StockSource, TICKER } from './source.ts'

export interface HttpCsvOptions {
  /**
   * URL of a CSV table. Contains `{ticker}` and optionally `{n}` in its path or query:
   * `https://stocks.example/daily/{ticker}.csv?last={n}`.
   */
  readonly url: string
  /** Owner of the data; part of every result. */
  readonly attribution: string
  /** Name in messages; default the host. */
  readonly name?: string
  /** Column names, case-insensitive; default `date` and `close`. */
  readonly columns?: Partial<CloseColumns>
  /** Request headers, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Time limit of one request in milliseconds; default 8,000, within the tool's 10,000. */
  readonly timeoutMs?: number
  /** Limit of one response in bytes; default 5 MiB. */
  readonly maxBytes?: number
}

/**
 * Fetches closing prices of any ticker from a service that returns CSV, with its days in any order.
 * Needs the package csv-parse.
 * @throws EchelonError INVALID_CONFIG for an invalid URL or header
 */
export function httpCsvSource(options: HttpCsvOptions): StockSource {
  const { timeoutMs = 8_000, maxBytes = 5 * 1024 * 1024 } = options
  const { host } = checkedTemplate(options.url)
  const headers = checkedHeaders(options.headers)
  const columns = { date: 'date', close: 'close', ...options.columns }
  const name = options.name ?? host
  return {
    name,
    attribution: options.attribution,
    async fetch(ticker, n, signal) {
      if (!TICKER.test(ticker)) throw new ToolError('INVALID_ARGS', 'that is not a ticker symbol')
      const url = fill(options.url, ticker, n)
      const { status, text } = await boundedFetch({ url, headers, timeoutMs, maxBytes, signal })
      if (status !== 200) throw refusal(status, name, ticker)
      return (await readCloses(text, columns)).slice(-n)
    },
  }
}

/** Statuses for which a retry may help. Any other is an error of the service. */
const CODES: Readonly<Record<number, ToolErrorCode>> = {
  408: 'NET_TIMEOUT',
  429: 'RATE_LIMIT',
  503: 'RATE_LIMIT',
  504: 'NET_TIMEOUT',
}

function refusal(status: number, name: string, ticker: string): ToolError {
  if (status === 404)
    return new ToolError('INVALID_ARGS', `${name} has no prices of ${ticker}`, {
      fault: 'value',
    })
  return new ToolError(CODES[status] ?? 'TOOL_ERROR', `${name} answered with status ${status}`)
}

const fill = (template: string, ticker: string, n: number): URL =>
  new URL(
    template
      .replaceAll('{ticker}', () => encodeURIComponent(ticker))
      .replaceAll('{n}', () => String(n)),
  )

/** Returns the URL for a sample ticker, after checking that a ticker cannot change the host. */
function checkedTemplate(template: string): URL {
  if (!template.includes('{ticker}')) throw unusable('does not contain {ticker}')
  const samples = ['A', 'B'].map((ticker) => template.replaceAll('{ticker}', ticker))
  const [first, second] = samples.map((sample) => URL.parse(sample.replaceAll('{n}', '1')))
  if (!first || !second) throw unusable('is not a URL')
  if (!/^https?:$/.test(first.protocol)) throw unusable('must begin with https:// or http://')
  if (first.username !== '' || first.password !== '') {
    throw unusable('holds a user name or password; send them in `headers`')
  }
  if (first.origin !== second.origin) throw unusable('has {ticker} before its path')
  return first
}

function checkedHeaders(headers: HttpCsvOptions['headers']): Headers {
  try {
    return new Headers(headers)
  } catch (cause) {
    throw new EchelonError('INVALID_CONFIG', 'a header of a stock source cannot be sent', { cause })
  }
}

const unusable = (why: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `the url of a stock source ${why}`)
