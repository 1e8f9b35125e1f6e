import type { Json } from '../value/json.ts'

/** Port: time. The only source of it in core, runtime and agents. `clockContract` tests it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Calls back once after so many milliseconds; the returned function forgets it.
   * @param kind `limit` for a time limit, which is nearly always forgotten before it is due. A hint: a
   *   clock may set the timer only after the current turn of the event loop, or ignore it
   */
  after(ms: number, callback: () => void, kind?: 'limit'): () => void
}

/** Port: identifiers. `idsContract` tests it. */
export interface Ids {
  /** A new UUID. */
  next(): string
}

/** Port: named memories with versions. `memoryStoreContract` tests it. */
export interface MemoryStore {
  /**
   * Contract: a memory that was never written is `null`, and of version 0. The query is the store's
   * own affair; `null` asks for all.
   */
  read(memory: string, query: Json): Promise<{ readonly value: Json; readonly version: number }>
  /**
   * Contract: idempotent under `key`: done once, and the same answer again, whatever was written
   * meanwhile. Returns the new version, which is higher than the one before, or `conflict` when
   * `ifVersion` is not the current one.
   */
  write(
    memory: string,
    value: Json,
    options: { readonly key: string; readonly ifVersion?: number },
  ): Promise<number | 'conflict'>
}

/**
 * Port: states that outlive a run and are common to many.
 * Contract: what `set` was given, `get` returns from then on; both at once, without a wait.
 * `sharedStatesContract` tests it.
 */
export interface SharedStates {
  get(key: string): Json | undefined
  set(key: string, state: Json): void
}

/**
 * Port: answers kept for a while, in this process or for many.
 * Contract: `get` gives what was last `set` under the key while its time lasts, and nothing after
 * it; an entry may go earlier, for want of room. `cacheContract` tests it.
 */
export interface CacheStore {
  get(key: string): Promise<Json | undefined>
  /**
   * @param ttlMs how long it is kept, in milliseconds
   * @param session the conversation that it was answered for: it goes when that is deleted
   */
  set(key: string, value: Json, ttlMs: number, session?: string): Promise<void>
}
