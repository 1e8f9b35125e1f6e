import { type KnownSetting, readSettings } from '../core/setting/setting-tree.ts'
import { assembled } from './assemble.ts'
import type { BaseConfig } from './config.ts'
import type { KnownSettings } from './known.ts'
import type { Layer, Sourced } from './layer.ts'
import { readSources, type SourceOptions, type Sources } from './sources.ts'
import { type StarNames, VariableReader } from './variables.ts'
import { yamlLayer } from './yaml-layer.ts'

export interface LoadOptions extends SourceOptions {
  /** Values as a file holds them; stronger than file and environment. */
  readonly call?: object
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
export const loadConfig = async <Values extends object>(
  known: KnownSettings<Values>,
  options: LoadOptions = {},
): Promise<Values & BaseConfig> => configFrom(known, await readSources(options), options)

/** The same from sources that have been read. */
export async function configFrom<Values extends object>(
  known: KnownSettings<Values>,
  sources: Sources,
  options: LoadOptions,
): Promise<Values & BaseConfig> {
  const { files, dotenv, variables, isNamed } = sources
  const reader = new VariableReader(known.all)
  const written = await Promise.all(files.map((file) => yamlLayer(known.all, file)))
  const fixed = variables.map((one) => reader.fixed(one))
  const call = callLayer(known.all, options.call)
  const names = namesIn([...written, ...fixed, call], options)
  const starred = variables.map((one) => reader.starred(one, names))
  const layers = [...written, ...fixed.flatMap((one, index) => [one, starred[index] ?? one]), call]
  const used = new Set(layers.flatMap(({ values }) => values.map(variableNameOf)))
  return assembled(known, layers, {
    files: [...files, dotenv].filter(({ text }) => text !== null),
    problems: [...sources.problems, ...layers.flatMap((layer) => layer.problems)],
    warnings: [
      ...sources.warnings,
      ...layers.flatMap((layer) => layer.warnings),
      ...variables.flatMap((one) => reader.nearMisses(one, names, used)),
    ],
    tools: options.tools ?? null,
    providers: options.providers ?? null,
    ...(options.isInstalled === undefined ? {} : { isInstalled: options.isInstalled }),
    isNamed,
  })
}

function callLayer(known: readonly KnownSetting[], call: object = {}): Layer {
  const { values, problems } = readSettings(known, call)
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
