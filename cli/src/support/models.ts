import { type Config, ladderOf } from 'echelon/config'
import { createRegistry, standardProviders, withReasoning } from 'echelon/providers'
import type { RouterOptions } from '@echelon/support'
import { serverOf } from '../chat/chat-config.ts'
import { configFor, type GlobalOptions } from '../configuration.ts'
import type { Io } from '../io.ts'

export interface SupportModelOptions extends GlobalOptions {
  readonly model?: string
  readonly big?: string
  readonly baseUrl?: string
}

/** The models that read messages besides the embedded classifier, cheapest first. */
export interface Rungs {
  readonly config: Config
  readonly small: RouterOptions['llmProvider']
  readonly big: RouterOptions['llmProvider']
  /** Names of the models. */
  readonly names: readonly string[]
}

/**
 * Loads the models of the configuration and the command line. Offline models cannot read messages
 * about orders, so the embedded classifier is used in their place.
 * @throws EchelonError INVALID_CONFIG, UNKNOWN_MODEL, MISSING_KEY and MISSING_PACKAGE
 */
export async function rungsOf(io: Io, options: SupportModelOptions): Promise<Rungs> {
  const { model, big, baseUrl } = options
  const isNamed = model !== undefined || big !== undefined
  const config = await configFor(io, options, {
    call: {
      ...(isNamed && {
        models: {
          // A ladder of the configuration would override the named models.
          ladder: null,
          ...(model !== undefined && { small_model: model }),
          // If one model is named, it is the only one.
          big_model: big ?? OFFLINE,
          ...(model === undefined && { small_model: OFFLINE }),
        },
      }),
      ...(baseUrl !== undefined && {
        providers: await serverOf(io, baseUrl, { ...options, ...modelIn(options) }),
      }),
    },
  })
  const names = [...new Set(ladderOf(config.settings.models))].filter(isReal)
  const registry = createRegistry(standardProviders)
  const [small, ...bigger] = await Promise.all(
    names.map((name) => registry.resolve(name, withReasoning(config.providers, name, 'least'))),
  )
  return {
    config,
    small,
    big: bigger.at(-1),
    names: [names[0], names.slice(1).at(-1)].flatMap((name) => name ?? []),
  }
}

const OFFLINE = 'offline/small'

const isReal = (name: string): boolean => !name.startsWith('offline/')

/** The model that the server belongs to: --model, or --big if it is the only one. */
const modelIn = ({ model, big }: SupportModelOptions): { readonly model?: string } => {
  const named = model ?? big
  return named === undefined ? {} : { model: named }
}
