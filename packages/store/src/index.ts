import type { Clock } from 'echelon/runtime'
import { systemClock } from 'echelon/internal/host'
import { SqliteStore } from './sqlite-store.ts'
import { auditLines } from 'echelon/internal/audit'

export type { EventStore, StoredEvent } from 'echelon/internal/store'
export type { Journal } from 'echelon/runtime'
export type { Leaving } from 'echelon/internal/journal'
export type { CacheStore } from 'echelon/middleware'
export type { MemoryStore } from 'echelon/runtime'
export type { KeyClaim, ResultStore } from 'echelon/internal/store'
export type {
  OpenRequest,
  Pruned,
  Retention,
  RunFilter,
  RunStatus,
  RunStore,
  RunSummary,
} from 'echelon/internal/store'
export type {
  SessionChange,
  SessionStore,
  SessionSummary,
  StoredSession,
} from 'echelon/internal/store'
export type { Snapshot } from 'echelon/internal/journal'
export type { ArtifactIndex, AuditStore, IndexedArtifact, Store } from 'echelon/internal/store'
export { SqliteStore } from './sqlite-store.ts'
export {
  type BackedUp,
  backUp,
  type BackupOptions,
  type BackupProgress,
} from './sqlite/file/backup.ts'
export {
  type ExaminedStore,
  examineStore,
  type StoredCheckpoint,
} from './sqlite/file/examine-store.ts'
export { isDatabaseFile } from './sqlite/file/read-only.ts'
export type { StoreFacts } from './sqlite/file/facts.ts'

export { type KnowledgeStore, openKnowledge } from './sqlite-knowledge.ts'
export {
  examineKnowledge,
  isKnowledgeFile,
  type KnowledgeFacts,
} from './sqlite/knowledge/examine-knowledge.ts'

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
 * @throws EchelonError STORE_UNUSABLE for a file that is newer than this code, broken, or of another
 * program, or a folder that cannot be written; nothing is changed then
 */
export const openStore = (path: string, options: StoreOptions = {}): Promise<SqliteStore> =>
  SqliteStore.open(path, { clock: systemClock, auditLines, ...options })
