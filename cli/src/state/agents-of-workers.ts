import type { Config } from 'echelon/config'
import { agentFiles, type OwnAgentParts } from '../serve/own-agents.ts'
import { type FoundAgent, loadAgent } from './load-agent.ts'

/** Loads the agents that a user names. */
async function namedAgents(
  modules: readonly string[],
  parts: OwnAgentParts,
): Promise<readonly FoundAgent[]> {
  const agents: FoundAgent[] = []
  for (const module of modules) agents.push(await loadAgent(module, parts))
  return agents
}

/** Loads those of the folder of agents as well, as the workers on a database do. */
export const agentsOfWorkers = async (
  modules: readonly string[],
  parts: OwnAgentParts,
): Promise<readonly FoundAgent[]> =>
  namedAgents(await agentFiles(parts.config.server.agents_folder, modules), parts)

/** The same without a database: functions that need a store get one without a file, which is closed again. */
export async function agentsWithoutStore(
  modules: readonly string[],
  config: Config,
): Promise<readonly FoundAgent[]> {
  if (modules.length === 0) return []
  const { openStore } = await import('@echelon/store')
  const store = await openStore(':memory:')
  try {
    return await namedAgents(modules, { store, config })
  } finally {
    await store.close()
  }
}
