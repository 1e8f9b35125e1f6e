import type { Clock } from 'echelon/runtime'
import type { RetryPolicy } from 'echelon/middleware'
import type { Does } from 'echelon/internal/tool'

/**
 * Trust in a server's own annotations: `nothing`, every call asks; `reads`, a tool
 * declared read-only runs without asking; `everything`, no call asks.
 */
export type McpTrust = 'nothing' | 'reads' | 'everything'

/** Overrides what the server says of one tool. */
export interface McpToolRule {
  readonly does?: Does
  readonly needsApproval?: boolean
  /** In milliseconds. */
  readonly timeoutMs?: number
}

/** State of a connection: `reconnecting` after it was lost, `down` when reconnecting failed. */
export type McpState = 'connected' | 'reconnecting' | 'down' | 'closed'

export interface McpOptions {
  /** Default `reads`. */
  readonly trust?: McpTrust
  /** Overrides for single tools, by the server's names. */
  readonly rules?: Readonly<Record<string, McpToolRule>>
  /**
   * The tools to offer, by the server's names; default all. Connecting fails for a name that the
   * server does not have.
   */
  readonly only?: readonly string[]
  /** Time limit of one call, in milliseconds; default 60,000. */
  readonly timeoutMs?: number
  /** Time limit of connecting and listing, in milliseconds; default 30,000. */
  readonly connectTimeoutMs?: number
  /** Characters of a result that the model gets; default 50,000. */
  readonly maxResultCharacters?: number
  /** Retries after a lost connection; default five, the first after 0.25 s, doubling each time. */
  readonly reconnect?: RetryPolicy
  /** Called on each change of state; `why` is a sentence. */
  readonly onState?: (state: McpState, why: string) => void
  /** Called when `tools` has changed, on the server's notice or after a reconnect. */
  readonly onTools?: () => void
  /** Default the system clock. */
  readonly clock?: Clock
  /** Returns a number in [0, 1) that spreads reconnects out; default `Math.random`. */
  readonly random?: () => number
  /** Aborts connecting. */
  readonly signal?: AbortSignal
}

export const DEFAULT_RECONNECT: RetryPolicy = { retries: 5, baseMs: 250, factor: 2, jitter: 0.2 }
