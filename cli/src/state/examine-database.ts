import type { Examined } from 'echelon/runtime'
import type { RunStore, RunSummary, StoredCheckpoint } from '@echelon/store'
import type { AgentsOfRuns } from './agents-of-runs.ts'
import { addSummaries, summaryOf, type Summary } from './show-checkpoints.ts'
import { examineStored } from './stored-checkpoint.ts'

/** Findings in a database. */
export interface DatabaseReport {
  readonly summary: Summary
  /** Runs that would change, be refused, or could not be checked. */
  readonly checkpoints: readonly Examined[]
  /** Number of further ones. */
  readonly omitted: number
}

/** Most runs to list; further ones are counted. */
const MOST_LISTED = 1000
const PAGE = 200

/**
 * Checks all unfinished runs of a database, newest first, before a deploy: they are what the new code must
 * load. Holds one run in memory at a time.
 */
export async function examineDatabase(
  database: string,
  agents: AgentsOfRuns,
): Promise<DatabaseReport> {
  const { openStore } = await import('@echelon/store')
  const store = await openStore(database, { look: true })
  try {
    let summary = summaryOf([])
    const checkpoints: Examined[] = []
    let omitted = 0
    for await (const stored of checkpointsIn(store.runs)) {
      const examined = await examineStored(stored, agents)
      summary = addSummaries(summary, summaryOf([examined]))
      if (isFine(examined)) continue
      if (checkpoints.length < MOST_LISTED) checkpoints.push(examined)
      else omitted++
    }
    return { summary, checkpoints, omitted }
  } finally {
    await store.close()
  }
}

const isFine = ({ loads, changes, check }: Examined): boolean =>
  loads && changes.length === 0 && check.type !== 'unchecked'

async function* checkpointsIn(
  runs: Pick<RunStore, 'list' | 'read' | 'snapshot'>,
): AsyncGenerator<StoredCheckpoint, void> {
  let before: string | undefined
  for (;;) {
    const page = await runs.list({
      status: ['running', 'waiting', 'interrupted', 'damaged'],
      limit: PAGE,
      ...(before !== undefined && { before }),
    })
    for (const run of page) yield await checkpointOf(runs, run)
    before = page.at(-1)?.id
    if (page.length < PAGE) return
  }
}

async function checkpointOf(
  runs: Pick<RunStore, 'read' | 'snapshot'>,
  { id, agent, status, reason }: RunSummary,
): Promise<StoredCheckpoint> {
  if (status === 'damaged') {
    return { kind: 'unreadable', of: 'run', id, agent, reason: reason ?? 'its row is damaged' }
  }
  const [entries, snapshot] = [await runs.read(id), await runs.snapshot?.(id)]
  return { kind: 'run', id, agent, entries, ...(snapshot !== undefined && { snapshot }) }
}
