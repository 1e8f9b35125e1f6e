import { EchelonError, type Examined, type Json } from 'echelon/runtime'
import type { RunStore, RunSummary, StoredCheckpoint } from '@echelon/store'
import type { OpenedStore } from '../store/keep-store.ts'
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
  /** What workers will do to the database before they load anything. */
  readonly remark?: string
}

type AgentsOn = (store: OpenedStore) => Promise<AgentsOfRuns>

/** Most runs to list; further ones are counted. */
const MOST_LISTED = 1000
const PAGE = 200

const NOTHING: DatabaseReport = { summary: summaryOf([]), checkpoints: [], omitted: 0 }

/**
 * Checks a database before a deploy. One without a store has nothing to load, and one of an older version is
 * upgraded by the first worker: both are remarks.
 * @param agentsOn the agents of the new code, which may need the store
 * @throws EchelonError STORE_UNUSABLE for one that workers could not use either
 */
export async function examineDatabase(
  database: string,
  agentsOn: AgentsOn,
): Promise<DatabaseReport> {
  const { openStore } = await import('@echelon/store')
  let store: OpenedStore
  let version: Json | undefined
  try {
    store = await openStore(database, { look: true })
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    const { schema, version: found } = error.details
    if (schema === 'absent') return { ...NOTHING, remark: EMPTY }
    if (schema !== 'older') throw error
    version = found
    store = await openStore(database, { look: true, readsOlder: true })
  }
  try {
    const report = await examineRuns(store, await agentsOn(store))
    if (version === undefined) return report
    return { ...report, remark: `${olderRemark(version)}; its runs were checked as they are` }
  } catch (error) {
    if (version === undefined || !isMissing(error)) throw error
    return { ...NOTHING, remark: `${olderRemark(version)}; its runs were not checked` }
  } finally {
    await store.close()
  }
}

const EMPTY = 'the database holds no store yet; the first worker or server creates it'

const olderRemark = (version: Json): string =>
  `the store is of the older version ${JSON.stringify(version)}, and the first worker or server upgrades it`

/** A table or a column that newer versions added. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '42P01' || error.code === '42703')

/**
 * Checks all unfinished runs, newest first: they are what the new code must load. Holds one run in memory at a time.
 */
async function examineRuns(store: OpenedStore, agents: AgentsOfRuns): Promise<DatabaseReport> {
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
