import type { Clock } from '../core/ports.ts'
import { Database } from './sqlite/database.ts'
import { Leases } from './sqlite/leases.ts'
import { SqliteRuns } from './sqlite/run-store.ts'

export interface SqliteStoreOptions {
  readonly clock: Clock
  /**
   * How long a process that says nothing is taken for alive, in milliseconds; one that was killed on
   * this machine is known at once. Default 30,000.
   */
  readonly leaseMs?: number
}

/** Everything that outlives a process, in one file that the processes of a machine may share. */
export class SqliteStore {
  readonly runs: SqliteRuns
  readonly #db: Database
  readonly #leases: Leases

  private constructor(db: Database, { clock, leaseMs }: SqliteStoreOptions) {
    this.#db = db
    this.#leases = new Leases(db, clock, leaseMs)
    this.runs = new SqliteRuns(db, clock, this.#leases)
  }

  /** @throws EchelonError STORE_UNUSABLE with what to do */
  static async open(path: string, options: SqliteStoreOptions): Promise<SqliteStore> {
    return new SqliteStore(await Database.open(path), options)
  }

  /** The file. */
  get path(): string {
    return this.#db.path
  }

  async close(): Promise<void> {
    this.runs.close()
    this.#leases.close()
    this.#db.close()
  }
}
