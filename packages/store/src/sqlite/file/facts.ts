import type { RunStatus } from 'echelon/internal/store'

/** What a store's file holds, in numbers. */
export interface StoreFacts {
  /** Of the file; 0 for one in which nothing was ever kept. */
  readonly version: number
  /** Of this code: a file of an older one is upgraded when a store is opened on it. */
  readonly currentVersion: number
  /** With the log beside it. */
  readonly bytes: number
  /**
   * Tables, indexes and triggers that are not as they were made, else what SQLite finds wrong, at
   * most ten things; none where the file is whole.
   */
  readonly damage: readonly string[]
  /**
   * Rows that are not as they were written, named, at most a hundred; the rest of the file is read
   * all the same. A file of the first version has no checksums: in it only JSON that is none is found.
   */
  readonly damagedRows: readonly string[]
  /** Files beside it that killed backups left; the next backup into the folder removes them. */
  readonly leftBackups: readonly string[]
  readonly runs: Readonly<Record<RunStatus, number>>
  /** Asked by runs, and not answered. */
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
  /** `dead`: their process is gone or silent, and anybody may take up what they held. */
  readonly leases: { readonly live: number; readonly dead: number }
  /** What pruning may take: runs that have ended, and the bytes of their entries. */
  readonly prunable: { readonly runs: number; readonly bytes: number }
}
