import type { Json } from '../../core/json.ts'
import type { CacheStore, Clock } from '../../core/ports.ts'

interface Kept {
  /** As JSON, so that nobody who reads it changes it. */
  readonly text: string
  readonly until: number
  readonly session: string | undefined
}

const MOST = 1000

/** Cached answers as long as the process lives; the one that was set first makes room. */
export class MemoryCacheStore implements CacheStore {
  readonly #kept = new Map<string, Kept>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async get(key: string): Promise<Json | undefined> {
    const kept = this.#kept.get(key)
    if (kept === undefined || kept.until <= this.#clock.now()) return undefined
    const value: Json = JSON.parse(kept.text)
    return value
  }

  async set(key: string, value: Json, ttlMs: number, session?: string): Promise<void> {
    this.#kept.delete(key)
    this.#kept.set(key, { text: JSON.stringify(value), until: this.#clock.now() + ttlMs, session })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST) return
      this.#kept.delete(oldest)
    }
  }

  /** Forgets what was answered for a conversation. */
  drop(_runs: readonly string[], session?: string): void {
    for (const [key, kept] of this.#kept) {
      if (session !== undefined && kept.session === session) this.#kept.delete(key)
    }
  }

  /** How many have had their time; they go, unless they are only counted. */
  outdated(dryRun: boolean): number {
    const now = this.#clock.now()
    const over = [...this.#kept].filter(([, { until }]) => until <= now)
    if (!dryRun) for (const [key] of over) this.#kept.delete(key)
    return over.length
  }
}
