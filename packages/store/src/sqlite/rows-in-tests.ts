import { ENDED_SQL } from '../run-status.ts'
import type { SQLInputValue } from 'node:sqlite'
import type { Entry } from '../../../echelon/src/core/journal/journal.ts'
import type { Clock } from '../../../echelon/src/core/agent/ports.ts'
import type { SessionChange } from '../../../echelon/src/core/store/session-store.ts'
import { Database } from './file/database.ts'
import { Leases } from './runs/leases.ts'
import { RunWriter } from './runs/run-writer.ts'
import { sessionWriter } from './sessions/session-rows.ts'

/** Direct access to a store's rows, for tests that break its rules. */
export class Rows {
  readonly clock: Clock
  readonly #db: Database

  private constructor(db: Database, clock: Clock) {
    this.#db = db
    this.clock = clock
  }

  static async of({ path }: { readonly path: string }, clock: Clock): Promise<Rows> {
    return new Rows(await Database.open(path), clock)
  }

  run(sql: string, ...values: readonly SQLInputValue[]): void {
    this.#db.prepare(sql).run(...values)
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#db.prepare(sql).all(...values)
  }

  hasRun(id: string): boolean {
    return this.all('select 1 from runs where id = ?', id).length > 0
  }

  hasEnded(id: string): boolean {
    const ended = `select 1 from runs where id = ? and status in ${ENDED_SQL}`
    return this.all(ended, id).length > 0
  }

  /** Appends to a run that another process may hold. */
  append(id: string, entries: readonly Entry[]): void {
    new RunWriter(this.#db, this.clock, new Leases(this.#db, this.clock)).appendFree(id, entries)
  }

  /** Changes a conversation, also during a turn. */
  write(change: SessionChange): void {
    this.#db.transaction(() => sessionWriter(this.#db)(change))
  }

  /** Frees the lease of a run, as if its process had released it. */
  release(id: string): void {
    this.run('update leases set holder = null, run = null where name = ?', `run:${id}`)
  }
}

type Row = Readonly<Record<string, unknown>>
