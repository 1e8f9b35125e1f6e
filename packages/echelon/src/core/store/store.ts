import type { Artifact } from '../tool/artifact.ts'
import type { EventStore } from './event-store.ts'
import type { CacheStore, MemoryStore } from '../agent/ports.ts'
import type { ResultStore } from './result-store.ts'
import type { Recorder } from '../observability/run-record.ts'
import type { RunStore } from './run-store.ts'
import type { SessionStore } from './session-store.ts'
import type { DynamicMemoryStore } from '../knowledge/working-memory.ts'

/** A file that a tool of a run made. */
export interface IndexedArtifact extends Artifact {
  readonly run: string
  readonly at: number
}

/** Port: which run made which file. It is read off the outcomes that the journal is given. */
export interface ArtifactIndex {
  /** Oldest first. */
  of(run: string): Promise<readonly IndexedArtifact[]>
  /** The newest file of that name; nothing for one that no run made. */
  find(name: string): Promise<IndexedArtifact | undefined>
}

/**
 * Port: what was done, as an append-only chain in which each record holds a digest of the one
 * before, so that none can be changed or taken out unseen.
 */
export interface AuditStore extends Recorder {
  /** Oldest first. */
  read(): Promise<readonly string[]>
}

/**
 * Everything that outlives a process, in one place that several may share. `storeContract` tests
 * all of it.
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
  /** Writes what is held back, lets go of all runs and keys, and closes. */
  close(): Promise<void>
}
