import { EchelonError } from '../core/error.ts'
import type { BoundModel, Price, Provider, ProviderSettings } from '../core/model.ts'
import { nearest } from '../core/nearest.ts'
import type { PresetKey } from './presets.ts'

/** What a list of providers shows of one. */
export type ProviderSummary = Pick<Provider, 'key' | 'summary' | 'models'>

/** The providers of a program, by key. Belongs to whoever made it; there is no global one. */
export interface Registry {
  /**
   * Every provider, by key. Loads the providers' own small modules and none of their packages.
   * A module that cannot be loaded is listed with the reason as its summary.
   */
  list(): Promise<readonly ProviderSummary[]>
  /**
   * The model behind a name such as `openai-compatible/meta-llama/Llama-3`: what stands before
   * the first slash is the provider's key, all the rest the model's id. A name without a slash, such
   * as `gpt-5-nano`, is the id of a model that one provider alone lists.
   *
   * @param settings of each provider, by its key; what is not named has none
   * @throws EchelonError UNKNOWN_MODEL, and whatever the provider's `load` throws.
   */
  resolve(name: string, settings?: SettingsByProvider): Promise<BoundModel>
  /**
   * Adds a provider under its own key.
   *
   * @throws EchelonError INVALID_CONFIG when the key is taken, or is no word without a slash.
   */
  register(provider: Provider): void
}

/** Where providers find their servers and keys, by the provider's key. */
export type SettingsByProvider = Readonly<Record<string, ProviderSettings>>

/** How a registry comes by a provider: most often a dynamic import. */
export type ProviderLoader = () => Promise<Provider>

/** What Echelon brings. Nothing is loaded before a provider is listed or resolved. */
export const standardProviders: Readonly<Record<string, ProviderLoader>> = {
  offline: async () => (await import('./offline.ts')).offline,
  openai: async () => (await import('./openai.ts')).openaiProvider(),
  'openai-compatible': async () => (await import('./openai-compatible.ts')).openaiCompatible,
  anthropic: async () => (await import('./anthropic.ts')).anthropic,
  google: async () => (await import('./google.ts')).google,
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
  return async () => (await import('./presets.ts')).presetProvider(key)
}

/** A registry that begins with these providers and can be given more. */
export function createRegistry(providers: Readonly<Record<string, ProviderLoader>>): Registry {
  const loaders = new Map(
    Object.entries(providers).map(([key, load]) => [key, onceLoaded(load)] as const),
  )
  const list = async (): Promise<readonly ProviderSummary[]> =>
    await Promise.all([...loaders].map(summaryOf))
  return {
    list,
    resolve: async (name, byProvider = {}) => {
      const known = [...loaders.keys()]
      const { key, modelId } = name.includes('/')
        ? parsed(name, known)
        : listed(name, await list(), known)
      const load = loaders.get(key)
      const settings = (Object.hasOwn(byProvider, key) ? byProvider[key] : undefined) ?? {}
      if (load === undefined) throw unknownKey(name, key, known)
      const bound = await (await load()).load(modelId, settings)
      return settings.price === undefined ? bound : { ...bound, price: statedPrice(settings.price) }
    },
    register: (provider) => {
      checkKey(provider.key, loaders)
      loaders.set(provider.key, () => Promise.resolve(provider))
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

/** A price that the user states, in US dollars per million tokens. */
const statedPrice =
  ({ inputPerMillion, outputPerMillion }: NonNullable<ProviderSettings['price']>): Price =>
  ({ input, output }) =>
    (input * inputPerMillion + output * outputPerMillion) / 1e6

async function summaryOf([key, load]: readonly [string, ProviderLoader]): Promise<ProviderSummary> {
  try {
    const { summary, models } = await load()
    return { key, summary, models }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { key, summary: `cannot be loaded: ${reason}`, models: [] }
  }
}

/** A model's name, taken apart. */
interface ModelName {
  readonly key: string
  readonly modelId: string
}

function parsed(name: string, known: readonly string[]): ModelName {
  const slash = name.indexOf('/')
  const key = name.slice(0, slash)
  const modelId = name.slice(slash + 1)
  if (key !== '' && modelId !== '') return { key, modelId }
  throw incomplete(name, key, known)
}

/** A bare name is the model's id, where one provider alone lists it. */
function listed(
  name: string,
  providers: readonly ProviderSummary[],
  known: readonly string[],
): ModelName {
  const keys = providers.flatMap(({ key, models }) => (models.includes(name) ? [key] : []))
  const [key, ...more] = keys
  if (key !== undefined && more.length === 0) return { key, modelId: name }
  if (key === undefined) throw incomplete(name, name, known)
  const choices = keys.map((one) => `${one}/${name}`).join(' or ')
  throw unknownModel(name, known, `several providers have ${quoted(name)}; write ${choices}`)
}

function incomplete(name: string, key: string, known: readonly string[]): EchelonError {
  const example = `${known.includes(key) ? key : (known[0] ?? 'provider')}/<model>`
  return unknownModel(
    name,
    known,
    `write a model as provider/model, such as ${example}, not ${quoted(name)}`,
  )
}

function unknownKey(name: string, key: string, known: readonly string[]): EchelonError {
  const near = nearest(key, known)
  const hint = near === null ? '' : `did you mean ${near}? `
  return unknownModel(
    name,
    known,
    `no provider is called ${quoted(key)}; ${hint}known: ${known.join(', ') || 'none'}`,
  )
}

const unknownModel = (name: string, known: readonly string[], message: string): EchelonError =>
  new EchelonError('UNKNOWN_MODEL', message, { details: { name, known } })

const quoted = (text: string): string => JSON.stringify(text)

function checkKey(key: string, taken: ReadonlyMap<string, ProviderLoader>): void {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(key)) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `a provider cannot be called ${quoted(key)}; use lower-case letters, digits, ., _ and -`,
    )
  }
  if (taken.has(key)) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `a provider called ${quoted(key)} is registered already; give this one another key`,
    )
  }
}
