import type { Redactor } from 'echelon/internal/redaction'
import type { RunSummary } from 'echelon/internal/store'
import {
  type AnyDefinition,
  EchelonError,
  type Entry,
  type Json,
  type Started,
  Thread,
} from 'echelon/runtime'
import type { ServedAgent } from '../agents/served-agent.ts'
import { notFound } from '../http/problem.ts'
import type { ServerStore } from '../runs/server-store.ts'

/** A run as its journal holds it, with what is needed to fold it again. */
export interface InspectedRun {
  readonly id: string
  readonly entries: readonly Entry[]
  readonly started: Started
  /** `undefined` if the agent is not served here, or tells none. */
  readonly definition: AnyDefinition | undefined
  /** Messages of the conversation that the run is a turn of. */
  readonly history: Thread
  readonly hasEnded: boolean
  readonly redact: Redactor
  /** Any value as observers may see it, as JSON. */
  readonly shown: (value: unknown) => Json
}

interface InspectOptions {
  readonly store: Pick<ServerStore, 'runs' | 'sessions'>
  readonly agent: ServedAgent | undefined
  readonly redact: Redactor
}

/**
 * Reads a run of the store, also while it works.
 * @throws HttpProblem 404 for a run that is not on record
 */
export async function inspectRun(
  { id }: Pick<RunSummary, 'id'>,
  { store, agent, redact }: InspectOptions,
): Promise<InspectedRun> {
  const entries = await store.runs.read(id)
  const started = entries.find(
    (entry): entry is Started => entry.type === 'started' && entry.path === '',
  )
  if (started === undefined) throw notFound(`journal of the run ${id}`)
  const session = started.session ?? started.forkedFrom?.session
  const kept = session && (await store.sessions.load(session.id))
  return {
    id,
    entries,
    started,
    definition: await definitionOf(agent, started),
    history: Thread.of(kept?.messages ?? []),
    hasEnded: entries.some(({ type, ...entry }) => type === 'ended' && isOfRoot(entry)),
    redact,
    shown: (value) => JSON.parse(JSON.stringify(redact(value ?? null))),
  }
}

const isOfRoot = (entry: object): boolean => 'path' in entry && entry.path === ''

async function definitionOf(
  agent: ServedAgent | undefined,
  started: Started,
): Promise<AnyDefinition | undefined> {
  try {
    return await agent?.definitionOf?.(started)
  } catch (error) {
    if (error instanceof EchelonError) return undefined
    throw error
  }
}
