export { openStore, type StoreOptions } from './compose/open-store.ts'
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
export type { OpenedStore } from './opened-store.ts'
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
export {
  type CopiedStore,
  type CopyOptions,
  type CopyProgress,
  copyStore,
} from './copy/copy-store.ts'
export { isDatabaseFile } from './sqlite/file/read-only.ts'
export type { StoreFacts } from './sqlite/file/facts.ts'
export { openKnowledge } from './compose/open-knowledge.ts'
export type { KnowledgeStore } from './knowledge/knowledge-store.ts'
export {
  examineKnowledge,
  isKnowledgeFile,
  type KnowledgeFacts,
} from './sqlite/knowledge/examine-knowledge.ts'
