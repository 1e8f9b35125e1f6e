import type { Json } from '../../core/json.ts'
import type { KeyClaim, ResultStore } from '../../core/result-store.ts'
import { keyLost } from '../key-lost.ts'

interface Row {
  readonly input: string
  readonly run: string
  /** Who executes; nothing where nobody does. */
  holder: symbol | undefined
  /** As JSON. */
  result: string | undefined
}

/** What stores that stand for several processes share. */
export type ResultRows = Map<string, Row>

/** Results by idempotency key, in memory. */
export class MemoryResults implements ResultStore {
  readonly #rows: ResultRows
  readonly #holder = Symbol('holder')

  constructor(rows: ResultRows = new Map()) {
    this.#rows = rows
  }

  async claim(key: string, input: string, run: string): Promise<KeyClaim> {
    const row = this.#rows.get(key)
    if (row === undefined) {
      this.#rows.set(key, { input, run, holder: this.#holder, result: undefined })
      return { type: 'yours', run }
    }
    if (row.input !== input) return { type: 'other-input' }
    if (row.result !== undefined) {
      const result: Json = JSON.parse(row.result)
      return { type: 'done', run: row.run, result }
    }
    if (row.holder !== undefined) return { type: 'under-way', run: row.run }
    row.holder = this.#holder
    return { type: 'yours', run: row.run }
  }

  async settle(key: string, result: Json): Promise<void> {
    const row = this.#held(key)
    row.result = JSON.stringify(result)
    row.holder = undefined
  }

  async release(key: string): Promise<void> {
    this.#held(key)
    this.#rows.delete(key)
  }

  /** Forgets what these runs left. */
  drop(runs: readonly string[]): void {
    for (const [key, row] of this.#rows) {
      if (runs.includes(row.run) && row.holder === undefined) this.#rows.delete(key)
    }
  }

  /** How many results these runs left. */
  results(runs: readonly string[]): number {
    return [...this.#rows.values()].filter(
      ({ run, result }) => result !== undefined && runs.includes(run),
    ).length
  }

  /** Lets go of all keys, as a process does that dies. */
  lapse(): void {
    for (const row of this.#rows.values()) if (row.holder === this.#holder) row.holder = undefined
  }

  #held(key: string): Row {
    const row = this.#rows.get(key)
    if (row === undefined || row.holder !== this.#holder) throw keyLost(key)
    return row
  }
}
