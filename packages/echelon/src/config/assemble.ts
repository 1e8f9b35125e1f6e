import type { ConfigTable } from '../core/setting/config-table.ts'
import { isJson, isRecord, type Json } from '../core/value/json.ts'
import { redactText } from '../core/redaction/redaction.ts'
import {
  type KnownSetting,
  nested,
  refuse,
  sectionOf as sectionOfPath,
  shownPath,
} from '../core/setting/setting-tree.ts'
import type { BaseConfig, ConfigValue } from './config.ts'
import { addressesFound, redirectedKeys } from './found-addresses.ts'
import { deepFreeze } from './freeze.ts'
import type { KnownSettings } from './known.ts'
import { describeOrigin, type SettingsSource, type Sourced } from './settings-source.ts'
import { maskedWithin } from './mask.ts'
import { unknownProviders } from './provider-names.ts'
import { isHalfPriced, providerSettings } from './providers.ts'
import type { TextFile } from './text-file.ts'

interface Found {
  /** The existing files. */
  readonly files: readonly TextFile[]
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** The tool names, if known; null otherwise. */
  readonly tools: readonly string[] | null
  /** The provider keys, if known; null otherwise. */
  readonly providers: readonly string[] | null
  readonly isInstalled?: (key: string) => boolean
  /** Whether the file was named explicitly. */
  readonly isNamed: boolean
}

/**
 * Merges sources into a configuration; later sources win.
 * @throws EchelonError INVALID_CONFIG
 */
export function assembled<Values extends object>(
  { table, all }: KnownSettings<Values>,
  sources: readonly SettingsSource[],
  found: Found,
): Values & BaseConfig {
  const named = strongest(sources.flatMap(({ values }) => values))
  const given = strongest([...named, ...derivedDefaults(table, named)])
  const providers = sectionOf(given, 'providers')
  const unknown = unknownProviders(given, found.providers, found.isInstalled)
  const foundAddresses = found.isNamed ? [] : addressesFound(given)
  refuse([
    ...found.problems,
    ...halfPrices(given, providers),
    ...problemsOf(table, given, found.tools),
    ...redirectedKeys(given, foundAddresses, found.providers),
    ...unknown.problems,
  ])
  return deepFreeze({
    ...table.read(given, named),
    providers: Object.fromEntries(
      Object.entries(providers).map(([key, one]) => [key, providerSettings(one)]),
    ),
    foundAddresses: foundAddresses.map(({ at }) => at[1] ?? ''),
    values: all.flatMap((setting) => valuesToShow(setting, given)),
    warnings: [
      ...found.warnings,
      ...unknown.warnings,
      ...sharedSecrets(given, found.files),
      ...unused(table, named),
    ],
    files: found.files.map(({ path }) => path),
  })
}

const PRICES = ['input_usd_per_million', 'output_usd_per_million'] as const
const isPrice = (key: string | undefined): boolean => PRICES.some((one) => one === key)

const pathOf = ({ at }: Pick<Sourced, 'at'>): string => at.join('.')

/** One value per path: the last one. */
const strongest = (all: readonly Sourced[]): readonly Sourced[] => [
  ...new Map(all.map((given) => [pathOf(given), given])).values(),
]

function sectionOf(given: readonly Sourced[], section: string): Readonly<Record<string, unknown>> {
  const inside = given.filter(({ at }) => at[0] === section)
  const values: unknown = nested(inside.map(({ at, value }) => ({ at: at.slice(1), value })))
  return isRecord(values) ? values : {}
}

function derivedDefaults(table: ConfigTable, named: readonly Sourced[]): readonly Sourced[] {
  return (table.defaults?.(named) ?? []).flatMap(({ path, value, because }) => {
    const setting = table.settings.find((one) => one.path === path)
    if (setting === undefined) return []
    return [{ at: path.split('.'), setting, value, origin: { from: 'default', because } }]
  })
}

const halfPrices = (
  given: readonly Sourced[],
  providers: Readonly<Record<string, unknown>>,
): readonly string[] =>
  Object.keys(providers)
    .filter((key) => isHalfPriced(providers[key]))
    .map((key) => halfPrice(key, given))

/** Problems that a table finds in values of the right kind. */
function problemsOf(
  table: ConfigTable,
  given: readonly Sourced[],
  tools: readonly string[] | null,
): readonly string[] {
  if (tools === null) return []
  return given.flatMap((one) => {
    const problem = table.problemWith?.(one, tools)
    return problem === undefined ? [] : `${describeOrigin(one.origin)}: ${problem}`
  })
}

/** Names the missing price and the place of the other one. */
function halfPrice(provider: string, given: readonly Sourced[]): string {
  const [there] = given.filter(
    ({ at: [section, key, price], value }) =>
      section === 'providers' && key === provider && isPrice(price) && value !== null,
  )
  const missing = there?.at[2] === PRICES[0] ? PRICES[1] : PRICES[0]
  const place = there === undefined ? '' : `${describeOrigin(there.origin)}: `
  return `${place}${shownPath(['providers', provider])} has one price of two; set ${missing} too`
}

function valuesToShow(setting: KnownSetting, given: readonly Sourced[]): readonly ConfigValue[] {
  const those = given.filter((one) => one.setting.path === setting.path)
  if (those.length > 0) {
    return those.map((one) => ({ path: shownPath(one.at), value: toShow(one), origin: one.origin }))
  }
  const { path, default: value } = setting
  if (value === undefined) return []
  return [{ path, value: toShow({ setting, value }), origin: { from: 'default', because: null } }]
}

function toShow({ setting, value }: Pick<Sourced, 'setting' | 'value'>): Json {
  if (!isJson(value)) return null
  if (setting.secret === true) return maskedWithin(value)
  // A key may have been pasted as a model's name. Addresses and folders are shown unchanged.
  return sectionOfPath(setting.path) === 'models' ? redactText(value) : value
}

function sharedSecrets(given: readonly Sourced[], files: readonly TextFile[]): readonly string[] {
  const holding = new Set(
    given
      .filter(({ setting, value }) => setting.secret === true && value !== null)
      .map(({ origin }) => ('file' in origin ? origin.file : null)),
  )
  return files
    .filter(({ path, isShared }) => isShared && holding.has(path))
    .map(({ path }) => `${path} holds a key and others can read it; run: chmod 600 ${path}`)
}

/** Values that were set but are overridden by another setting. */
const unused = (table: ConfigTable, named: readonly Sourced[]): readonly string[] =>
  named.flatMap((one) => {
    const other = table.replacedBy?.(one, named)
    const by = named.find((candidate) => candidate === other)
    if (by === undefined) return []
    const [own, others] = [describeOrigin(one.origin), describeOrigin(by.origin)]
    return `${pathOf(one)} (${own}) is not used: ${pathOf(by)} (${others}) overrides it`
  })
