import { EchelonError } from 'echelon/runtime'
import { type Config, firstModelOf } from 'echelon/config'
import { configFor, readConfig, type GlobalOptions } from '../configuration.ts'
import type { Io } from '../io.ts'

/** Command-line options that override the configuration. */
export interface ChatConfigOptions extends GlobalOptions {
  readonly model?: string
  readonly baseUrl?: string
  readonly maxCost?: number
  readonly artifacts?: string
  /** With a tape no model is called, so the default model is not announced. */
  readonly replayModels?: string
}

/** Reads the configuration with the command line's overrides, and names the first model. */
export async function chatConfig(
  io: Io,
  options: ChatConfigOptions,
): Promise<{ readonly config: Config; readonly model: string }> {
  const { model, baseUrl, maxCost, artifacts } = options
  const config = await configFor(io, options, {
    call: {
      ...(model === undefined ? {} : { models: { ladder: null, small_model: model } }),
      ...(baseUrl === undefined ? {} : { providers: await serverOf(io, baseUrl, options) }),
      ...(maxCost === undefined ? {} : { budget: { max_cost_usd: maxCost } }),
      ...(artifacts === undefined ? {} : { run: { artifacts } }),
    },
  })
  if (options.replayModels === undefined) noticeOffline(io, config)
  return { config, model: firstModelOf(config.settings.models) }
}

/** Settings that give the provider of the model this server. */
export async function serverOf(
  io: Pick<Io, 'env'>,
  baseUrl: string,
  options: Pick<ChatConfigOptions, 'model' | 'config'>,
): Promise<Readonly<Record<string, { readonly base_url: string }>>> {
  const model = options.model ?? firstModelOf((await readConfig(io, options)).settings.models)
  const [key = ''] = model.split('/')
  if (key !== '' && key !== 'none' && key !== 'offline') return { [key]: { base_url: baseUrl } }
  throw new EchelonError(
    'INVALID_INPUT',
    '--base-url names a server but no model; add --model openai-compatible/<model>',
  )
}

function noticeOffline(io: Io, { values }: Config): void {
  const { origin } = values.find(({ path }) => path === 'models.small_model') ?? {}
  if (origin?.from !== 'default' || origin.because === null) return
  io.stderr.write('an offline model answers (no OPENAI_API_KEY); --model names another\n')
}
