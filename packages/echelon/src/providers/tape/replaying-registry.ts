import { EchelonError } from '../../core/value/error.ts'
import type { JsonObject } from '../../core/value/json.ts'
import type { BoundModel } from '../../core/model/model.ts'
import { nearest } from '../../core/value/nearest.ts'
import { normalizerOf } from '../errors/by-key.ts'
import { keptConversation } from '../openai/conversation.ts'
import type { ProviderSummary, Registry, SettingsByProvider } from '../registry.ts'
import { priceThrough } from './price-points.ts'
import { settingsOf } from './request.ts'
import { replayedModel } from './replayed-model.ts'
import type { ModelTape } from './tape.ts'
import type { ModelLine } from './tape-line.ts'

/**
 * The models of a recording. Without key, package or network they return the recorded answers at
 * the recorded prices, each once. A request that was not recorded, or was answered as often as it
 * was recorded, throws EchelonError UNRECORDED_CALL, which names the differences from the nearest
 * recorded request and ends the run. The settings `api`, `store` and `reasoning` are part of the
 * request.
 * A call that was aborted, by a timeout or a canceled run, fails at once with a timeout. If the
 * recorded run ended there, the replayed one asks further and ends with UNRECORDED_CALL.
 */
export function replayingRegistry(tape: ModelTape): Registry {
  return {
    keys: () => summaries(tape).map(({ key }) => key),
    list: () => Promise.resolve(summaries(tape)),
    resolve: async (name, settings = {}) => await Promise.resolve(boundModel(tape, name, settings)),
    register: ({ key }) => {
      throw new EchelonError(
        'INVALID_CONFIG',
        `a replay calls no provider, so ${key} cannot be added to it; add it to the recording registry`,
      )
    },
  }
}

function boundModel(tape: ModelTape, name: string, settings: SettingsByProvider): BoundModel {
  const line = tape.models.find((model) => model.name === name)
  if (line === undefined) throw unknownModel(tape, name)
  const bound = replayedBound(line, tape, settingsOf(name, line.id, settings))
  const [key = ''] = line.id.split('/')
  return { ...bound, ...(key === 'openai' ? keptConversation(settings[key] ?? {}) : {}) }
}

/** A recorded model with its recorded prices. */
export function replayedBound(line: ModelLine, tape: ModelTape, settings: JsonObject): BoundModel {
  const { id } = line
  const [key = ''] = id.split('/')
  return {
    id,
    model: replayedModel(line, tape, settings),
    price: priceThrough(tape.pricesOf(id)),
    normalizeError: normalizerOf(key),
  }
}

function unknownModel({ path, models }: ModelTape, name: string): EchelonError {
  const known = models.map((model) => model.name)
  const near = nearest(name, known)
  const hint = near === null ? '' : `did you mean ${near}? `
  return new EchelonError(
    'UNKNOWN_MODEL',
    `the recording ${path} has no model ${name}; ${hint}it holds ${known.join(', ')}; use the models of the recorded run, for example with --small and --big`,
    { details: { name, known } },
  )
}

/** The recorded models, grouped by provider key. */
function summaries({ models }: ModelTape): readonly ProviderSummary[] {
  const names = models.map(({ name }) => {
    const slash = name.indexOf('/')
    return { key: name.slice(0, slash), model: name.slice(slash + 1) }
  })
  return [...Map.groupBy(names, ({ key }) => key)].map(([key, all]) => ({
    key,
    summary: 'recorded calls',
    models: all.map(({ model }) => model),
  }))
}
