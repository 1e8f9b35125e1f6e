import { type AnyDefinition, EchelonError, examineCheckpoint, readRun } from 'echelon/runtime'
import type { HubPerformerOptions } from './hub-performer.ts'
import type { ServerStore } from '../runs/server-store.ts'

export interface WouldLoadOptions extends Pick<HubPerformerOptions, 'hub'> {
  readonly store: Pick<ServerStore, 'runs'>
}

/**
 * The state doctor's question about one run: whether the agents of a hub could continue it. A run without a journal
 * has nothing to load.
 */
export async function wouldLoad(run: string, { hub, store }: WouldLoadOptions): Promise<boolean> {
  const summary = await store.runs.find(run)
  if (summary === undefined) return true
  const agent = hub.agentOfRun(summary)
  if (agent === undefined) return false
  const [started] = await store.runs.read(run)
  if (started?.type !== 'started') return false
  let definition: AnyDefinition | undefined
  try {
    definition = await agent.definitionOf?.(started)
  } catch (error) {
    if (error instanceof EchelonError) return false
    throw error
  }
  // Only its agent can tell then, when it resumes the run.
  if (definition === undefined) return true
  const entries = await readRun(store.runs, run, definition)
  return examineCheckpoint({ kind: 'run', entries }, [{ definition, middlewares: [] }]).loads
}
