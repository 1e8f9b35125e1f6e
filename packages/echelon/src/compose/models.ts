import type { ModelSource } from '../agents/chat/model-binding.ts'
import type { ProviderSettings } from '../core/model/model.ts'
import type { Registry } from '../providers/registry.ts'
import { withReasoning } from '../providers/with-reasoning.ts'

let standard: Promise<Registry> | undefined

/** One per program, so that each provider loads once. */
function standardRegistry(): Promise<Registry> {
  return (standard ??= import('../providers/registry.ts').then(
    ({ createRegistry, standardProviders }) => createRegistry(standardProviders),
  ))
}

/**
 * The default source of agents' models by name: the standard providers, with keys and addresses
 * from the configuration. Loads nothing before the first use.
 */
export const configuredModels: ModelSource = {
  resolve: async (name, given = {}) => {
    const known = await standardRegistry()
    return known.resolve(name, await configured(name, given))
  },
}

/**
 * The source for roles with short answers: models think as little as possible, unless the
 * configuration or the given settings say otherwise.
 */
export const briefModels: ModelSource = {
  resolve: async (name, given = {}) => {
    const known = await standardRegistry()
    return known.resolve(name, withReasoning(await configured(name, given), name, 'least'))
  },
}

/**
 * Given settings override the configuration; a given key is never sent to an address from a file.
 */
async function configured(
  name: string,
  given: Readonly<Record<string, ProviderSettings>>,
): Promise<Readonly<Record<string, ProviderSettings>>> {
  const [key = ''] = name.split('/')
  const own = given[key]
  if (key === 'offline' || own?.apiKey !== undefined) return given
  const { loadConfig } = await import('./config.ts')
  const { providers } = await loadConfig()
  return { ...providers, ...given, [key]: { ...providers[key], ...own } }
}
