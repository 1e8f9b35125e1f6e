import type { BoundModel, Provider, ProviderSettings } from '../core/model/model.ts'
import { offlinePackage } from '../demonstration.ts'
import { CATALOGUE, type StandardKey } from './catalogue.ts'
import { LoadedModels } from './loaded-models.ts'
import { listedName, parsedName } from './model-name.ts'
import type { PresetKey } from './presets.ts'
import { checkKey } from './provider-key.ts'
import { registered } from './registered.ts'
import { providerFrom, type VendorModule } from './vendor/vendor.ts'
import { installedVendor } from './vendor/vendor-package.ts'

/** What a list of providers shows of one. */
export type ProviderSummary = Pick<Provider, 'key' | 'summary' | 'models'>

/**
 * The providers of a program, by key. Belongs to whoever made it; what was registered for the whole
 * process with `registerProvider` is found in each of them.
 */
export interface Registry {
  /** The keys of every provider, in the order of the list. Loads nothing. */
  keys(): readonly string[]
  /**
   * Every provider, by key. Loads none of their packages, and nothing of those that Echelon brings.
   * A module that cannot be loaded is listed with the reason as its summary.
   */
  list(): Promise<readonly ProviderSummary[]>
  /**
   * The model behind a name such as `openai-compatible/meta-llama/Llama-3`: what stands before
   * the first slash is the provider's key, all the rest the model's id. A name without a slash, such
   * as `gpt-5-nano`, is the id of a model that one provider alone lists. A key that no provider has
   * is that of a vendor's package for the AI SDK: `cohere` is `@ai-sdk/cohere`, where it is installed.
   *
   * The same name with the same settings gives the same model, so that a switch back costs nothing.
   *
   * @param settings of each provider, by its key; what is not named has none
   * @throws EchelonError UNKNOWN_MODEL; MISSING_PACKAGE with the command that installs it, also for a
   * key that could be a vendor's; and whatever the provider's `load` throws.
   */
  resolve(name: string, settings?: SettingsByProvider): Promise<BoundModel>
  /**
   * Adds a provider under its own key, to this registry alone.
   *
   * @throws EchelonError INVALID_CONFIG when the key is taken, or is no word without a slash.
   */
  register(provider: Provider | VendorModule): void
}

/** Where providers find their servers and keys, by the provider's key. */
export type SettingsByProvider = Readonly<Record<string, ProviderSettings>>

/** How a registry comes by a provider: most often a dynamic import. */
export type ProviderLoader = () => Promise<Provider>

/** What Echelon brings. Nothing is loaded before a model of it is resolved. */
export const standardProviders: Readonly<Record<string, ProviderLoader>> = {
  offline: standard('offline', async () => (await offlinePackage()).offline),
  openai: standard('openai', async () => (await import('./openai.ts')).openaiProvider()),
  'openai-compatible': standard(
    'openai-compatible',
    async () => (await import('./openai-compatible.ts')).openaiCompatible,
  ),
  anthropic: standard('anthropic', async () => (await import('./anthropic.ts')).anthropic),
  google: standard('google', async () => (await import('./google.ts')).google),
  ollama: preset('ollama'),
  vllm: preset('vllm'),
  lmstudio: preset('lmstudio'),
  llamacpp: preset('llamacpp'),
  groq: preset('groq'),
  mistral: preset('mistral'),
  deepseek: preset('deepseek'),
  openrouter: preset('openrouter'),
  together: preset('together'),
  xai: preset('xai'),
}

function preset(key: PresetKey): ProviderLoader {
  return standard(key, async () => (await import('./presets.ts')).presetProvider(key))
}

/** One that can be listed before its module is loaded. */
function standard(key: StandardKey, load: ProviderLoader): ProviderLoader {
  return () => {
    const loaded = onceLoaded(load)
    return Promise.resolve({
      key,
      ...CATALOGUE[key],
      load: async (modelId, settings) => await (await loaded()).load(modelId, settings),
    })
  }
}

/** A registry that begins with these providers and can be given more. */
export function createRegistry(providers: Readonly<Record<string, ProviderLoader>>): Registry {
  const own = new Map(Object.entries(providers).map(([key, load]) => [key, onceLoaded(load)]))
  const vendors = new Map<string, ProviderLoader>()
  const models = new LoadedModels()
  const keys = (): readonly string[] => [
    ...own.keys(),
    ...registered.keys().filter((key) => !own.has(key)),
  ]
  const known = (key: string): ProviderLoader | undefined => own.get(key) ?? registered.get(key)
  const vendor = (key: string): ProviderLoader => {
    const load = vendors.get(key) ?? onceLoaded(async () => await installedVendor(key, keys()))
    vendors.set(key, load)
    return load
  }
  const list = async (): Promise<readonly ProviderSummary[]> =>
    await Promise.all(keys().map(async (key) => await summaryOf(key, known(key) ?? vendor(key))))
  return {
    keys,
    list,
    resolve: async (name, byProvider = {}) => {
      const { key, modelId } = name.includes('/')
        ? parsedName(name, keys())
        : listedName(name, await list(), keys())
      const settings = (Object.hasOwn(byProvider, key) ? byProvider[key] : undefined) ?? {}
      return await models.get({ key, modelId, settings }, known(key) ?? vendor(key))
    },
    register: (given) => {
      checkKey(given.key, own.has(given.key))
      const provider = providerFrom(given)
      own.set(provider.key, () => Promise.resolve(provider))
    },
  }
}

/** One provider for each registry, since it may learn of its servers; a failure is tried again. */
function onceLoaded(load: ProviderLoader): ProviderLoader {
  let loaded: Promise<Provider> | undefined
  return () => {
    const loading = (loaded ??= load())
    loading.catch(() => (loaded = undefined))
    return loading
  }
}

async function summaryOf(key: string, load: ProviderLoader): Promise<ProviderSummary> {
  try {
    const { summary, models } = await load()
    return { key, summary, models }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { key, summary: `cannot be loaded: ${reason}`, models: [] }
  }
}
