import type { AuditLines } from 'echelon/internal/observability'
import { EchelonError } from 'echelon/internal/value'
import type { Clock } from 'echelon/runtime'
import type { Store } from 'echelon/internal/store'
import { SqliteArtifactIndex } from './sqlite/artifact-index.ts'
import { SqliteAudit } from './sqlite/audit.ts'
import { type BackedUp, backUp, type BackupOptions } from './sqlite/file/backup.ts'
import { SqliteCache } from './sqlite/cache.ts'
import { Database } from './sqlite/file/database.ts'
import { SqliteEvents } from './sqlite/events.ts'
import { isInMemory } from './sqlite/file/in-memory.ts'
import { Leases } from './sqlite/runs/leases.ts'
import { SqliteMemories } from './sqlite/memories.ts'
import { SqliteNotes } from './sqlite/notes.ts'
import { SqliteResults } from './sqlite/results.ts'
import { SqliteRuns } from './sqlite/runs/run-store.ts'
import { SqliteSessions } from './sqlite/sessions/sessions.ts'
import { unusable } from './sqlite/file/unusable.ts'

export interface SqliteStoreOptions {
  readonly clock: Clock
  /** What a record adds to the audit log. */
  readonly auditLines: AuditLines
  /**
   * How long a process that says nothing is taken for alive, in milliseconds; one that was killed on
   * this machine is known at once. Default 30,000.
   */
  readonly leaseMs?: number
  /**
   * Whether it is opened to be looked at: a file that can only be read will do then, and what would
   * write fails. Default false.
   */
  readonly look?: boolean
}

/** Everything that outlives a process, in one file that the processes of a machine may share. */
export class SqliteStore implements Store {
  readonly runs: SqliteRuns
  readonly sessions: SqliteSessions
  readonly results: SqliteResults
  readonly memories: SqliteMemories
  readonly notes: SqliteNotes
  readonly cache: SqliteCache
  readonly events: SqliteEvents
  readonly artifacts: SqliteArtifactIndex
  readonly audit: SqliteAudit
  readonly #db: Database
  readonly #leases: Leases

  private constructor(db: Database, { clock, auditLines, leaseMs }: SqliteStoreOptions) {
    const leases = new Leases(db, clock, leaseMs)
    this.#db = db
    this.#leases = leases
    this.runs = new SqliteRuns(db, clock, leases)
    this.events = new SqliteEvents(db, clock)
    this.sessions = new SqliteSessions(db, leases, { clock, flush: () => this.events.flush() })
    this.results = new SqliteResults(db, leases, clock)
    this.memories = new SqliteMemories(db)
    this.notes = new SqliteNotes(db, clock)
    this.cache = new SqliteCache(db, clock)
    this.artifacts = new SqliteArtifactIndex(db)
    this.audit = new SqliteAudit(db, auditLines)
  }

  /** @throws EchelonError STORE_UNUSABLE with what to do */
  static async open(path: string, options: SqliteStoreOptions): Promise<SqliteStore> {
    const db = options.look === true ? await Database.openToLook(path) : await Database.open(path)
    try {
      const store = new SqliteStore(db, options)
      // What was to leave nothing, and whose process died before it could see to that. Where another
      // one is at it, or the disk is full, whoever opens the file next sees to it.
      await store.sessions.endAbandoned().catch(() => 0)
      return store
    } catch (error) {
      db.close()
      throw error instanceof EchelonError ? error : unusable(path, error)
    }
  }

  /** The file; of a store in memory, the name by which this process opens the same one again. */
  get path(): string {
    return this.#db.path
  }

  /**
   * Copies the file as it stands at this moment, while anybody may go on writing: `backUp`.
   * @throws EchelonError INVALID_INPUT where the new file is there already or cannot be written, or
   * this store is in memory; nothing of the new file is left then
   */
  async backup(file: string, options?: BackupOptions): Promise<BackedUp> {
    if (isInMemory(this.path)) {
      const message = 'a store in memory cannot be backed up; open one in a file: openStore(path)'
      throw new EchelonError('INVALID_INPUT', message)
    }
    return backUp(this.path, file, options)
  }

  /** Writes what is held back, and lets go of all runs and keys. */
  async close(): Promise<void> {
    this.runs.close()
    this.events.close()
    this.#leases.close()
    this.#db.close()
  }
}
