import type { Entry } from 'echelon/runtime'
import type { FromOutside } from 'echelon/internal/journal'
import type { Database } from './database.ts'
import { keptJson } from '../kept-json.ts'
import type { Prepared } from './prepared.ts'
import { checkedIn } from '../checksum/summed-tables.ts'

/** Interval at which a run checks for entries from other processes, in milliseconds. */
const POLL_MS = 100

interface Follower {
  readonly run: string
  readonly hear: (entry: FromOutside) => void
  /** The last row that was read. */
  n: number
}

/** Notifies runs of this process about entries that other processes append to them. */
export class Outside {
  readonly #path: string
  readonly #version: Prepared
  readonly #last: Prepared
  readonly #news: Prepared
  readonly #followers = new Set<Follower>()
  /** By run: the last row that was delivered. */
  readonly #delivered = new Map<string, number>()
  #seen = -1
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(db: Database) {
    this.#path = db.path
    // Changes when another connection has written, and costs next to nothing to read.
    this.#version = db.prepare('pragma data_version')
    this.#last = db.prepare('select max(n) as n from journal where run = ? and fence is not null')
    this.#news = db.prepare(
      `select n, entries_json, ${checkedIn('journal')} from journal
       where run = ? and n > ? and fence is null order by n`,
    )
  }

  /** @param since the row with which this process took over the run: it has read all before that */
  follow(run: string, hear: (entry: FromOutside) => void, since: number | undefined): () => void {
    const follower: Follower = { run, hear, n: since ?? Number(this.#last.get(run)?.['n'] ?? 0) }
    this.#followers.add(follower)
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS).unref()
    this.look(run)
    return () => {
      this.#followers.delete(follower)
      if (this.#followers.size === 0) this.close()
    }
  }

  /** Returns the last row delivered to a run, once: the caller releases the run. */
  lastDelivered(run: string): number {
    const n = this.#delivered.get(run) ?? 0
    this.#delivered.delete(run)
    return n
  }

  /** Checks at once, for entries that this process wrote. */
  look(run: string): void {
    for (const follower of this.#followers) if (follower.run === run) this.#tell(follower)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #poll(): void {
    try {
      const version = Number(this.#version.get()?.['data_version'])
      if (version === this.#seen) return
      for (const follower of this.#followers) this.#tell(follower)
      this.#seen = version
    } catch {
      // The file is busy; the next poll tries again.
    }
  }

  #tell(follower: Follower): void {
    const what = `the journal of the run ${follower.run}`
    for (const { n, entries_json: text } of this.#news.all(follower.run, follower.n)) {
      follower.n = Number(n)
      this.#delivered.set(follower.run, follower.n)
      const entries: readonly Entry[] = keptJson(this.#path, what, text)
      for (const entry of entries) {
        if (entry.type === 'replied' || entry.type === 'cancel-asked') follower.hear(entry)
      }
    }
  }
}
