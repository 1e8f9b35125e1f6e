import {
  type AgentCheck,
  type Entry,
  type Examined,
  examineCheckpoint,
  readRun,
  type Started,
  type StateHolder,
} from 'echelon/runtime'
import type { StoredCheckpoint } from '@echelon/store'
import { z } from 'zod'
import { type AgentsOfRuns, definitionAmong } from './agents-of-runs.ts'
import { containerSchema, entrySchema } from './entry-schema.ts'
import { problemOf } from './read-checkpoints.ts'

const entriesSchema = z.array(entrySchema)

/** Checks one stored run or conversation. Unreadable data counts as refused. */
export async function examineStored(
  stored: StoredCheckpoint,
  agents: AgentsOfRuns,
): Promise<Examined> {
  const { kind, id, agent } = stored
  if (kind === 'unreadable') return unreadable(stored.of, stored, stored.reason)
  if (kind === 'session') {
    const states = containerSchema.safeParse(stored.states)
    if (!states.success) return unreadable(kind, stored, `its states: ${problemOf(states.error)}`)
    const checkpoint = { kind, id, agent, version: null, states: states.data }
    return examineCheckpoint(checkpoint, agents.all)
  }
  const entries = entriesSchema.safeParse(stored.entries)
  if (!entries.success) return unreadable(kind, stored, `an entry: ${problemOf(entries.error)}`)
  const [first] = entries.data
  if (first?.type !== 'started') return unreadable(kind, stored, 'it has no first entry')
  const found = await agents.forRun(first)
  if ('check' in found) return untried(first, entries.data, found.check)
  const { holders, isOfProgram } = found
  const read = await asResumed(first, entries.data, stored.snapshot, holders)
  const examined = examineCheckpoint({ kind, entries: read }, holders)
  return isOfProgram ? withItsModule(examined) : examined
}

/** Without the agent, the states cannot be checked either. */
function untried(
  { runId: id, agent }: Started,
  entries: readonly Entry[],
  check: AgentCheck,
): Examined {
  const own = entries.filter((entry) => !('path' in entry) || entry.path === '')
  return {
    kind: 'run',
    id,
    agent,
    steps: own.filter(({ type }) => type === 'closed').length,
    ended: own.some(({ type }) => type === 'ended'),
    check,
    changes: [],
    loads: check.type === 'unchecked',
  }
}

/** Another program's agent may share its name with one of ours. */
function withItsModule(examined: Examined): Examined {
  const { check, agent } = examined
  if (check.type !== 'refused' || check.code !== 'JOURNAL_MISMATCH') return examined
  const reason = `a program started it with its own agent ${agent}; name the module of that agent`
  return { ...examined, check: { type: 'unknown-agent', reason }, changes: [] }
}

/** Entries as a resume reads them: newer code starts from the snapshot. */
async function asResumed(
  started: Started,
  entries: readonly Entry[],
  kept: unknown,
  holders: readonly StateHolder[],
): Promise<readonly Entry[]> {
  const snapshot = entrySchema.safeParse({ type: 'dropped', count: 0, snapshot: kept })
  const version = versionOf(started, holders)
  if (!snapshot.success || snapshot.data.type !== 'dropped' || version === undefined) return entries
  const { snapshot: found } = snapshot.data
  const journal = { append: () => undefined, read: () => entries, snapshot: () => found }
  return readRun(journal, started.runId, { version })
}

/** Version of the agent in the current code. */
function versionOf(started: Started, holders: readonly StateHolder[]): number | undefined {
  try {
    return definitionAmong(holders, started)?.version
  } catch {
    // The examination reports the problem.
    return undefined
  }
}

const unreadable = (
  kind: Examined['kind'],
  { id, agent }: Pick<Examined, 'id' | 'agent'>,
  why: string,
): Examined => ({
  kind,
  id,
  agent,
  steps: null,
  ended: false,
  check: { type: 'refused', code: null, reason: `what is stored cannot be read (${why})` },
  changes: [],
  loads: false,
})
