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
export type { StoreFacts } from './stores/sqlite/store-facts.ts'
