import type { RunStore, Store } from 'echelon/internal/store'
import type { Json, MemoryStore } from 'echelon/runtime'
import type { BackedUp, BackupOptions } from './sqlite/file/backup.ts'

/** A store that was opened by its address, wherever it is. */
export interface OpenedStore extends Store {
  readonly runs: RunStore & Required<Pick<RunStore, 'follow' | 'leave' | 'snapshot'>>
  readonly memories: MemoryStore & {
    /** A memory is read as a whole: the query is ignored. */
    read: (
      memory: string,
      query?: Json,
    ) => Promise<{ readonly value: Json; readonly version: number }>
  }
  /** The file, or the address of the database without its password. */
  readonly path: string
  /**
   * Copies a file as it is at this moment, while others keep writing: see `backUp`.
   * @throws EchelonError INVALID_INPUT for a store that is not a file: PostgreSQL is copied by pg_dump
   */
  backup(file: string, options?: BackupOptions): Promise<BackedUp>
}
