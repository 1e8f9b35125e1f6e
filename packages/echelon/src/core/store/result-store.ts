import type { Json } from '../value/json.ts'

/** The answer to a claim of an idempotency key. */
export type KeyClaim =
  /** Execute as this run. An earlier process with the key died, and may have started the run. */
  | { readonly type: 'yours'; readonly run: string }
  /** Wait and ask again: a live process executes it. */
  | { readonly type: 'under-way'; readonly run: string }
  | { readonly type: 'done'; readonly run: string; readonly result: Json }
  /** The key was used with a different input. */
  | { readonly type: 'other-input' }

/**
 * Port: results by idempotency key, for all processes that share a store: each key executes once. A key
 * belongs to the process that claimed it until that process settles it or dies.
 * `resultStoreContract` tests it.
 */
export interface ResultStore {
  /**
   * @param input everything that determines the result, as text; only its digest is kept
   * @param run the id of the run to start
   */
  claim(key: string, input: string, run: string): Promise<KeyClaim>
  /** Stores the result for all callers. */
  settle(key: string, result: Json): Promise<void>
  /** Stores no result: the next caller with the key executes. */
  release(key: string): Promise<void>
  /**
   * Gives up the key, as if this process had died: the next caller with the key gets the same run and
   * resumes it. Ignored for a key that this process does not hold.
   */
  leave(key: string): Promise<void>
}
