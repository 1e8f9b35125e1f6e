import type { Pruned, Retention } from '../../core/run-store.ts'
import type { MemoryDisk } from './disk.ts'
import { liveRun } from './leases.ts'

/**
 * Drops runs that ended, where all that is said of which may go holds; where nothing is said, none
 * go. Of conversations only disposable ones go, that nobody went on with for as long.
 */
export function prune(disk: MemoryDisk, retention: Retention, now: number): Pruned {
  const { dryRun = false } = retention
  const runs = outdatedRuns(disk, retention, now)
  const sessions = abandoned(disk, retention, now)
  let [results, cached] = [0, 0]
  for (const keeper of disk.keepers) {
    results += keeper.results?.(runs) ?? 0
    cached += keeper.outdated?.(dryRun) ?? 0
  }
  const pruned = { runs: runs.length, sessions: sessions.length, results, cached }
  if (dryRun) return pruned
  if (runs.length > 0) disk.dropRuns(runs)
  for (const session of sessions) disk.dropSession(session)
  return pruned
}

function outdatedRuns(
  disk: MemoryDisk,
  { endedBeforeMs, keep }: Retention,
  now: number,
): readonly string[] {
  if (endedBeforeMs === undefined && keep === undefined) return []
  return [...disk.runs.values()]
    .filter((run) => run.hasEnded)
    .sort((a, b) => b.changedAt - a.changedAt || b.nth - a.nth)
    .slice(keep ?? 0)
    .filter(({ changedAt }) => endedBeforeMs === undefined || changedAt < now - endedBeforeMs)
    .map(({ id }) => id)
}

function abandoned(disk: MemoryDisk, { endedBeforeMs }: Retention, now: number): readonly string[] {
  if (endedBeforeMs === undefined) return []
  return [...disk.disposable].filter((id) => {
    const changedAt = disk.sessions.get(id)?.changedAt
    const isIdle = changedAt !== undefined && changedAt < now - endedBeforeMs
    return isIdle && liveRun(disk.leases, `session:${id}`) === undefined && !isOpen(disk, id)
  })
}

/** Whether a turn of it can be resumed. */
const isOpen = (disk: MemoryDisk, session: string): boolean =>
  disk.runsOf(session).some((run) => !run.hasEnded)
