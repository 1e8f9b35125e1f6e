import { isJson } from '../core/value/json.ts'
import type { BoundModel, Price, Provider, ProviderSettings } from '../core/model/model.ts'
import { withDefaults } from './default-sampling.ts'

/** A model and its settings. */
interface ModelRequest {
  readonly key: string
  readonly modelId: string
  readonly settings: ProviderSettings
}

/** Most programs use few models; a program with one key per user has many. */
const MOST = 100

/** A cache of loaded models by their settings. Drops the oldest beyond its limit. */
export class LoadedModels {
  readonly #loaded = new Map<string, BoundModel>()

  async get(wanted: ModelRequest, load: () => Promise<Provider>): Promise<BoundModel> {
    const place = placeOf(wanted)
    const cached = place === undefined ? undefined : this.#loaded.get(place)
    if (cached !== undefined) return cached
    const model = await loadModel(wanted, await load())
    if (place !== undefined) this.#keep(place, model)
    return model
  }

  #keep(place: string, model: BoundModel): void {
    this.#loaded.set(place, model)
    const [oldest] = this.#loaded.keys()
    if (this.#loaded.size > MOST && oldest !== undefined) this.#loaded.delete(oldest)
  }
}

/**
 * By value, since settings may be changed in place. Values that JSON cannot hold, such as a
 * `fetch`, are not cached.
 */
const placeOf = ({ key, modelId, settings }: ModelRequest): string | undefined =>
  settings.additional === undefined || isJson(settings.additional)
    ? JSON.stringify([key, modelId, settings])
    : undefined

async function loadModel(
  { modelId, settings }: ModelRequest,
  provider: Provider,
): Promise<BoundModel> {
  const { normalizeError } = provider
  const { apiKey } = settings
  const bound = await provider.load(modelId, settings)
  return {
    ...(normalizeError === undefined ? {} : { normalizeError }),
    ...(apiKey === undefined ? {} : { secrets: () => [apiKey] }),
    ...bound,
    ...(settings.sampling === undefined
      ? {}
      : { model: withDefaults(bound.model, settings.sampling) }),
    ...(settings.price === undefined ? {} : { price: statedPrice(settings.price) }),
  }
}

/** A price set by the user, in US dollars per million tokens. */
const statedPrice =
  ({ inputPerMillion, outputPerMillion }: NonNullable<ProviderSettings['price']>): Price =>
  ({ input, output }) =>
    (input * inputPerMillion + output * outputPerMillion) / 1e6
