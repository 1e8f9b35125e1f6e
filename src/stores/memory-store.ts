import type { AuditLines } from '../core/audit-lines.ts'
import type { Clock } from '../core/ports.ts'
import type { Store } from '../core/store.ts'
import { MemoryArtifactIndex } from './memory/artifact-index.ts'
import { MemoryAudit } from './memory/audit.ts'
import { MemoryCacheStore } from './memory/cache.ts'
import { MemoryDisk } from './memory/disk.ts'
import { MemoryEvents } from './memory/events.ts'
import { MemoryMemories } from './memory/memories.ts'
import { MemoryResults } from './memory/results.ts'
import { MemoryRunStore } from './memory/run-store.ts'
import { MemorySessionStore } from './memory/session-store.ts'

/** A store that lives as long as its process: for tests, and for what need not last. */
export function memoryStore({
  clock,
  auditLines,
}: {
  readonly clock: Clock
  readonly auditLines: AuditLines
}): Store {
  const disk = new MemoryDisk()
  const cache = new MemoryCacheStore(clock)
  const events = new MemoryEvents(clock)
  const memories = new MemoryMemories()
  const results = new MemoryResults()
  disk.keepers.add({
    drop(runs, session) {
      cache.drop(runs, session)
      for (const one of [events, memories, results]) one.drop(runs)
    },
    results: (runs) => results.results(runs),
    outdated: (dryRun) => cache.outdated(dryRun),
  })
  const runs = new MemoryRunStore(disk, clock)
  return {
    runs,
    sessions: new MemorySessionStore(disk),
    results,
    memories,
    cache,
    events,
    artifacts: new MemoryArtifactIndex(disk),
    audit: new MemoryAudit(auditLines),
    close: async () => runs.close(),
  }
}
