import type { FromOutside } from 'echelon/internal/journal'
import type { Entry } from 'echelon/runtime'
import type { Postgres } from '../connection/database.ts'
import { keptJson } from '../kept-json.ts'

/** Interval at which a process checks for entries from others, in milliseconds: one query for all its runs. */
const POLL_MS = 100

interface Follower {
  readonly run: string
  readonly hear: (entry: FromOutside) => void
  /** The last row that was read; undefined until the first read. */
  n: number | undefined
}

/**
 * Notifies runs of this process about entries that others append to them. It polls, since a
 * notification of PostgreSQL is lost with its connection and does not pass through a pooler.
 */
export class Outside {
  readonly #db: Postgres
  readonly #followers = new Set<Follower>()
  /** By run: the last row that was delivered. */
  readonly #delivered = new Map<string, number>()
  #timer: ReturnType<typeof setInterval> | undefined
  #looking: Promise<void> = Promise.resolve()
  #isLooking = false

  constructor(db: Postgres) {
    this.#db = db
  }

  /** @param since the row with which this process took over the run: it has read all before that */
  follow(run: string, hear: (entry: FromOutside) => void, since: number | undefined): () => void {
    const follower: Follower = { run, hear, n: since }
    this.#followers.add(follower)
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS).unref()
    this.#poll()
    return () => {
      this.#followers.delete(follower)
      if (this.#followers.size === 0) this.#stop()
    }
  }

  /** Returns the last row delivered to a run, once: the caller releases the run. */
  lastDelivered(run: string): number {
    const n = this.#delivered.get(run) ?? 0
    this.#delivered.delete(run)
    return n
  }

  /** Checks at once, for entries that this process wrote. */
  async look(run: string): Promise<void> {
    if (![...this.#followers].some((follower) => follower.run === run)) return
    await this.#looking
    this.#poll()
    await this.#looking
  }

  async close(): Promise<void> {
    this.#stop()
    this.#followers.clear()
    await this.#looking
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** One query at a time. If the server is away, a later poll tries again. */
  #poll(): void {
    if (this.#isLooking || this.#followers.size === 0) return
    this.#isLooking = true
    this.#looking = this.#tellAll()
      .catch(() => undefined)
      .finally(() => {
        this.#isLooking = false
      })
  }

  async #tellAll(): Promise<void> {
    await this.#begin()
    const followers = [...this.#followers].filter(({ n }) => n !== undefined)
    const rows = await this.#db.once((queries) =>
      queries.all(
        `select journal.run, journal.n, entries_json
         from unnest($1::text[], $2::bigint[]) as mine (run, n)
         join journal on journal.run = mine.run and journal.n > mine.n and fence is null
         order by journal.n`,
        followers.map(({ run }) => run),
        followers.map(({ n }) => n ?? 0),
      ),
    )
    for (const { run, n, entries_json: text } of rows) {
      for (const follower of followers) {
        if (follower.run === run) this.#tell(follower, Number(n), text)
      }
    }
  }

  /** A run that this store does not write is followed from its writer's last row on. */
  async #begin(): Promise<void> {
    const fresh = [...this.#followers].filter(({ n }) => n === undefined)
    if (fresh.length === 0) return
    const rows = await this.#db.once((queries) =>
      queries.all(
        `select run, max(n) as n from journal where run = any($1::text[]) and fence is not null
         group by run`,
        fresh.map(({ run }) => run),
      ),
    )
    const last = new Map(rows.map(({ run, n }) => [run, Number(n)]))
    for (const follower of fresh) follower.n = last.get(follower.run) ?? 0
  }

  #tell(follower: Follower, n: number, text: unknown): void {
    if (n <= (follower.n ?? 0) || !this.#followers.has(follower)) return
    follower.n = n
    this.#delivered.set(follower.run, n)
    const what = `the journal of the run ${follower.run}`
    const entries: readonly Entry[] = keptJson(this.#db.place, what, text)
    for (const entry of entries) {
      if (entry.type === 'replied' || entry.type === 'cancel-asked') follower.hear(entry)
    }
  }
}
