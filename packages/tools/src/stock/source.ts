import type { DailyClose } from './daily-close.ts'

/**
 * Port: a source of closing prices.
 * Contract: `fetch` returns the latest `n` trading days, ascending, each date once, or all there
 * are if fewer. It fails with `ToolError`: INVALID_ARGS for an unknown ticker, NET_TIMEOUT and
 * RATE_LIMIT when a retry may help, TOOL_ERROR for anything else; when the signal aborts, with the
 * signal's reason.
 */
export interface StockSource {
  /** Name in messages, as in "… has no prices of XYZ". */
  readonly name: string
  /** Owner of the data; part of every result. */
  readonly attribution: string
  /** `ticker` is in capitals and matches `TICKER`. */
  fetch(ticker: string, n: number, signal: AbortSignal): Promise<readonly DailyClose[]>
}

/** A ticker symbol as exchanges and data services write them: AAPL, BRK.B, 0700.HK, ^GSPC, EURUSD=X. */
export const TICKER: RegExp = /^[A-Z0-9^][A-Z0-9.^=-]{0,15}$/i
