import type { AuditLines } from 'echelon/internal/observability'
import { EchelonError } from 'echelon/internal/value'
import type { Clock } from 'echelon/runtime'
import type { OpenedStore } from './opened-store.ts'
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
  /** Formats the lines that a record adds to the audit log. */
  readonly auditLines: AuditLines
  /**
   * Time that a silent process counts as alive, in milliseconds. A process that was killed on this
   * machine is detected at once. Default 30,000.
   */
  readonly leaseMs?: number
  /** Interruptions without progress after which a run is given up. Default 10. */
  readonly giveUpAfter?: number
  /**
   * Whether to open the store for reading only: a read-only file is enough then, and writes fail.
   * Default false.
   */
  readonly look?: boolean
}

/**
 * Everything that outlives a process, in one SQLite file that the processes of a machine may share.
 */
export class SqliteStore implements OpenedStore {
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

  private constructor(
    db: Database,
    { clock, auditLines, leaseMs, giveUpAfter }: SqliteStoreOptions,
  ) {
    const leases = new Leases(db, clock, leaseMs)
    this.#db = db
    this.#leases = leases
    this.runs = new SqliteRuns(db, clock, leases, giveUpAfter)
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
      // Erase disposable conversations whose process died. If another process is at it or the disk
      // is full, the next one to open the file does it.
      await store.sessions.endAbandoned().catch(() => 0)
      return store
    } catch (error) {
      db.close()
      throw error instanceof EchelonError ? error : unusable(path, error)
    }
  }

  /** The file. In memory: the name by which this process can open the same store again. */
  get path(): string {
    return this.#db.path
  }

  /**
   * Copies the file as it is at this moment, while others keep writing: see `backUp`.
   * @throws EchelonError INVALID_INPUT if the new file already exists or cannot be written, or this
   * store is in memory; nothing of the new file is left then
   */
  async backup(file: string, options?: BackupOptions): Promise<BackedUp> {
    if (isInMemory(this.path)) {
      const message = 'a store in memory cannot be backed up; open one in a file: openStore(path)'
      throw new EchelonError('INVALID_INPUT', message)
    }
    return backUp(this.path, file, options)
  }

  /** Writes pending events and releases all runs and keys. */
  async close(): Promise<void> {
    this.runs.close()
    this.events.close()
    this.#leases.close()
    this.#db.close()
  }
}
