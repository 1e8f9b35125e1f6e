import type { Pruned, Retention } from '../../core/run-store.ts'
import type { MemoryDisk } from './disk.ts'
import { inOrder } from './kept-run.ts'

/** Drops what ended and is old, with what others keep of it. */
export function prune(disk: MemoryDisk, retention: Retention, now: number): Pruned {
  const { dryRun = false } = retention
  const runs = outdatedRuns(disk, retention, now)
  let [results, cached] = [0, 0]
  for (const keeper of disk.keepers) {
    results += keeper.results?.(runs) ?? 0
    cached += keeper.outdated?.(dryRun) ?? 0
  }
  if (!dryRun) disk.dropRuns(runs)
  return { runs: runs.length, sessions: 0, results, cached }
}

/** Where nothing is said about what may go, nothing does. */
function outdatedRuns(
  disk: MemoryDisk,
  { endedBeforeMs, keep }: Retention,
  now: number,
): readonly string[] {
  if (endedBeforeMs === undefined && keep === undefined) return []
  return [...disk.runs.values()]
    .filter((run) => run.hasEnded)
    .sort((a, b) => b.changedAt - a.changedAt || inOrder(b.id, a.id))
    .slice(keep ?? 0)
    .filter(({ changedAt }) => changedAt <= now - (endedBeforeMs ?? 0))
    .map(({ id }) => id)
}
