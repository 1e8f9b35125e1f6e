import { type KnownSetting, readSettings } from '../core/setting/setting-tree.ts'
import { assembled } from './assemble.ts'
import type { BaseConfig } from './config.ts'
import type { KnownSettings } from './known.ts'
import type { SettingsSource, Sourced } from './settings-source.ts'
import { readSources, type SourceOptions, type Sources } from './sources.ts'
import { type StarNames, VariableReader } from './variables.ts'
import { yamlSource } from './yaml-source.ts'

export interface LoadOptions extends SourceOptions {
  /** Values in the form of a file; they override file and environment. */
  readonly call?: object
  /**
   * Keys of a custom registry's providers in addition to the built-in ones. Other providers are
   * rejected, and the `<KEY>_API_KEY` and `<KEY>_BASE_URL` of these are read.
   */
  readonly providers?: readonly string[]
  /** Whether an installed package can supply a provider that is not listed. */
  readonly isInstalled?: (provider: string) => boolean
  /** Names of the available tools, if known; other tools are then rejected. */
  readonly tools?: readonly string[]
}

/**
 * Loads the configuration. From the weakest to the strongest source: the defaults, the file, the
 * file of the environment named by `ECHELON_ENV`, `.env`, the environment, the call.
 * @throws EchelonError INVALID_CONFIG with the first problem, its place and the allowed values;
 * `details.problems` has every problem. MISSING_PACKAGE when a file exists and `yaml` is not
 * installed
 */
export const loadConfig = async <Values extends object>(
  known: KnownSettings<Values>,
  options: LoadOptions = {},
): Promise<Values & BaseConfig> => configFrom(known, await readSources(options), options)

/** The same from sources that were already read. */
export async function configFrom<Values extends object>(
  known: KnownSettings<Values>,
  sources: Sources,
  options: LoadOptions,
): Promise<Values & BaseConfig> {
  const { files, dotenv, variables, isNamed } = sources
  const reader = new VariableReader(known.all)
  const written = await Promise.all(files.map((file) => yamlSource(known.all, file)))
  const fixed = variables.map((one) => reader.fixed(one))
  const call = callSource(known.all, options.call)
  const names = namesIn([...written, ...fixed, call], options)
  const starred = variables.map((one) => reader.starred(one, names))
  const given = [...written, ...fixed.flatMap((one, index) => [one, starred[index] ?? one]), call]
  const used = new Set(given.flatMap(({ values }) => values.map(variableNameOf)))
  return assembled(known, given, {
    files: [...files, dotenv].filter(({ text }) => text !== null),
    problems: [...sources.problems, ...given.flatMap((one) => one.problems)],
    warnings: [
      ...sources.warnings,
      ...given.flatMap((one) => one.warnings),
      ...variables.flatMap((one) => reader.nearMisses(one, names, used)),
    ],
    tools: options.tools ?? null,
    providers: options.providers ?? null,
    ...(options.isInstalled === undefined ? {} : { isInstalled: options.isInstalled }),
    isNamed,
  })
}

function callSource(known: readonly KnownSetting[], call: object = {}): SettingsSource {
  const { values, problems } = readSettings(known, call)
  return {
    values: values.map((given) => ({ ...given, origin: { from: 'call' } })),
    problems: problems.map(({ message }) => message),
    warnings: [],
  }
}

const variableNameOf = ({ origin }: Sourced): string =>
  origin.from === 'variable' ? origin.name : ''

/** Providers whose variables are always read. */
const USUAL = ['openai', 'openai-compatible', 'anthropic', 'google']

/** Names that a variable may contain: the caller's, and all that appear in the sources. */
function namesIn(
  sources: readonly SettingsSource[],
  { providers = [], tools = [] }: LoadOptions,
): StarNames {
  const given = sources.flatMap(({ values }) => values)
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
