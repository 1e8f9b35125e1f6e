import type { Clock } from './core/ports.ts'
import { systemClock } from './host/clock.ts'
import { SqliteStore } from './stores/sqlite-store.ts'

export { SqliteStore } from './stores/sqlite-store.ts'

export interface StoreOptions {
  /** Default: the machine's. */
  readonly clock?: Clock
  /**
   * How long a process that says nothing is taken for alive, in milliseconds; one that was killed on
   * this machine is known at once. Default 30,000.
   */
  readonly leaseMs?: number
}

/**
 * Opens the file in which everything is kept that outlives a process, making it where there is none.
 * The processes of one machine may share it.
 * @throws EchelonError STORE_UNUSABLE for a file that is newer than this code, broken, or of another
 * program, or a folder that cannot be written; nothing is changed then
 */
export const openStore = (path: string, options: StoreOptions = {}): Promise<SqliteStore> =>
  SqliteStore.open(path, { clock: systemClock, ...options })
