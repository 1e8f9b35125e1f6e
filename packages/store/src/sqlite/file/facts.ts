import type { RunStatus } from 'echelon/internal/store'

/** The content of a store's file, in numbers. */
export interface StoreFacts {
  /** Of the file; 0 if nothing was ever stored in it. */
  readonly version: number
  /** Of this code. A file of an older version is upgraded when a store opens it. */
  readonly currentVersion: number
  /** Including the log beside it. */
  readonly bytes: number
  /**
   * Tables, indexes and triggers that differ from the schema, otherwise the errors SQLite finds, at
   * most ten; empty for an intact file.
   */
  readonly damage: readonly string[]
  /**
   * Rows that fail their checksum, by name, at most a hundred. The other rows can still be read. A
   * file of version 1 has no checksums: only invalid JSON is found in it.
   */
  readonly damagedRows: readonly string[]
  /** Files beside it left by killed backups. The next backup into the folder removes them. */
  readonly leftBackups: readonly string[]
  readonly runs: Readonly<Record<RunStatus, number>>
  /** Requests of runs that have no answer. */
  readonly openRequests: number
  readonly sessions: {
    readonly all: number
    readonly disposable: number
    readonly messages: number
  }
  readonly cached: { readonly all: number; readonly expired: number }
  /** By idempotency key. */
  readonly results: { readonly all: number; readonly underWay: number }
  readonly memories: number
  readonly notes: number
  readonly events: number
  readonly artifacts: number
  readonly auditLines: number
  /** `dead`: their process is gone or silent, and any process may take over. */
  readonly leases: { readonly live: number; readonly dead: number }
  /** The ended runs that pruning may delete, and the bytes of their entries. */
  readonly prunable: { readonly runs: number; readonly bytes: number }
}
