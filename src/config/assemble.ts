import { chooseModels } from '../agents/decide/default-models.ts'
import { policyFor } from '../agents/decide/modes.ts'
import { type DecideSettings, settingsFrom } from '../agents/decide/settings.ts'
import { SETTINGS } from '../agents/decide/settings-table.ts'
import { unknownTool } from '../agents/decide/tool-retries.ts'
import { EchelonError } from '../core/error.ts'
import { isJson, isRecord, type Json } from '../core/json.ts'
import { redactText } from '../core/redaction.ts'
import {
  type KnownSetting,
  listed,
  nested,
  refuse,
  sectionOf as sectionOfPath,
  shownPath,
  valuesOf,
} from '../core/setting-tree.ts'
import type { Config, ConfigValue } from './config.ts'
import { deepFreeze } from './freeze.ts'
import { GATES } from '../evals/gate-settings.ts'
import { CONFIG_SETTINGS } from './known.ts'
import { describeOrigin, type Layer, type Sourced } from './layer.ts'
import { maskedWithin } from './mask.ts'
import { addressesFound, redirectedKeys } from './found-addresses.ts'
import { MODEL_TIMEOUTS, modelTimeoutsFrom } from './model-timeouts.ts'
import { isHalfPriced, providerSettings } from './providers.ts'
import { unknownProviders } from './provider-names.ts'
import { RECORDS } from './records.ts'
import { RUN, type RunSettings } from './run.ts'
import type { TextFile } from './text-file.ts'

interface Found {
  /** The files that are there. */
  readonly files: readonly TextFile[]
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** Names of the tools, where they are known. */
  readonly tools: readonly string[] | null
  /** Keys of the providers, where they are known. */
  readonly providers: readonly string[] | null
  readonly isInstalled?: (key: string) => boolean
  /** Whether somebody named the file. */
  readonly isNamed: boolean
}

/**
 * The configuration that layers make, the last one strongest.
 * @throws EchelonError INVALID_CONFIG
 */
export function assembled(layers: readonly Layer[], found: Found): Config {
  const named = strongest(layers.flatMap(({ values }) => values))
  const given = strongest([...named, ...modelsByDefault(named)])
  const providers = sectionOf(given, 'providers')
  const unknown = unknownProviders(given, found.providers, found.isInstalled)
  const foundAddresses = found.isNamed ? [] : addressesFound(given)
  refuse([
    ...found.problems,
    ...crossed(given, providers, found.tools),
    ...redirectedKeys(given, foundAddresses, found.providers),
    ...unknown.problems,
  ])
  const settings = settingsFrom(ofTable(given, SETTINGS))
  const { run } = valuesOf(RUN, ofTable(given, listed(RUN)))
  refuse(contradictions(settings, run))
  return deepFreeze({
    settings,
    run,
    gates: valuesOf(GATES, ofTable(given, listed(GATES))).ci_gates,
    records: valuesOf(RECORDS, ofTable(given, listed(RECORDS))).telemetry,
    modelTimeouts: modelTimeoutsFrom(
      valuesOf(MODEL_TIMEOUTS, ofTable(given, listed(MODEL_TIMEOUTS))).model_timeouts,
    ),
    providers: Object.fromEntries(
      Object.entries(providers).map(([key, one]) => [key, providerSettings(one)]),
    ),
    foundAddresses: foundAddresses.map(({ at }) => at[1] ?? ''),
    values: CONFIG_SETTINGS.flatMap((setting) => valuesToShow(setting, given)),
    warnings: [
      ...found.warnings,
      ...unknown.warnings,
      ...sharedSecrets(given, found.files),
      ...idleModels(named),
    ],
    files: found.files.map(({ path }) => path),
  })
}

const PRICES = ['input_usd_per_million', 'output_usd_per_million'] as const
const isPrice = (key: string | undefined): boolean => PRICES.some((one) => one === key)

const pathOf = ({ at }: Pick<Sourced, 'at'>): string => at.join('.')

/** One value for each path: the last. */
const strongest = (all: readonly Sourced[]): readonly Sourced[] => [
  ...new Map(all.map((given) => [pathOf(given), given])).values(),
]

/** The part of the values that belongs to a table, as sections. */
function ofTable(given: readonly Sourced[], table: readonly KnownSetting[]): object {
  const paths = new Set(table.map(({ path }) => path))
  return nested(given.filter(({ setting }) => paths.has(setting.path)))
}

function sectionOf(given: readonly Sourced[], section: string): Readonly<Record<string, unknown>> {
  const inside = given.filter(({ at }) => at[0] === section)
  const values: unknown = nested(inside.map(({ at, value }) => ({ at: at.slice(1), value })))
  return isRecord(values) ? values : {}
}

/** The models that the rule gives where nobody names them, with its reason. */
function modelsByDefault(named: readonly Sourced[]): readonly Sourced[] {
  const { models } = settingsFrom(nested(named.filter(({ at }) => at[0] === 'models')))
  const paths = new Set(named.map(pathOf))
  const those = Object.entries(models).filter(([key]) => paths.has(`models.${key}`))
  const key = named.find((given) => pathOf(given) === 'providers.openai.api_key')?.value ?? null
  const chosen = chooseModels(Object.fromEntries(those), key !== null)
  return Object.entries(chosen.models).flatMap(([name, value]) => {
    const path = `models.${name}`
    const setting = CONFIG_SETTINGS.find((one) => one.path === path)
    const now = named.find((one) => pathOf(one) === path)?.value ?? setting?.default
    if (setting === undefined || value === now) return []
    return [
      {
        at: ['models', name],
        setting,
        value,
        origin: { from: 'default', because: chosen.because },
      },
    ]
  })
}

/** What is wrong between several values, each of which is right by itself. */
function crossed(
  given: readonly Sourced[],
  providers: Readonly<Record<string, unknown>>,
  tools: readonly string[] | null,
): readonly string[] {
  const half = Object.keys(providers)
    .filter((key) => isHalfPriced(providers[key]))
    .map((key) => halfPrice(key, given))
  const unknown = given
    .filter(
      ({ at: [section, name = ''] }) => section === 'tools' && tools?.includes(name) === false,
    )
    .map(
      ({ at, origin }) =>
        `${describeOrigin(origin)}: ${unknownTool(redactText(at[1] ?? ''), tools ?? [])}`,
    )
  return [...half, ...unknown]
}

/** The missing price by name, and the place of the other. */
function halfPrice(provider: string, given: readonly Sourced[]): string {
  const [there] = given.filter(
    ({ at: [section, key, price], value }) =>
      section === 'providers' && key === provider && isPrice(price) && value !== null,
  )
  const missing = there?.at[2] === PRICES[0] ? PRICES[1] : PRICES[0]
  const place = there === undefined ? '' : `${describeOrigin(there.origin)}: `
  return `${place}${shownPath(['providers', provider])} has one price of two; set ${missing} too`
}

/** What a run with these settings would be refused for. */
function contradictions(settings: DecideSettings, { mode }: RunSettings): readonly string[] {
  try {
    policyFor(settings, mode)
    return []
  } catch (error) {
    if (error instanceof EchelonError) return [error.message]
    throw error
  }
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
  // A key may have been pasted as the name of a model. Addresses and folders are shown as they are.
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

/** A model that was named and is not used, since a ladder stands in for it. */
function idleModels(named: readonly Sourced[]): readonly string[] {
  const ladder = named.find((given) => pathOf(given) === 'models.ladder')
  if (ladder === undefined || ladder.value === null) return []
  return named
    .filter(({ at: [section, key] }) => section === 'models' && key !== 'ladder')
    .map((one) => {
      const [own, other] = [describeOrigin(one.origin), describeOrigin(ladder.origin)]
      return `${pathOf(one)} (${own}) is not used: models.ladder (${other}) stands in for it`
    })
}
