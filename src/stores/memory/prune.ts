import type { Pruned, Retention } from '../../core/run-store.ts'
import type { MemoryDisk } from './disk.ts'
import { inOrder, type KeptRun } from './kept-run.ts'
import { liveRun, revokeLapsed } from './leases.ts'

/** Drops what ended and is old, with what others keep of it. */
export function prune(disk: MemoryDisk, retention: Retention, now: number): Pruned {
  const { dryRun = false, condense = false } = retention
  const runs = outdatedRuns(disk, retention, now)
  let [results, cached] = [0, 0]
  for (const keeper of disk.keepers) {
    results += keeper.results?.(runs) ?? 0
    cached += keeper.outdated?.(dryRun) ?? 0
  }
  const sessions = oldSessions(disk, retention, { now, runs })
  if (!dryRun) {
    disk.dropRuns(runs)
    for (const id of sessions) disk.dropSession(id)
  }
  const open = condense ? [...disk.runs.values()].filter((run) => mayShorten(disk, run)) : []
  const shortened = open.filter((run) => run.shorten(dryRun))
  // Who stands still may not have heard of all that went.
  if (!dryRun) for (const { lease } of shortened) revokeLapsed(disk.leases, lease)
  return {
    runs: runs.length,
    sessions: sessions.length,
    results,
    cached,
    condensed: shortened.length,
  }
}

/** Conversations that nobody went on with, and of which no run stays. */
function oldSessions(
  disk: MemoryDisk,
  { endedBeforeMs, conversations = false }: Retention,
  { now, runs }: { readonly now: number; readonly runs: readonly string[] },
): readonly string[] {
  if (!conversations || endedBeforeMs === undefined) return []
  const isLeft = ({ id }: KeptRun): boolean => runs.includes(id)
  return [...disk.sessions.values()]
    .filter(({ id, changedAt }) => changedAt <= now - endedBeforeMs && !disk.disposable.has(id))
    .filter(({ id }) => disk.runsOf(id).every(isLeft))
    .filter(({ id }) => liveRun(disk.leases, `session:${id}`) === undefined)
    .map(({ id }) => id)
}

/** Whether nobody works on a run that goes on, and no fork answers from its record. */
function mayShorten({ runs, leases }: MemoryDisk, run: KeptRun): boolean {
  if (run.hasEnded || run.isLive(leases) || run.started.forkedFrom !== undefined) return false
  return [...runs.values()].every(({ started }) => started.forkedFrom?.run !== run.id)
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
