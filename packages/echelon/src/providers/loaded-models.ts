import { isJson } from '../core/value/json.ts'
import type { BoundModel, Price, Provider, ProviderSettings } from '../core/model/model.ts'
import { withDefaults } from './default-sampling.ts'

/** Which model, and how it is reached. */
interface Wanted {
  readonly key: string
  readonly modelId: string
  readonly settings: ProviderSettings
}

/** Programs switch between few models; one that has a key for each user has many. */
const MOST = 100

/** The models that were loaded, each for its settings; the oldest are forgotten beyond a number. */
export class LoadedModels {
  readonly #loaded = new Map<string, BoundModel>()

  async get(wanted: Wanted, load: () => Promise<Provider>): Promise<BoundModel> {
    const place = placeOf(wanted)
    const there = place === undefined ? undefined : this.#loaded.get(place)
    if (there !== undefined) return there
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

/** By value: settings may be changed in place. What is no JSON, such as a `fetch`, has no value. */
const placeOf = ({ key, modelId, settings }: Wanted): string | undefined =>
  settings.additional === undefined || isJson(settings.additional)
    ? JSON.stringify([key, modelId, settings])
    : undefined

async function loadModel({ modelId, settings }: Wanted, provider: Provider): Promise<BoundModel> {
  const { normalizeError } = provider
  const bound = await provider.load(modelId, settings)
  return {
    ...(normalizeError === undefined ? {} : { normalizeError }),
    ...bound,
    ...(settings.sampling === undefined
      ? {}
      : { model: withDefaults(bound.model, settings.sampling) }),
    ...(settings.price === undefined ? {} : { price: statedPrice(settings.price) }),
  }
}

/** A price that the user states, in US dollars per million tokens. */
const statedPrice =
  ({ inputPerMillion, outputPerMillion }: NonNullable<ProviderSettings['price']>): Price =>
  ({ input, output }) =>
    (input * inputPerMillion + output * outputPerMillion) / 1e6
