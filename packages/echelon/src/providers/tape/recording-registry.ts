import type { JsonObject } from '../../core/value/json.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Registry } from '../registry.ts'
import { PROBES } from './price-points.ts'
import { recordedModel } from './recorded-model.ts'
import { settingsOf } from './request.ts'
import { type Cleaner, cleaner } from './secrets.ts'
import type { TapeSink } from './tape-line.ts'

/**
 * The same models, with every call of theirs recorded: prompt, sampling, tools and options of the
 * request; `api`, `store` and `reasoning` where they are set otherwise than by default; the answer
 * or the parts of its stream or its failure, with what the server said of it; and what it cost. No
 * header with a secret, no key of `settings` and no request as HTTP has it is written. What looks
 * like a secret or like personal data is hidden in request and answer alike, so that an answer that
 * holds some replays with it hidden; files of a prompt are written as their SHA-256.
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

/** One model, with every call and every price of it recorded under the name that it was asked for. */
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
