import type { Config } from 'echelon/config'
import { isJsonObject, type Started, type StateHolder } from 'echelon/runtime'
import { chatTools } from '../chat/chat-tools.ts'
import { configuredCascade, configuredChat } from '../serve/served-agents.ts'

/**
 * The agents chat and cascade as a server or worker makes them, for the runs that a server started: what they ask of
 * their models depends on their tools. Without a second model there is no cascade.
 */
export async function agentsOfServer(config: Config): Promise<readonly StateHolder[]> {
  const { tools } = await chatTools({}, config)
  const parts = { config, tools }
  const agents = [configuredChat(parts), configuredCascade(parts)?.agent].flatMap(
    (agent) => agent ?? [],
  )
  return agents.map(({ definition, middlewares }) => ({
    definition: (started) => (isOfServer(started) ? definition : undefined),
    middlewares,
  }))
}

function isOfServer({ made = null }: Started): boolean {
  return isJsonObject(made) && isJsonObject(made['served'] ?? null)
}
