import { createHash } from 'node:crypto'
import type { Json, Clock } from 'echelon/runtime'
import type { KeyClaim, ResultStore } from 'echelon/internal/store'
import { keyLost } from '../key-lost.ts'
import type { Database } from './file/database.ts'
import { keptJson } from './kept-json.ts'
import type { Prepared } from './file/prepared.ts'
import type { Lease, Leases } from './runs/leases.ts'
import { checkedIn, SUMMED } from './checksum/summed-tables.ts'

/**
 * Results by idempotency key. The executing process holds the lease of the key and settles with its
 * fence.
 */
export class SqliteResults implements ResultStore {
  readonly #db: Database
  readonly #leases: Leases
  readonly #clock: Clock
  readonly #find: Prepared
  readonly #begin: Prepared
  readonly #settle: Prepared
  readonly #drop: Prepared
  readonly #held = new Map<string, Lease>()

  constructor(db: Database, leases: Leases, clock: Clock) {
    this.#db = db
    this.#leases = leases
    this.#clock = clock
    this.#find = db.prepare(
      `select input_digest, run, result_json, ${checkedIn('results')} from results where key = ?`,
    )
    this.#begin = db.prepare(
      'insert into results (key, input_digest, run, at) values (?, ?, ?, ?) on conflict (key) do nothing',
    )
    this.#settle = db.prepare(
      `update results set result_json = ?, at = ? where key = ? and result_json is null
       and ${IS_HOLDER}`,
    )
    this.#drop = db.prepare(
      `delete from results where key = ? and result_json is null and ${IS_HOLDER}`,
    )
  }

  async claim(key: string, input: string, run: string): Promise<KeyClaim> {
    const digest = createHash('sha256').update(input).digest('hex')
    return this.#db.transaction((): KeyClaim => {
      const found = this.#find.get(key)
      if (found !== undefined && found['input_digest'] !== digest) return { type: 'other-input' }
      const first = found === undefined ? run : String(found['run'])
      if (typeof found?.['result_json'] === 'string') {
        const what = SUMMED.results.name(first, '')
        const result: Json = keptJson(this.#db.path, what, found['result_json'])
        return { type: 'done', run: first, result }
      }
      const lease = this.#leases.take(keyLease(key), first)
      if (!('fence' in lease)) return { type: 'under-way', run: first }
      this.#begin.run(key, digest, first, this.#clock.now())
      this.#held.set(key, lease)
      return { type: 'yours', run: first }
    })
  }

  async settle(key: string, result: Json): Promise<void> {
    const text = JSON.stringify(result)
    this.#finish(key, ({ name, fence }) =>
      this.#settle.run(text, this.#clock.now(), key, name, this.#leases.holder, fence),
    )
  }

  async release(key: string): Promise<void> {
    this.#finish(key, ({ name, fence }) => this.#drop.run(key, name, this.#leases.holder, fence))
  }

  async leave(key: string): Promise<void> {
    const lease = this.#held.get(key)
    this.#held.delete(key)
    if (lease !== undefined) this.#leases.release(lease)
  }

  #finish(key: string, write: (lease: Lease) => { readonly changes: number | bigint }): void {
    const lease = this.#held.get(key)
    if (lease === undefined) throw keyLost(key)
    const isDone = this.#db.transaction(() => {
      const { changes } = write(lease)
      this.#leases.drop(lease.name)
      return Number(changes) > 0
    })
    this.#held.delete(key)
    if (!isDone) throw keyLost(key)
  }
}

const IS_HOLDER = 'exists (select 1 from leases where name = ? and holder = ? and fence = ?)'

/** The name of a key's lease. */
export const keyLease = (key: string): string => `key:${key}`
