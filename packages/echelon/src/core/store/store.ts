import type { Artifact } from '../tool/artifact.ts'
import type { EventStore } from './event-store.ts'
import type { CacheStore, MemoryStore } from '../agent/ports.ts'
import type { OrderStore } from './order-store.ts'
import type { ResultStore } from './result-store.ts'
import type { Recorder } from '../observability/run-record.ts'
import type { RunStore } from './run-store.ts'
import type { SessionStore } from './session-store.ts'
import type { DynamicMemoryStore } from '../knowledge/working-memory.ts'

/** A file that a tool wrote during a run. */
export interface IndexedArtifact extends Artifact {
  readonly run: string
  readonly at: number
}

/** Port: an index of the files of each run, built from the outcomes in the journal. */
export interface ArtifactIndex {
  /** Oldest first. */
  of(run: string): Promise<readonly IndexedArtifact[]>
  /** Returns the newest file of that name; `undefined` if no run wrote one. */
  find(name: string): Promise<IndexedArtifact | undefined>
}

/**
 * Port: an append-only chain of audit records. Each holds a digest of the one before, so that a
 * changed or removed record is detected.
 */
export interface AuditStore extends Recorder {
  /** Oldest first. */
  read(): Promise<readonly string[]>
}

/**
 * Port: all data that outlives a process, in one place that several processes may share.
 * `storeContract` tests all of it.
 */
export interface Store {
  readonly runs: RunStore
  readonly sessions: SessionStore
  readonly results: ResultStore
  readonly memories: MemoryStore
  readonly notes: DynamicMemoryStore
  readonly cache: CacheStore
  readonly events: EventStore
  readonly artifacts: ArtifactIndex
  readonly audit: AuditStore
  /** Only of a store that machines share. */
  readonly orders?: OrderStore
  /** Writes buffered data, releases all runs and keys, and closes. */
  close(): Promise<void>
}
