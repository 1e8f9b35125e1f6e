import type { Clock } from './core/ports.ts'
import { systemClock } from './host/clock.ts'
import { SqliteStore } from './stores/sqlite-store.ts'
import { auditLines } from './telemetry/audit-lines.ts'

export type { EventStore, StoredEvent } from './core/event-store.ts'
export type { Journal, Leaving } from './core/journal.ts'
export type { CacheStore, MemoryStore } from './core/ports.ts'
export type { KeyClaim, ResultStore } from './core/result-store.ts'
export type {
  OpenRequest,
  Pruned,
  Retention,
  RunFilter,
  RunStatus,
  RunStore,
  RunSummary,
} from './core/run-store.ts'
export type {
  SessionChange,
  SessionStore,
  SessionSummary,
  StoredSession,
} from './core/session-store.ts'
export type { Snapshot } from './core/snapshot.ts'
export type { ArtifactIndex, AuditStore, IndexedArtifact, Store } from './core/store.ts'
export { SqliteStore } from './stores/sqlite-store.ts'
export {
  type BackedUp,
  backUp,
  type BackupOptions,
  type BackupProgress,
} from './stores/sqlite/backup.ts'
export {
  type ExaminedStore,
  examineStore,
  type StoredCheckpoint,
} from './stores/sqlite/examine-store.ts'
export { isDatabaseFile } from './stores/sqlite/read-only.ts'
export type { StoreFacts } from './stores/sqlite/facts.ts'

export interface StoreOptions {
  /** Default: the machine's. */
  readonly clock?: Clock
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

/**
 * Opens the file in which everything is kept that outlives a process, making it where there is none.
 * The processes of one machine may share it. The path `:memory:` opens a store without a file, for
 * tests and for data that need not last: each call opens another one. `openStore(store.path)` opens
 * the same one again within the process. It is gone when all of them are closed.
 * @throws EchelonError MISSING_PACKAGE without kysely, which makes and lists what is in the file;
 * STORE_UNUSABLE for a file that is newer than this code, broken, or of another
 * program, or a folder that cannot be written; nothing is changed then
 */
export const openStore = (path: string, options: StoreOptions = {}): Promise<SqliteStore> =>
  SqliteStore.open(path, { clock: systemClock, auditLines, ...options })
