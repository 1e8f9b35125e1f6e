import { createHash } from 'node:crypto'
import type { KeyClaim, ResultStore } from 'echelon/internal/store'
import type { Clock, Json } from 'echelon/runtime'
import { keyLost } from '../key-lost.ts'
import type { Postgres, Queries } from './connection/database.ts'
import { keptJson } from './kept-json.ts'
import { keyLease, type Lease, type Leases } from './runs/leases.ts'

/** A claim, and the lease of a key that is ours. */
interface Claimed {
  readonly claim: KeyClaim
  readonly lease?: Lease
}

/**
 * Results by idempotency key. The executing process holds the lease of the key and settles with its
 * fence.
 */
export class PostgresResults implements ResultStore {
  readonly #db: Postgres
  readonly #leases: Leases
  readonly #clock: Clock
  readonly #held = new Map<string, Lease>()

  constructor(db: Postgres, leases: Leases, clock: Clock) {
    this.#db = db
    this.#leases = leases
    this.#clock = clock
  }

  async claim(key: string, input: string, run: string): Promise<KeyClaim> {
    const digest = createHash('sha256').update(input).digest('hex')
    const { claim, lease } = await this.#db.transaction((queries) =>
      this.#claim(queries, key, digest, run),
    )
    if (lease !== undefined) {
      this.#held.set(key, lease)
      this.#leases.keep(lease)
    }
    return claim
  }

  async settle(key: string, result: Json): Promise<void> {
    const text = JSON.stringify(result)
    await this.#finish(key, (queries) =>
      queries.run(
        'update results set result_json = $1, at = $2 where key = $3 and result_json is null',
        text,
        this.#clock.now(),
        key,
      ),
    )
  }

  async release(key: string): Promise<void> {
    await this.#finish(key, (queries) =>
      queries.run('delete from results where key = $1 and result_json is null', key),
    )
  }

  async leave(key: string): Promise<void> {
    const lease = this.#held.get(key)
    this.#held.delete(key)
    if (lease === undefined) return
    this.#leases.forget(lease)
    await this.#db.transaction((queries) => this.#leases.release(queries, lease))
  }

  async #claim(queries: Queries, key: string, digest: string, run: string): Promise<Claimed> {
    // Locked first: of two claims of a new key, one sees what the other has written.
    const other = await this.#leases.lock(queries, keyLease(key))
    const found = await queries.get(
      'select input_digest, run, result_json from results where key = $1',
      key,
    )
    if (found !== undefined && found['input_digest'] !== digest)
      return { claim: { type: 'other-input' } }
    const first = found === undefined ? run : String(found['run'])
    if (typeof found?.['result_json'] === 'string') {
      const what = `the result by key of the run ${first}`
      const result: Json = keptJson(this.#db.place, what, found['result_json'])
      await this.#dropFree(queries, key, other !== undefined)
      return { claim: { type: 'done', run: first, result } }
    }
    if (other !== undefined) return { claim: { type: 'under-way', run: first } }
    const lease = await this.#leases.takeLocked(queries, keyLease(key), first)
    await queries.run(
      `insert into results (key, input_digest, run, at) values ($1, $2, $3, $4)
       on conflict (key) do nothing`,
      key,
      digest,
      first,
      this.#clock.now(),
    )
    return { claim: { type: 'yours', run: first }, lease }
  }

  /** A settled key needs no lease: the lock has created the row again. */
  async #dropFree(queries: Queries, key: string, isHeld: boolean): Promise<void> {
    if (!isHeld) await queries.run('delete from leases where name = $1', keyLease(key))
  }

  async #finish(key: string, write: (queries: Queries) => Promise<number>): Promise<void> {
    const lease = this.#held.get(key)
    if (lease === undefined) throw keyLost(key)
    const isDone = await this.#db.transaction(async (queries) => {
      if (!(await this.#leases.holds(queries, lease))) return false
      const changed = await write(queries)
      await this.#leases.drop(queries, lease)
      return changed > 0
    })
    this.#held.delete(key)
    this.#leases.forget(lease)
    if (!isDone) throw keyLost(key)
  }
}
