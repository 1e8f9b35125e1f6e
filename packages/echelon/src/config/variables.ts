import { nearest } from '../core/value/nearest.ts'
import { problemWith } from '../core/setting/setting.ts'
import { type KnownSetting, sectionOf } from '../core/setting/setting-tree.ts'
import type { SettingsSource, Sourced } from './settings-source.ts'

/** Variables by name, from the environment or from a `.env` file. */
export interface Variables {
  readonly values: Readonly<Record<string, string | undefined>>
  /** The file that holds them; `null` is the real environment. */
  readonly file: string | null
}

/** Names that a star in a path may stand for. */
export interface StarNames {
  readonly providers: readonly string[]
  readonly tools: readonly string[]
}

/** The variable of a setting: `budget.max_seconds` is `BUDGET_MAX_SECONDS`. */
const variableOf = (path: string): string => path.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')

const isStarred = ({ path }: KnownSetting): boolean => path.includes('*')

/** Reads settings from environment variables. */
export class VariableReader {
  readonly #known: readonly KnownSetting[]
  readonly #fixed: readonly Candidate[]
  readonly #starred: readonly StarredSetting[]

  constructor(known: readonly KnownSetting[]) {
    this.#known = known
    this.#starred = known.filter(isStarred).map(starredSetting)
    this.#fixed = known
      .filter((setting) => !isStarred(setting))
      .map((setting) => ({
        setting,
        at: setting.path.split('.'),
        variable: variableOf(setting.path),
      }))
  }

  /** Settings whose variable contains no provider or tool name. */
  fixed(variables: Variables): SettingsSource {
    return layerOf(variables, this.#fixed)
  }

  /** Settings of providers and tools, whose variables contain a name. */
  starred(variables: Variables, names: StarNames): SettingsSource {
    const customary = names.providers.flatMap((provider) => this.#customaryNames(provider))
    const own = Object.keys(variables.values).flatMap((variable) => this.#meanings(variable, names))
    const clear = own.filter(({ names }) => names.length === 1)
    const unclear = own.filter(({ names }) => names.length > 1)
    return {
      ...layerOf(variables, [...customary, ...clear.flatMap(candidateOf)]),
      warnings: unclear.map(
        (one) => `${one.variable} may mean ${one.names.join(' or ')}; set it in the file instead`,
      ),
    }
  }

  /**
   * Warnings about variables that almost match ours. Not errors, since other programs use the
   * environment too.
   * @param used the variables that are settings
   */
  nearMisses(
    { values, file }: Variables,
    names: StarNames,
    used: ReadonlySet<string>,
  ): readonly string[] {
    const fixed = this.#fixed.map(({ variable }) => variable)
    const ours = [...fixed, ...this.#starredNames(names)]
    const prefixes = new Set(this.#known.map(({ path }) => `${variableOf(sectionOf(path))}_`))
    return Object.keys(values).flatMap((variable) => {
      if (used.has(variable) || ours.includes(variable) || OF_COMMANDS.has(variable)) return []
      const prefix = [...prefixes].find((one) => variable.startsWith(one))
      const near =
        prefix === undefined
          ? nearWholeName(variable, fixed)
          : nearAfterPrefix(prefix, variable, ours)
      if (near === null) return []
      const place = file === null ? variable : `${file}: ${variable}`
      return [`${place} is not a setting; did you mean ${near}?`]
    })
  }

  #customaryNames(provider: string): readonly Candidate[] {
    const others = Object.hasOwn(ALSO, provider) ? (ALSO[provider] ?? []) : []
    const keys = [`${variableOf(provider)}_API_KEY`, ...others]
    return [
      ...keys.flatMap((variable) => this.#candidates(provider, 'api_key', variable)),
      ...this.#candidates(provider, 'base_url', `${variableOf(provider)}_BASE_URL`),
    ]
  }

  #candidates(provider: string, key: string, variable: string): readonly Candidate[] {
    return this.#starred
      .filter(({ setting }) => setting.path === `providers.*.${key}`)
      .map(({ setting }) => ({ setting, at: ['providers', provider, key], variable }))
  }

  /** The possible meanings of a variable such as `TOOLS_CALCULATOR_RETRIES`. */
  #meanings(variable: string, known: StarNames): readonly Meaning[] {
    return this.#starred.flatMap(({ setting, section, pattern }) => {
      const [, middle] = pattern.exec(variable) ?? []
      if (middle === undefined) return []
      const those = section === 'tools' ? known.tools : known.providers
      const names = [...new Set(those.filter((one) => variableOf(one) === middle))]
      return [{ setting, variable, names: names.length > 0 ? names : [spelled(section, middle)] }]
    })
  }

  #starredNames({ providers, tools }: StarNames): readonly string[] {
    return this.#starred.flatMap(({ setting, section }) =>
      (section === 'tools' ? tools : providers).map((name) =>
        variableOf(setting.path.replace('*', () => name)),
      ),
    )
  }
}

interface Candidate {
  readonly setting: KnownSetting
  readonly at: readonly string[]
  readonly variable: string
}

/** If several variables set one setting, the last one wins. */
function layerOf({ values, file }: Variables, candidates: readonly Candidate[]): SettingsSource {
  const given: Sourced[] = []
  const problems: string[] = []
  for (const { setting, at, variable } of candidates) {
    const text = values[variable]?.trim()
    // Shells use an empty value for an absent one.
    if (text === undefined || text === '') continue
    const value = setting.kind.fromText(text)
    const problem = problemWith(file === null ? variable : `${file}: ${variable}`, setting, value)
    if (problem !== null) problems.push(problem)
    else given.push({ at, setting, value, origin: { from: 'variable', name: variable, file } })
  }
  return { values: given, problems, warnings: [] }
}

/** Customary variables that other programs also use, the weakest first. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  'openai-compatible': ['ECHELON_API_KEY'],
}

/** Variables that commands read themselves. They are no settings, and no misspelled ones. */
const OF_COMMANDS: ReadonlySet<string> = new Set([
  'ECHELON_DATABASE',
  'ECHELON_ENV',
  'ECHELON_RELEASE',
  'ECHELON_SERVER_TOKEN',
  'ECHELON_WORKER',
])

/** A setting whose star stands for one of these names. */
interface Meaning {
  readonly setting: KnownSetting
  readonly variable: string
  readonly names: readonly string[]
}

/** A setting of any provider or tool, and the variables that may set it. */
interface StarredSetting {
  readonly setting: KnownSetting
  readonly section: string
  readonly pattern: RegExp
}

function starredSetting(setting: KnownSetting): StarredSetting {
  const [section = '', key = ''] = setting.path.split('.*.')
  const [before, after] = [variableOf(section), variableOf(key)]
  return { setting, section, pattern: new RegExp(`^${before}_([A-Z0-9][A-Z0-9_]*)_${after}$`) }
}

const candidateOf = ({ setting, variable, names }: Meaning): readonly Candidate[] =>
  names.map((name) => ({
    setting,
    variable,
    at: setting.path.split('.').map((part) => (part === '*' ? name : part)),
  }))

/** The usual spelling of provider and tool names. */
const spelled = (section: string, middle: string): string =>
  section === 'tools' ? middle.toLowerCase() : middle.toLowerCase().replaceAll('_', '-')

/** The similarity at which a variable with our prefix counts as a typo. */
const NEAR = 0.55
/** The same for a whole name, which may belong to another program. */
const VERY_NEAR = 0.8

function nearAfterPrefix(prefix: string, variable: string, ours: readonly string[]): string | null {
  const rest = (name: string): string => name.slice(prefix.length)
  const candidates = ours.filter((one) => one.startsWith(prefix)).map(rest)
  const near = nearest(rest(variable), candidates, NEAR)
  return near === null ? null : prefix + near
}

/** Finds typos in the prefix, and the program's name in front of it. */
const nearWholeName = (variable: string, ours: readonly string[]): string | null =>
  nearest(variable.replace(/^ECHELON_/, ''), ours, VERY_NEAR)
