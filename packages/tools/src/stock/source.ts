import type { DailyClose } from './daily-close.ts'

/**
 * Port: where closing prices come from.
 * Contract: `fetch` gives the latest `n` trading days, ascending, each date once, or all there are
 * when these are fewer. It fails with `ToolError`: INVALID_ARGS for a ticker it does not know,
 * NET_TIMEOUT and RATE_LIMIT where a second try may help, TOOL_ERROR for anything else; when the
 * signal aborts, with the signal's reason.
 */
export interface StockSource {
  /** For messages, as in "there are no prices of XYZ at …". */
  readonly name: string
  /** Whose data these are; stands beside them in every result. */
  readonly attribution: string
  /** `ticker` is in capitals and fits `TICKER`. */
  fetch(ticker: string, n: number, signal: AbortSignal): Promise<readonly DailyClose[]>
}

/** A ticker symbol as exchanges and data services write them: AAPL, BRK.B, 0700.HK, ^GSPC, EURUSD=X. */
export const TICKER: RegExp = /^[A-Z0-9^][A-Z0-9.^=-]{0,15}$/i
