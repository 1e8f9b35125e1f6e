import { auditLines } from 'echelon/internal/audit'
import { systemClock } from 'echelon/internal/platform'
import type { Clock } from 'echelon/runtime'
import { SqliteStore } from '../sqlite-store.ts'

export interface StoreOptions {
  /** Default: the system clock. */
  readonly clock?: Clock
  /**
   * How long a silent process counts as alive, in milliseconds. A process that was killed on this
   * machine is detected at once. Default 30,000.
   */
  readonly leaseMs?: number
  /**
   * Whether to open the store for reading only: a read-only file is enough then, and writes fail.
   * Default false.
   */
  readonly look?: boolean
}

/**
 * Opens the SQLite file that holds everything that outlives a process, and creates it if it does
 * not exist. The processes of one machine may share the file.
 * The path `:memory:` opens a store without a file, for tests and temporary data. Each call opens a
 * new one; `openStore(store.path)` opens the same one again within the process. It is gone when all
 * of its stores are closed.
 * @throws EchelonError STORE_UNUSABLE for a file that is newer than this code, corrupt, or of
 * another program, and for a folder that cannot be written; nothing is changed then
 */
export const openStore = (path: string, options: StoreOptions = {}): Promise<SqliteStore> =>
  SqliteStore.open(path, { clock: systemClock, auditLines, ...options })
