import { readSettings } from '../core/setting-tree.ts'
import { assembled } from './assemble.ts'
import type { Config, ConfigInput } from './config.ts'
import { CONFIG_SETTINGS } from './known.ts'
import type { Layer, Sourced } from './layer.ts'
import { readSources, type SourceOptions, type Sources } from './sources.ts'
import { fixedVariables, nearMisses, type StarNames, starredVariables } from './variables.ts'
import { yamlLayer } from './yaml-layer.ts'

export interface LoadOptions extends SourceOptions {
  /** Stronger than file and environment. */
  readonly call?: ConfigInput
  /**
   * Keys of providers besides those that Echelon brings, for a registry of one's own: no others may
   * be named, and their `<KEY>_API_KEY` and `<KEY>_BASE_URL` are read.
   */
  readonly providers?: readonly string[]
  /** Whether a provider that is not named there can be had from a package that is installed. */
  readonly isInstalled?: (provider: string) => boolean
  /** Names of the tools that there are, if they are known: then no other may be configured. */
  readonly tools?: readonly string[]
}

/**
 * The configuration, from the weakest source to the strongest: the defaults, the file, the file of
 * the environment that `ECHELON_ENV` names, `.env`, the environment, the call.
 * @throws EchelonError INVALID_CONFIG with the first problem, its place and what the setting may be;
 * `details.problems` has every problem. MISSING_PACKAGE when a file is there and `yaml` is not
 */
export const loadConfig = async (options: LoadOptions = {}): Promise<Config> =>
  configFrom(await readSources(options), options)

/** The same from sources that have been read. */
export async function configFrom(sources: Sources, options: LoadOptions): Promise<Config> {
  const { files, dotenv, variables, isNamed } = sources
  const written = await Promise.all(files.map(yamlLayer))
  const fixed = variables.map(fixedVariables)
  const call = callLayer(options.call)
  const names = namesIn([...written, ...fixed, call], options)
  const starred = variables.map((one) => starredVariables(one, names))
  const layers = [...written, ...fixed.flatMap((one, index) => [one, starred[index] ?? one]), call]
  const used = new Set(layers.flatMap(({ values }) => values.map(variableNameOf)))
  return assembled(layers, {
    files: [...files, dotenv].filter(({ text }) => text !== null),
    problems: [...sources.problems, ...layers.flatMap((layer) => layer.problems)],
    warnings: [
      ...sources.warnings,
      ...layers.flatMap((layer) => layer.warnings),
      ...variables.flatMap((one) => nearMisses(one, names, used)),
    ],
    tools: options.tools ?? null,
    providers: options.providers ?? null,
    ...(options.isInstalled === undefined ? {} : { isInstalled: options.isInstalled }),
    isNamed,
  })
}

function callLayer(call: ConfigInput = {}): Layer {
  const { values, problems } = readSettings(CONFIG_SETTINGS, call)
  return {
    values: values.map((given) => ({ ...given, origin: { from: 'call' } })),
    problems: problems.map(({ message }) => message),
    warnings: [],
  }
}

const variableNameOf = ({ origin }: Sourced): string =>
  origin.from === 'variable' ? origin.name : ''

/** Providers whose variables are read, whoever is registered. */
const USUAL = ['openai', 'openai-compatible', 'anthropic', 'google']

/** Names that a variable may hold: those of the caller, and all that are named in the layers. */
function namesIn(layers: readonly Layer[], { providers = [], tools = [] }: LoadOptions): StarNames {
  const given = layers.flatMap(({ values }) => values)
  const under = (section: string): readonly string[] =>
    given.flatMap(({ at: [first, name = ''] }) => (first === section ? [name] : []))
  const models = given
    .filter(({ at }) => at[0] === 'models')
    .flatMap(({ value }) => [value].flat())
    .map((model) => String(model).split('/')[0] ?? '')
  return {
    providers: [...new Set([...USUAL, ...providers, ...under('providers'), ...models])],
    tools: [...new Set([...tools, ...under('tools')])],
  }
}
