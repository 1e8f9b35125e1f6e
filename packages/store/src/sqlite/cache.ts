import { createHash } from 'node:crypto'
import type { Json, Clock } from 'echelon/runtime'
import type { CacheStore } from 'echelon/middleware'
import { type Database, isBusy } from './file/database.ts'
import { keptJson } from './kept-json.ts'
import type { Prepared } from './file/prepared.ts'
import { wholeIn } from './checksum/summed-tables.ts'

export interface SqliteCacheOptions {
  /** Entries that expire first make room. Default 10,000. */
  readonly maxEntries?: number
  /** Longer values, as UTF-8 JSON, are not stored. Default 1 MiB. */
  readonly maxEntryBytes?: number
}

/** Expired entries are removed once per this many writes, and at the first. */
const SWEEP_EVERY = 200

/**
 * Cached answers for all processes that share the file. A key is stored as its digest, since it
 * holds the whole question. A damaged answer is ignored. The newest answers may be lost when the
 * machine fails: they can be asked again.
 */
export class SqliteCache implements CacheStore {
  readonly #db: Database
  readonly #clock: Clock
  readonly #maxEntries: number
  readonly #maxEntryBytes: number
  readonly #statements = new Map<Database, Statements>()
  #writes = 0

  constructor(db: Database, clock: Clock, options: SqliteCacheOptions = {}) {
    this.#db = db
    this.#clock = clock
    this.#maxEntries = options.maxEntries ?? 10_000
    this.#maxEntryBytes = options.maxEntryBytes ?? 1024 * 1024
  }

  async get(key: string): Promise<Json | undefined> {
    const row = this.#prepared(this.#db.loose).get.get(digestOf(key), this.#clock.now())
    if (row === undefined) return undefined
    const value: Json = keptJson(this.#db.path, 'a cached answer', row['value_json'])
    return value
  }

  async set(key: string, value: Json, ttlMs: number, session?: string): Promise<void> {
    const digest = digestOf(key)
    const text = JSON.stringify(value)
    if (Buffer.byteLength(text) > this.#maxEntryBytes) {
      // Drop the previous value: it is out of date.
      this.#write(({ drop }) => void drop.run(digest))
      return
    }
    const now = this.#clock.now()
    if (this.#writes++ % SWEEP_EVERY === 0) this.#write((by, db) => this.#sweep(by, db, now))
    this.#write(({ set }) => void set.run(digest, text, now + ttlMs, session ?? null))
  }

  #sweep({ expire, bound }: Statements, db: Database, now: number): void {
    db.transaction(() => {
      expire.run(now)
      // Leaves room until the next sweep.
      bound.run(Math.max(0, this.#maxEntries - SWEEP_EVERY))
    })
  }

  /**
   * The fast connection gives up soon when others write for long; the patient one waits for them.
   */
  #write(work: (statements: Statements, db: Database) => void): void {
    const { loose } = this.#db
    try {
      work(this.#prepared(loose), loose)
    } catch (error) {
      if (!isBusy(error)) throw error
      work(this.#prepared(this.#db), this.#db)
    }
  }

  #prepared(db: Database): Statements {
    const known = this.#statements.get(db) ?? prepare(db)
    this.#statements.set(db, known)
    return known
  }
}

type Statements = Readonly<Record<'get' | 'set' | 'drop' | 'expire' | 'bound', Prepared>>

const prepare = (db: Database): Statements => ({
  get: db.prepare(
    `select value_json from cache where key = ? and expires_at > ? and ${wholeIn('cache')}`,
  ),
  set: db.prepare(
    `insert into cache (key, value_json, expires_at, session) values (?, ?, ?, ?)
     on conflict (key) do update set value_json = excluded.value_json,
       expires_at = excluded.expires_at, session = excluded.session`,
  ),
  drop: db.prepare('delete from cache where key = ?'),
  expire: db.prepare('delete from cache where expires_at <= ?'),
  bound: db.prepare(
    `delete from cache where key in
       (select key from cache order by expires_at desc limit -1 offset ?)`,
  ),
})

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex')
