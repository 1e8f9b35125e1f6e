import { nearest } from '../core/nearest.ts'
import { problemWith } from '../core/setting.ts'
import { type KnownSetting, sectionOf } from '../core/setting-tree.ts'
import { CONFIG_SETTINGS } from './known.ts'
import type { Layer, Sourced } from './layer.ts'

/** Variables by name, of the environment or of a file that stands in for it. */
export interface Variables {
  readonly values: Readonly<Record<string, string | undefined>>
  /** The file that holds them; `null` is the real environment. */
  readonly file: string | null
}

/** Names that a star of a path may stand for. */
export interface StarNames {
  readonly providers: readonly string[]
  readonly tools: readonly string[]
}

/** The variable of a setting: `budget.max_seconds` is `BUDGET_MAX_SECONDS`. */
const variableOf = (path: string): string => path.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')

const isStarred = ({ path }: KnownSetting): boolean => path.includes('*')
const FIXED = CONFIG_SETTINGS.filter((setting) => !isStarred(setting))
const FIXED_VARIABLES = FIXED.map(({ path }) => variableOf(path))
const STARRED = CONFIG_SETTINGS.filter(isStarred)
const STARRED_PATTERNS = STARRED.map((setting) => {
  const [section = '', key = ''] = setting.path.split('.*.')
  const [before, after] = [variableOf(section), variableOf(key)]
  return { setting, section, pattern: new RegExp(`^${before}_([A-Z0-9][A-Z0-9_]*)_${after}$`) }
})

/** Settings that have a variable of their own, whatever else is named. */
export const fixedVariables = (variables: Variables): Layer =>
  layerOf(
    variables,
    FIXED.map((setting) => ({
      setting,
      at: setting.path.split('.'),
      variable: variableOf(setting.path),
    })),
  )

/** Settings of providers and tools, whose variables hold a name. */
export function starredVariables(variables: Variables, names: StarNames): Layer {
  const customary = names.providers.flatMap(customaryNames)
  const own = Object.keys(variables.values).flatMap((variable) => meanings(variable, names))
  const clear = own.filter(({ names }) => names.length === 1)
  const unclear = own.filter(({ names }) => names.length > 1)
  return {
    ...layerOf(variables, [...customary, ...clear.flatMap(candidateOf)]),
    warnings: unclear.map(
      (one) => `${one.variable} may mean ${one.names.join(' or ')}; set it in the file instead`,
    ),
  }
}

interface Candidate {
  readonly setting: KnownSetting
  readonly at: readonly string[]
  readonly variable: string
}

/** Of several variables for one setting the last that is set holds. */
function layerOf({ values, file }: Variables, candidates: readonly Candidate[]): Layer {
  const given: Sourced[] = []
  const problems: string[] = []
  for (const { setting, at, variable } of candidates) {
    const text = values[variable]?.trim()
    // Empty is how a shell says that there is none.
    if (text === undefined || text === '') continue
    const value = setting.kind.fromText(text)
    const problem = problemWith(file === null ? variable : `${file}: ${variable}`, setting, value)
    if (problem !== null) problems.push(problem)
    else given.push({ at, setting, value, origin: { from: 'variable', name: variable, file } })
  }
  return { values: given, problems, warnings: [] }
}

/** Variables that other programs know too, the weakest first. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  'openai-compatible': ['ECHELON_API_KEY'],
}

function customaryNames(provider: string): readonly Candidate[] {
  const others = Object.hasOwn(ALSO, provider) ? (ALSO[provider] ?? []) : []
  const keys = [`${variableOf(provider)}_API_KEY`, ...others]
  return [
    ...keys.flatMap((variable) => candidates(provider, 'api_key', variable)),
    ...candidates(provider, 'base_url', `${variableOf(provider)}_BASE_URL`),
  ]
}

const candidates = (provider: string, key: string, variable: string): readonly Candidate[] =>
  STARRED.filter(({ path }) => path === `providers.*.${key}`).map((setting) => ({
    setting,
    at: ['providers', provider, key],
    variable,
  }))

/** A setting whose star stands for one of these names. */
interface Meaning {
  readonly setting: KnownSetting
  readonly variable: string
  readonly names: readonly string[]
}

/** What a variable such as `TOOLS_CALCULATOR_RETRIES` may mean. */
function meanings(variable: string, known: StarNames): readonly Meaning[] {
  return STARRED_PATTERNS.flatMap(({ setting, section, pattern }) => {
    const [, middle] = pattern.exec(variable) ?? []
    if (middle === undefined) return []
    const those = section === 'tools' ? known.tools : known.providers
    const names = [...new Set(those.filter((one) => variableOf(one) === middle))]
    return [{ setting, variable, names: names.length > 0 ? names : [spelled(section, middle)] }]
  })
}

const candidateOf = ({ setting, variable, names }: Meaning): readonly Candidate[] =>
  names.map((name) => ({
    setting,
    variable,
    at: setting.path.split('.').map((part) => (part === '*' ? name : part)),
  }))

/** As providers and tools are mostly called. */
const spelled = (section: string, middle: string): string =>
  section === 'tools' ? middle.toLowerCase() : middle.toLowerCase().replaceAll('_', '-')

/** How similar a variable must be to one of ours before it is taken for a slip: behind our prefix. */
const NEAR = 0.55
/** The same for a whole name, which may be anybody's. */
const VERY_NEAR = 0.8

/**
 * Warnings of variables that are nearly ours. No error: the environment belongs to others too.
 * @param used the variables that are settings
 */
export function nearMisses(
  { values, file }: Variables,
  names: StarNames,
  used: ReadonlySet<string>,
): readonly string[] {
  const ours = [...FIXED_VARIABLES, ...starredNames(names)]
  const prefixes = new Set(CONFIG_SETTINGS.map(({ path }) => `${variableOf(sectionOf(path))}_`))
  return Object.keys(values).flatMap((variable) => {
    if (used.has(variable) || ours.includes(variable)) return []
    const prefix = [...prefixes].find((one) => variable.startsWith(one))
    const near = prefix === undefined ? nearAsWhole(variable) : nearBehind(prefix, variable, ours)
    if (near === null) return []
    const place = file === null ? variable : `${file}: ${variable}`
    return [`${place} is no setting; did you mean ${near}?`]
  })
}

function nearBehind(prefix: string, variable: string, ours: readonly string[]): string | null {
  const rest = (name: string): string => name.slice(prefix.length)
  const candidates = ours.filter((one) => one.startsWith(prefix)).map(rest)
  const near = nearest(rest(variable), candidates, NEAR)
  return near === null ? null : prefix + near
}

/** For a slip in the prefix, or the program's name before it. */
const nearAsWhole = (variable: string): string | null =>
  nearest(variable.replace(/^ECHELON_/, ''), FIXED_VARIABLES, VERY_NEAR)

const starredNames = ({ providers, tools }: StarNames): readonly string[] =>
  STARRED.flatMap(({ path }) =>
    (sectionOf(path) === 'tools' ? tools : providers).map((name) =>
      variableOf(path.replace('*', () => name)),
    ),
  )
