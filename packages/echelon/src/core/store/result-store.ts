import type { Json } from '../value/json.ts'

/** The answer to a claim of an idempotency key. */
export type KeyClaim =
  /** Execute as this run. A process that had the key before died, and may have started the run. */
  | { readonly type: 'yours'; readonly run: string }
  /** Wait and ask again: a live process executes it. */
  | { readonly type: 'under-way'; readonly run: string }
  | { readonly type: 'done'; readonly run: string; readonly result: Json }
  /** The key was used with another input. */
  | { readonly type: 'other-input' }

/**
 * Port: results by idempotency key, for all processes that share a store: the same key executes
 * once. A key belongs to the process that claimed it until that settles it or dies.
 * `resultStoreContract` tests it.
 */
export interface ResultStore {
  /**
   * @param input what decides about the result, as text; a digest of it is kept
   * @param run the id of the run that would be begun
   */
  claim(key: string, input: string, run: string): Promise<KeyClaim>
  /** Keeps the result, for all who ask. */
  settle(key: string, result: Json): Promise<void>
  /** Nothing is to be kept: the next one with the key executes. */
  release(key: string): Promise<void>
  /**
   * This process does nothing more for it, as if it had died: the next one with the key is told the
   * same run, and goes on with that. Nothing for a key that it does not hold.
   */
  leave(key: string): Promise<void>
}
