import type { Clock } from 'echelon/runtime'
import type { RetryPolicy } from 'echelon/middleware'
import type { Does } from 'echelon/internal/tool'

/**
 * How much a server's own word about its tools is worth: `nothing`, so that each call is asked for;
 * `reads`, so that what it declares to be read-only runs unasked; `everything`, so that nothing is
 * asked for.
 */
export type McpTrust = 'nothing' | 'reads' | 'everything'

/** What is known better than the server says, of one tool. */
export interface McpToolRule {
  readonly does?: Does
  readonly needsApproval?: boolean
  /** Milliseconds. */
  readonly timeoutMs?: number
}

/** How a connection is: `reconnecting` after it was lost, `down` when that did not help. */
export type McpState = 'connected' | 'reconnecting' | 'down' | 'closed'

export interface McpOptions {
  /** Default `reads`. */
  readonly trust?: McpTrust
  /** Of single tools, by the names that the server has for them. */
  readonly rules?: Readonly<Record<string, McpToolRule>>
  /**
   * The tools that are wanted, by the names that the server has for them; default all of them. One
   * that there is not when connecting is refused.
   */
  readonly only?: readonly string[]
  /** Of one call, in milliseconds; default 60,000. */
  readonly timeoutMs?: number
  /** Of connecting and listing, in milliseconds; default 30,000. */
  readonly connectTimeoutMs?: number
  /** Characters of a result that are handed on; default 50,000. */
  readonly maxResultCharacters?: number
  /** How a lost connection is made anew; default five tries, after 0.25 s and twice as long each. */
  readonly reconnect?: RetryPolicy
  /** Hears of each change of the connection; `why` is a sentence. */
  readonly onState?: (state: McpState, why: string) => void
  /** Hears that `tools` has others now: the server said so, or came back with others. */
  readonly onTools?: () => void
  /** Default that of the machine. */
  readonly clock?: Clock
  /** In [0, 1), to spread reconnecting out; default `Math.random`. */
  readonly random?: () => number
  /** Gives up connecting. */
  readonly signal?: AbortSignal
}

export const DEFAULT_RECONNECT: RetryPolicy = { retries: 5, baseMs: 250, factor: 2, jitter: 0.2 }
