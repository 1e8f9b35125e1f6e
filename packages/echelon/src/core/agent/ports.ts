import type { Json } from '../value/json.ts'

/** Port: the only source of time in core, runtime and agents. `clockContract` tests it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Calls back once after `ms` milliseconds. The returned function cancels the timer.
   * @param kind `limit` for a time limit, which is nearly always canceled before it fires. It is a
   *   hint: a clock may set the timer after the current turn of the event loop, or ignore the hint
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
   * Contract: a memory that was never written is `null` and has version 0. The store defines what a
   * query means; `null` reads all.
   */
  read(memory: string, query: Json): Promise<{ readonly value: Json; readonly version: number }>
  /**
   * Contract: idempotent by `key`: a repeated write does nothing and returns the first answer,
   * whatever was written since. Returns the new version, higher than the previous one, or
   * `conflict` when `ifVersion` is not the current version.
   */
  write(
    memory: string,
    value: Json,
    options: { readonly key: string; readonly ifVersion?: number },
  ): Promise<number | 'conflict'>
}

/**
 * Port: states that outlive a run and are shared by many runs.
 * Contract: `get` returns the last value passed to `set`; both are synchronous.
 * `sharedStatesContract` tests it.
 */
export interface SharedStates {
  get(key: string): Json | undefined
  set(key: string, state: Json): void
}

/**
 * Port: a cache of answers, for this process or shared by several.
 * Contract: `get` returns the last value `set` under the key until its TTL ends, and `undefined`
 * afterwards; the store may evict an entry earlier to free space. `cacheContract` tests it.
 */
export interface CacheStore {
  get(key: string): Promise<Json | undefined>
  /**
   * @param ttlMs time to live, in milliseconds
   * @param session the session that it belongs to: deleting the session deletes the entry
   */
  set(key: string, value: Json, ttlMs: number, session?: string): Promise<void>
}
