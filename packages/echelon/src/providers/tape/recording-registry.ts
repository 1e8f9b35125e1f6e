import type { JsonObject } from '../../core/value/json.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Registry } from '../registry.ts'
import { PROBES } from './price-points.ts'
import { recordedModel } from './recorded-model.ts'
import { settingsOf } from './request.ts'
import { type Cleaner, cleaner } from './secrets.ts'
import type { TapeSink } from './tape-line.ts'

/**
 * The same models, with every call recorded: prompt, sampling, tools and options of the request;
 * `api`, `store` and `reasoning` where they differ from the defaults; the answer, the stream parts
 * or the failure with the server's response; and the price. Secret headers, keys in `settings` and
 * raw HTTP requests are never written. Text that looks like a secret or personal data is hidden in
 * requests and answers, so such an answer replays with it hidden. Files in a prompt are written as
 * their SHA-256.
 */
export function recordingRegistry(
  registry: Registry,
  recording: TapeSink,
  cleanerFor: (keys: readonly string[]) => Cleaner = cleaner,
): Registry {
  return {
    keys: () => registry.keys(),
    list: () => registry.list(),
    register: (provider) => registry.register(provider),
    resolve: async (name, settings = {}) => {
      const bound = await registry.resolve(name, settings)
      const keys = Object.values(settings).flatMap(({ apiKey }) => apiKey ?? [])
      return recordedBound(bound, recording, {
        name,
        clean: cleanerFor(keys),
        settings: settingsOf(name, bound.id, settings),
      })
    },
  }
}

/** One model, with every call and price recorded under the name by which it was requested. */
export function recordedBound(
  bound: BoundModel,
  recording: TapeSink,
  { name, clean, settings }: RecordedAs,
): BoundModel {
  const { id, model } = bound
  const { provider, modelId } = model
  recording.write({ kind: 'model', name, id, provider, modelId })
  return {
    ...bound,
    model: recordedModel(bound, recording, { clean, settings }),
    price: recordedPrice(bound, recording),
  }
}

interface RecordedAs {
  readonly name: string
  readonly clean: Cleaner
  readonly settings: JsonObject
}

function recordedPrice({ id, price }: BoundModel, recording: TapeSink): BoundModel['price'] {
  const recorded: BoundModel['price'] = (usage) => {
    const usd = price(usage)
    recording.write({ kind: 'price', model: id, input: usage.input, output: usage.output, usd })
    return usd
  }
  for (const probe of PROBES) recorded(probe)
  return recorded
}
