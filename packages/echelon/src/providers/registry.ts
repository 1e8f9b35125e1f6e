import type { BoundModel, Provider, ProviderSettings } from '../core/model/model.ts'
import { offlinePackage } from '../compose/demonstration.ts'
import { CATALOG, type StandardKey } from './catalog.ts'
import { LoadedModels } from './loaded-models.ts'
import { listedName, parsedName } from './model-name.ts'
import type { PresetKey } from './presets.ts'
import { checkKey } from './provider-key.ts'
import { registered } from './registered.ts'
import { providerFrom, type VendorModule } from './vendor/vendor.ts'
import { hasVendorPackage, installedVendor } from './vendor/vendor-package.ts'

/** The entry for one provider in a list of providers. */
export type ProviderSummary = Pick<Provider, 'key' | 'summary' | 'models'>

/**
 * A program's providers, by key. Each registry has its own providers and also finds those that
 * `registerProvider` added for the whole process.
 */
export interface Registry {
  /** The keys of all providers, in list order. Loads nothing. */
  keys(): readonly string[]
  /**
   * All providers, by key. Loads neither their packages nor the built-in provider modules. A module
   * that cannot be loaded is listed with the reason as its summary.
   */
  list(): Promise<readonly ProviderSummary[]>
  /**
   * The model for a name such as `openai-compatible/meta-llama/Llama-3`: the text before the first
   * slash is the provider's key, the rest is the model's id. A name without a slash, such as
   * `gpt-5-nano`, is the id of a model that exactly one provider lists. An unknown key is looked up
   * as a vendor package of the AI SDK: `cohere` is `@ai-sdk/cohere`, if it is installed.
   * The same name with the same settings returns the same model, so switching back costs nothing.
   *
   * @param settings of each provider, by its key; a provider without an entry has no settings
   * @throws EchelonError UNKNOWN_MODEL; MISSING_PACKAGE with the install command, also for a key
   * that could be a vendor's; and any error of the provider's `load`.
   */
  resolve(name: string, settings?: SettingsByProvider): Promise<BoundModel>
  /**
   * Adds a provider under its own key, to this registry only.
   *
   * @throws EchelonError INVALID_CONFIG when the key is taken or invalid.
   */
  register(provider: Provider | VendorModule): void
}

/** The providers' servers and keys, by provider key. */
export type SettingsByProvider = Readonly<Record<string, ProviderSettings>>

/** Loads a provider, usually with a dynamic import. */
export type ProviderLoader = () => Promise<Provider>

/** The built-in providers. Each loads when one of its models is first resolved. */
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

/** A loader that can be listed before its module is loaded. */
function standard(key: StandardKey, load: ProviderLoader): ProviderLoader {
  return () => {
    const loaded = onceLoaded(load)
    return Promise.resolve({
      key,
      ...CATALOG[key],
      load: async (modelId, settings) => await (await loaded()).load(modelId, settings),
    })
  }
}

/** Creates a registry with these providers. More can be registered later. */
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

/**
 * Checks the provider in a name such as `openai/gpt-5`, as far as possible without loading it.
 * @throws EchelonError UNKNOWN_MODEL; MISSING_PACKAGE with the install command
 */
export async function checkModelName(name: string, registry: Registry): Promise<void> {
  const known = registry.keys()
  const { key } = parsedName(name, known)
  // Loads nothing: the package is not installed, so this throws the error that says so.
  if (!known.includes(key) && !hasVendorPackage(key)) await installedVendor(key, known)
}

/**
 * One provider per registry, since it may cache what it learns about servers. A failed load is
 * retried.
 */
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
