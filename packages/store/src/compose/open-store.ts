import { auditLines } from 'echelon/internal/audit'
import { systemClock } from 'echelon/internal/platform'
import { EchelonError } from 'echelon/internal/value'
import type { Clock } from 'echelon/runtime'
import type { OpenedStore } from '../opened-store.ts'
import { isPostgresAddress } from '../postgres/connection/address.ts'
import { withClient } from '../postgres/connection/with-client.ts'
import { SqliteStore } from '../sqlite-store.ts'

export interface StoreOptions {
  /** Default: the system clock. */
  readonly clock?: Clock
  /**
   * Time that a silent process counts as alive, in milliseconds. A process that was killed on this
   * machine is detected at once. Default 30,000.
   */
  readonly leaseMs?: number
  /**
   * Interruptions without progress after which a run is given up: its process died each time, and no step was
   * completed between. Default 10.
   */
  readonly giveUpAfter?: number
  /**
   * Whether to open the store for reading only: a read-only file is enough then, and writes fail.
   * Default false.
   */
  readonly look?: boolean
  /**
   * Whether a database that is opened for reading only may have the schema of an older version: what newer versions
   * added cannot be read then. Default false: it is refused. A file is refused in any case.
   */
  readonly readsOlder?: boolean
}

/**
 * Opens what holds everything that outlives a process, and creates it if it does not exist.
 *
 * A path names a SQLite file, which the processes of one machine may share. The path `:memory:` opens
 * a store without a file, for tests and temporary data. Each call opens a new one;
 * `openStore(store.path)` opens the same one again within the process. It is gone when all of its
 * stores are closed.
 *
 * `postgres://user:password@host:5432/database` names a PostgreSQL database, which the processes of
 * many machines may share. Its tables are in the schema `echelon`, or in another one:
 * `?schema=team`. Needs the package `pg`.
 * @throws EchelonError STORE_UNUSABLE for a file or schema that is newer than this code, corrupt, or
 * of another program, and for a place that cannot be written or reached; nothing is changed then.
 * INVALID_CONFIG for an option that cannot work. MISSING_PACKAGE for a PostgreSQL address without `pg`. The password is in no message
 */
export async function openStore(address: string, options: StoreOptions = {}): Promise<OpenedStore> {
  const { giveUpAfter = 1 } = options
  if (!Number.isInteger(giveUpAfter) || giveUpAfter < 1) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `giveUpAfter is ${giveUpAfter}; give a whole number from 1 on`,
    )
  }
  const all = { clock: systemClock, auditLines, ...options }
  if (!isPostgresAddress(address)) return SqliteStore.open(address, all)
  const { PostgresStore } = await withClient(() => import('../postgres-store.ts'))
  return PostgresStore.open(address, all)
}
