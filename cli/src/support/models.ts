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

/** Who reads messages beside the embedded classifier, cheapest first. */
export interface Rungs {
  readonly config: Config
  readonly small: RouterOptions['llmProvider']
  readonly big: RouterOptions['llmProvider']
  /** In words, for whoever sits here. */
  readonly names: readonly string[]
}

/**
 * The models of the configuration, with what the command line says on top. Those that run offline know
 * nothing of orders: the embedded classifier serves in their place.
 * @throws EchelonError INVALID_CONFIG, UNKNOWN_MODEL, MISSING_KEY and MISSING_PACKAGE
 */
export async function rungsOf(io: Io, options: SupportModelOptions): Promise<Rungs> {
  const { model, big, baseUrl } = options
  const isNamed = model !== undefined || big !== undefined
  const config = await configFor(io, options, {
    call: {
      ...(isNamed && {
        models: {
          // A ladder of the configuration would stand in for what is named here.
          ladder: null,
          ...(model !== undefined && { small_model: model }),
          // One model that is named is asked alone.
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

/** The model whose server is named: the only one, where one alone is. */
const modelIn = ({ model, big }: SupportModelOptions): { readonly model?: string } => {
  const named = model ?? big
  return named === undefined ? {} : { model: named }
}
