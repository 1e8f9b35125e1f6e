import type { AuditLines } from 'echelon/internal/observability'
import { EchelonError } from 'echelon/internal/value'
import type { Clock } from 'echelon/runtime'
import type { OpenedStore } from './opened-store.ts'
import { PostgresArtifactIndex } from './postgres/artifact-index.ts'
import { PostgresAudit } from './postgres/audit.ts'
import { PostgresCache } from './postgres/cache.ts'
import { Postgres } from './postgres/connection/database.ts'
import { unusableDatabase } from './postgres/connection/unusable.ts'
import { PostgresEvents } from './postgres/events.ts'
import { PostgresMemories } from './postgres/memories.ts'
import { PostgresNotes } from './postgres/notes.ts'
import { PostgresOrders } from './postgres/orders.ts'
import { PostgresResults } from './postgres/results.ts'
import { Leases } from './postgres/runs/leases.ts'
import { PostgresRuns } from './postgres/runs/run-store.ts'
import { checkVersion, migrate } from './postgres/schema/migrate.ts'
import { STORE_MIGRATIONS } from './postgres/schema/postgres-schema.ts'
import { PostgresSessions } from './postgres/sessions/sessions.ts'

export interface PostgresStoreOptions {
  readonly clock: Clock
  /** Formats the lines that a record adds to the audit log. */
  readonly auditLines: AuditLines
  /** Time that a silent process counts as alive, in milliseconds. Default 30,000. */
  readonly leaseMs?: number
  /** Interruptions without progress after which a run is given up. Default 10. */
  readonly giveUpAfter?: number
  /** Time that a query waits for a server that restarts, in milliseconds. Default one minute. */
  readonly patienceMs?: number
  /** Whether to open the store for reading only. Default false. */
  readonly look?: boolean
  /** Whether the schema may be of an older version then. Default false. */
  readonly readsOlder?: boolean
}

/**
 * Everything that outlives a process, in one schema of a PostgreSQL database that the processes of
 * many machines may share.
 */
export class PostgresStore implements OpenedStore {
  readonly runs: PostgresRuns
  readonly sessions: PostgresSessions
  readonly results: PostgresResults
  readonly memories: PostgresMemories
  readonly notes: PostgresNotes
  readonly cache: PostgresCache
  readonly events: PostgresEvents
  readonly artifacts: PostgresArtifactIndex
  readonly orders: PostgresOrders
  readonly audit: PostgresAudit
  readonly #db: Postgres
  readonly #leases: Leases

  private constructor(
    db: Postgres,
    { clock, auditLines, leaseMs, giveUpAfter }: PostgresStoreOptions,
  ) {
    const leases = new Leases(db, clock, leaseMs)
    this.#db = db
    this.#leases = leases
    this.runs = new PostgresRuns(db, clock, leases, giveUpAfter)
    this.events = new PostgresEvents(db, clock)
    this.sessions = new PostgresSessions(db, leases, { clock, flush: () => this.events.flush() })
    this.results = new PostgresResults(db, leases, clock)
    this.memories = new PostgresMemories(db)
    this.notes = new PostgresNotes(db, clock)
    this.cache = new PostgresCache(db, clock)
    this.artifacts = new PostgresArtifactIndex(db)
    this.orders = new PostgresOrders(db, clock)
    this.audit = new PostgresAudit(db, auditLines)
  }

  /** @throws EchelonError STORE_UNUSABLE with what to do, without the password */
  static async open(address: string, options: PostgresStoreOptions): Promise<PostgresStore> {
    const { look = false, readsOlder = false, patienceMs } = options
    const db = new Postgres(address, { look, ...(patienceMs !== undefined && { patienceMs }) })
    try {
      await db.reach()
      if (look) await checkVersion(db, 'store', STORE_MIGRATIONS, { readsOlder })
      else await migrate(db, 'store', STORE_MIGRATIONS)
      const store = new PostgresStore(db, options)
      // Erase disposable conversations whose process died. If another process is at it, it does it.
      if (!look) await store.sessions.endAbandoned().catch(() => 0)
      return store
    } catch (error) {
      await db.close()
      throw error instanceof EchelonError ? error : unusableDatabase(db.place, error)
    }
  }

  /** The address without its password. */
  get path(): string {
    return this.#db.place
  }

  /** @throws EchelonError INVALID_INPUT always: the server has tools of its own for that */
  async backup(): Promise<never> {
    throw new EchelonError(
      'INVALID_INPUT',
      'a store in PostgreSQL is backed up with pg_dump, not with this command; see docs/guides/storage.md',
    )
  }

  /** Writes pending events and records, and releases all runs and keys. */
  async close(): Promise<void> {
    this.#db.hurry()
    await this.runs.close()
    await Promise.all([
      this.events.close(),
      this.audit.flush(),
      this.orders.flush().catch(() => undefined),
    ])
    await this.#leases.close().catch(() => undefined)
    await this.#db.close()
  }
}
