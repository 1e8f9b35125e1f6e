import { EchelonError } from '../value/error.ts'
import { isRecord } from '../value/json.ts'
import { nearest } from '../value/nearest.ts'
import { redactText } from '../redaction/redaction.ts'
import { looksLikeKey, problemWith, type Setting, type SettingTable } from './setting.ts'

/** A setting and its path: `budget.max_seconds`; the star in `tools.*.retries` matches any name. */
export interface KnownSetting extends Setting {
  readonly path: string
  /** The example's value for a setting without a default. */
  readonly example?: unknown
}

/** A value that a source sets. */
export interface GivenValue {
  /** The names on the path, the section's first. */
  readonly at: readonly string[]
  readonly setting: KnownSetting
  readonly value: unknown
}

export interface SettingProblem {
  readonly at: readonly string[]
  /** One sentence that names the setting and its allowed values. */
  readonly message: string
}

/** The values and their problems: a value with a problem is not among the values. */
export interface ReadSettings {
  readonly values: readonly GivenValue[]
  readonly problems: readonly SettingProblem[]
}

export type LooseTable = Readonly<Record<string, Readonly<Record<string, Setting>>>>

/** The settings of a table as a list, each with its path. */
export const listed = (table: LooseTable): readonly KnownSetting[] =>
  Object.entries(table).flatMap(([section, settings]) =>
    Object.entries(settings).map(([key, setting]) => ({ ...setting, path: `${section}.${key}` })),
  )

/** Reads an object of sections from a file or a caller, and finds every problem in it. */
export function readSettings(known: readonly KnownSetting[], given: unknown): ReadSettings {
  const values: GivenValue[] = []
  const problems: SettingProblem[] = []
  const visit = (inner: unknown, at: readonly string[]): void => {
    // A section in which every line is commented out is null.
    if (inner === null || inner === undefined) return
    if (!isRecord(inner)) {
      const name = at.length === 0 ? 'the configuration' : shownPath(at)
      problems.push({ at, message: `${name} must hold settings, each as key: value` })
      return
    }
    for (const [key, value] of Object.entries(inner)) {
      const here = [...at, key]
      const setting = known.find(({ path }) => stands(path, here, 'whole'))
      if (setting !== undefined) {
        const message = problemWith(shownPath(here), setting, value)
        if (message === null) values.push({ at: here, setting, value })
        else problems.push({ at: here, message })
      } else if (known.some(({ path }) => stands(path, here, 'beginning'))) visit(value, here)
      else problems.push({ at: here, message: unknownSetting(known, here) })
    }
  }
  visit(given, [])
  return { values, problems }
}

/** A path that is safe to show: a key may have been pasted as a name. */
export const shownPath = (at: readonly string[]): string => at.map(redactText).join('.')

/** The names that may replace a star. */
const NAME = /^[a-z0-9][\w.-]*$/i

/** Whether these names are a path, or the start of one. */
function stands(path: string, at: readonly string[], as: 'whole' | 'beginning'): boolean {
  const parts = path.split('.')
  if (as === 'whole' ? parts.length !== at.length : parts.length <= at.length) return false
  return at.every((name, index) => {
    const part = parts[index]
    return part === '*' ? NAME.test(name) : part === name
  })
}

/** An unknown name must not be ignored silently, or its limit would not apply. */
function unknownSetting(known: readonly KnownSetting[], at: readonly string[]): string {
  const [section, name = ''] = [at.slice(0, -1), at.at(-1)]
  const beside = known.filter(
    ({ path }) => section.length === 0 || stands(path, section, 'beginning'),
  )
  const names = beside.map(({ path }) => path.split('.')[section.length] ?? '')
  const siblings = [...new Set(names)].filter((one) => one !== '*')
  const near = nearest(name, siblings) ?? nearestAnywhere(known, name)
  const place = section.length === 0 ? 'the configuration' : shownPath(section)
  const hint = near === null ? `${place} has ${siblings.join(', ')}` : `did you mean ${near}?`
  const holdsSecrets = section.length > 0 && beside.some(({ secret }) => secret === true)
  if (holdsSecrets || !WORD.test(name) || looksLikeKey(name))
    return `${place} contains a name that is not a setting; ${hint}`
  return `${shownPath(at)} is not a setting; ${hint}`
}

/** The name that was probably meant; in a broken file anything can be in a key's place. */
const WORD = /^[a-z_][\w-]{0,40}$/i

/** A key in the wrong section, or in none. */
function nearestAnywhere(known: readonly KnownSetting[], name: string): string | null {
  const fixed = known.filter(({ path }) => path.split('.').length === 2)
  const key = nearest(
    name,
    fixed.map(({ path }) => keyOf(path)),
  )
  return fixed.find(({ path }) => keyOf(path) === key)?.path ?? null
}

const keyOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/**
 * All values, nested as in a file. Later sources override earlier ones and the defaults. A section of
 * names that no source sets is empty.
 * @throws EchelonError INVALID_CONFIG with the first problem; `details.problems` has all of them
 */
export function completed(known: readonly KnownSetting[], ...sources: readonly unknown[]): unknown {
  const read = sources.map((given) => readSettings(known, given))
  refuse(read.flatMap(({ problems }) => problems.map(({ message }) => message)))
  const values = new Map(
    [...defaultsOf(known), ...read.flatMap((source) => source.values)].map((given) => [
      given.at.join('.'),
      given,
    ]),
  )
  const sections = known.map(({ path }) => [sectionOf(path), {}])
  return { ...Object.fromEntries(sections), ...nested([...values.values()]) }
}

/**
 * Reads the values of a table from untrusted sources.
 * @throws EchelonError INVALID_CONFIG, like `completed`
 */
// The overload keeps the type: the table has a setting for each key and checks each value.
export function valuesOf<Values>(
  table: SettingTable<Values>,
  ...sources: readonly unknown[]
): Values
export function valuesOf(table: LooseTable, ...sources: readonly unknown[]): unknown {
  return completed(listed(table), ...sources)
}

/** The part of a path before its first dot. */
export const sectionOf = (path: string): string => path.slice(0, path.indexOf('.'))

/** The default of every setting that has one. */
const defaultsOf = (known: readonly KnownSetting[]): readonly GivenValue[] =>
  known
    .filter((setting) => setting.default !== undefined)
    .map((setting) => ({ at: setting.path.split('.'), setting, value: setting.default }))

/** Values as an object of sections. */
export function nested(values: readonly Omit<GivenValue, 'setting'>[]): object {
  const groups = Map.groupBy(values, ({ at }) => at[0] ?? '')
  const entries = [...groups].map(([name, group]) => {
    const [only] = group
    if (only?.at.length === 1) return [name, only.value]
    return [name, nested(group.map(({ at, value }) => ({ at: at.slice(1), value })))]
  })
  return Object.fromEntries(entries)
}

/**
 * Throws if there are problems.
 * @throws EchelonError INVALID_CONFIG with the first one and how many more; `details.problems` has all
 */
export function refuse(problems: readonly string[]): void {
  const [first] = problems
  if (first === undefined) return
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`
  throw new EchelonError('INVALID_CONFIG', `${first}${more}`, { details: { problems } })
}
