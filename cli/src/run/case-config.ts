import { resolve } from 'node:path'
import { EchelonError } from 'echelon/internal/value'
import { type Config, type ConfigInput, ladderOf } from 'echelon/config'
import type { Mode, Unchecked } from 'echelon/decide'
import { configFor, readConfig, type GlobalOptions } from '../configuration.ts'
import type { Io } from '../io.ts'

/** Command-line options for the configuration of a case. */
export interface CaseConfigOptions extends GlobalOptions {
  readonly mode?: Mode
  readonly small?: string
  readonly big?: string
  readonly ladder?: readonly string[]
  readonly baseUrl?: string
  readonly seed?: number
  readonly artifacts?: string
  readonly maxSeconds?: number
  readonly maxCallSeconds?: number
  readonly maxCost?: number
  readonly unchecked?: Unchecked
  readonly gate?: string
  readonly accept?: number
  readonly opinions?: readonly string[]
  /** Set in a replay, which needs no notice about offline models. */
  readonly replayModels?: string
}

/** The configuration, overridden by the command line. */
export async function caseConfig(io: Io, options: CaseConfigOptions): Promise<Config> {
  const { maxSeconds, maxCallSeconds, maxCost, mode, seed, artifacts, baseUrl } = options
  const { unchecked, gate, accept, opinions } = options
  const models = modelsOf(options)
  const server = baseUrl === undefined ? {} : await serverOf(io, baseUrl, options, models)
  const config = await configFor(io, options, {
    call: {
      models,
      providers: server,
      budget: {
        ...(maxSeconds === undefined ? {} : { max_seconds: maxSeconds }),
        ...(maxCost === undefined ? {} : { max_cost_usd: maxCost }),
      },
      flags: unchecked === undefined ? {} : { unchecked },
      gate: {
        // Stored with the run, which may be resumed in another folder.
        ...(gate === undefined ? {} : { file: resolve(gate) }),
        ...(accept === undefined ? {} : { accept }),
        ...(opinions === undefined ? {} : { opinions }),
      },
      limits:
        maxCallSeconds === undefined
          ? {}
          : { max_call_seconds: maxCallSeconds, max_reasoning_seconds: maxCallSeconds },
      run: {
        ...(mode === undefined ? {} : { mode }),
        ...(seed === undefined ? {} : { seed }),
        ...(artifacts === undefined ? {} : { artifacts }),
      },
    },
  })
  if (options.replayModels === undefined) noticeOffline(io, config)
  return config
}

type Models = NonNullable<ConfigInput['models']>

function modelsOf({ small, big, ladder }: CaseConfigOptions): Models {
  if (ladder === undefined && small === undefined && big === undefined) return {}
  if (ladder === undefined) {
    return {
      // Otherwise a configured ladder would override the models named here.
      ladder: null,
      ...(small === undefined ? {} : { small_model: small }),
      ...(big === undefined ? {} : { big_model: big }),
    }
  }
  if (small === undefined && big === undefined) return { ladder }
  throw usage('--ladder replaces --small and --big; name the models once')
}

/** Applies --base-url to the provider of the models. */
async function serverOf(
  io: Io,
  baseUrl: string,
  options: CaseConfigOptions,
  models: Models,
): Promise<NonNullable<ConfigInput['providers']>> {
  const isNamed = Object.keys(models).length > 0
  const named = isNamed
    ? Object.values(models)
    : ladderOf((await readConfig(io, options)).settings.models)
  const names = named.flat().filter((name) => typeof name === 'string')
  const keys = new Set(names.map((name) => name.split('/')[0] ?? ''))
  keys.delete('offline')
  const [key, ...others] = keys
  if (key === undefined) {
    throw usage('--base-url names a server but no model; add --small openai-compatible/<model>')
  }
  if (others.length > 0) {
    throw usage(
      `--base-url is one server, but the models belong to ${[...keys].join(' and ')}; set providers.<key>.base_url in the configuration`,
    )
  }
  return { [key]: { base_url: baseUrl } }
}

function noticeOffline(io: Io, { values }: Config): void {
  const { origin } = values.find(({ path }) => path === 'models.small_model') ?? {}
  if (origin?.from !== 'default' || origin.because === null) return
  io.stderr.write('offline models answer (no OPENAI_API_KEY); --small and --big name others\n')
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
