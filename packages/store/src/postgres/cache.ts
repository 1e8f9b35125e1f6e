import { createHash } from 'node:crypto'
import type { CacheStore } from 'echelon/middleware'
import type { Clock, Json } from 'echelon/runtime'
import type { Postgres } from './connection/database.ts'
import { keptJson } from './kept-json.ts'

export interface PostgresCacheOptions {
  /** Entries that expire first make room. Default 10,000. */
  readonly maxEntries?: number
  /** Longer values, as UTF-8 JSON, are not stored. Default 1 MiB. */
  readonly maxEntryBytes?: number
}

/** Expired entries are removed once per this many writes, and at the first. */
const SWEEP_EVERY = 200

/**
 * Cached answers for all processes that share the database. A key is stored as its digest, since it
 * holds the whole question.
 */
export class PostgresCache implements CacheStore {
  readonly #db: Postgres
  readonly #clock: Clock
  readonly #maxEntries: number
  readonly #maxEntryBytes: number
  #writes = 0

  constructor(db: Postgres, clock: Clock, options: PostgresCacheOptions = {}) {
    this.#db = db
    this.#clock = clock
    this.#maxEntries = options.maxEntries ?? 10_000
    this.#maxEntryBytes = options.maxEntryBytes ?? 1024 * 1024
  }

  async get(key: string): Promise<Json | undefined> {
    const row = await this.#db.get(
      'select value_json from cache where key = $1 and expires_at > $2',
      digestOf(key),
      this.#clock.now(),
    )
    if (row === undefined) return undefined
    const value: Json = keptJson(this.#db.place, 'a cached answer', row['value_json'])
    return value
  }

  async set(key: string, value: Json, ttlMs: number, session?: string): Promise<void> {
    const digest = digestOf(key)
    const text = JSON.stringify(value)
    if (Buffer.byteLength(text) > this.#maxEntryBytes) {
      // Drop the previous value: it is out of date.
      await this.#db.run('delete from cache where key = $1', digest)
      return
    }
    const now = this.#clock.now()
    if (this.#writes++ % SWEEP_EVERY === 0) await this.#sweep(now)
    await this.#db.run(
      `insert into cache (key, value_json, expires_at, session) values ($1, $2, $3, $4)
       on conflict (key) do update set value_json = excluded.value_json,
         expires_at = excluded.expires_at, session = excluded.session`,
      digest,
      text,
      now + ttlMs,
      session ?? null,
    )
  }

  /** Rows that another process sweeps are left to it, so that two never wait for each other. */
  async #sweep(now: number): Promise<void> {
    // Leaves room until the next sweep.
    const kept = Math.max(0, this.#maxEntries - SWEEP_EVERY)
    await this.#db.run(
      `delete from cache where key in (select key from cache
         where expires_at <= $1 or key in (
           select key from cache order by expires_at desc offset $2)
         for update skip locked)`,
      now,
      kept,
    )
  }
}

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex')
