import type { AuditLines } from '../core/audit-lines.ts'
import type { Clock } from '../core/ports.ts'
import type { Store } from '../core/store.ts'
import { MemoryArtifactIndex } from './memory/artifact-index.ts'
import { MemoryAudit } from './memory/audit.ts'
import { MemoryCacheStore } from './memory/cache.ts'
import { MemoryDisk } from './memory/disk.ts'
import { MemoryEvents } from './memory/events.ts'
import { MemoryMemories } from './memory/memories.ts'
import { MemoryNotes } from './memory/notes.ts'
import { MemoryResults, type ResultRows } from './memory/results.ts'
import { MemoryRunStore } from './memory/run-store.ts'
import { MemorySessionStore } from './memory/session-store.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  readonly auditLines: AuditLines
}

/** What stores in memory share that stand for several processes, as these share a file. */
export interface SharedMemory extends Pick<
  Store,
  'memories' | 'notes' | 'cache' | 'events' | 'artifacts' | 'audit'
> {
  readonly disk: MemoryDisk
  readonly results: ResultRows
}

export function sharedMemory({ clock, auditLines }: MemoryStoreOptions): SharedMemory {
  const disk = new MemoryDisk()
  const cache = new MemoryCacheStore(clock)
  const events = new MemoryEvents(clock)
  const memories = new MemoryMemories()
  const notes = new MemoryNotes(clock)
  const rows: ResultRows = new Map()
  const results = new MemoryResults(rows)
  disk.keepers.add({
    drop(runs, session) {
      cache.drop(runs, session)
      notes.drop(runs, session)
      for (const one of [events, memories, results]) one.drop(runs)
    },
    results: (runs) => results.results(runs),
    outdated: (dryRun) => cache.outdated(dryRun),
  })
  const artifacts = new MemoryArtifactIndex(disk)
  return {
    disk,
    results: rows,
    memories,
    notes,
    cache,
    events,
    artifacts,
    audit: new MemoryAudit(auditLines),
  }
}

/** One process among those that share memory. */
export interface MemoryProcess extends Store {
  /** Takes it for dead: others may take up what it works on. */
  lapse(): void
}

/**
 * A store that lives as long as its process: for tests, and for what need not last.
 * @param shared with other stores, which are as other processes
 */
export function memoryStore(
  options: MemoryStoreOptions,
  shared: SharedMemory = sharedMemory(options),
): MemoryProcess {
  const { disk, memories, notes, cache, events, artifacts, audit } = shared
  const runs = new MemoryRunStore(disk, options.clock)
  const results = new MemoryResults(shared.results)
  const sessions = new MemorySessionStore(disk)
  return {
    runs,
    sessions,
    results,
    memories,
    notes,
    cache,
    events,
    artifacts,
    audit,
    lapse() {
      runs.lapse()
      results.lapse()
    },
    close: async () => {
      runs.close()
      results.lapse()
    },
  }
}
