import type { AnswerGate } from '../agents/decide/answers/answer-gate.ts'
import { chooseModels, firstModelOf } from '../agents/decide/settings/default-models.ts'
import {
  type DecideSettings,
  type PartialSettings,
  settingsFrom,
  type Unchecked,
} from '../agents/decide/settings/settings.ts'
import type { Verifier } from '../agents/decide/verification/verifier.ts'
import { checkProviders } from '../config/providers.ts'
import type { Clock, Ids } from '../core/agent/ports.ts'
import type { Journal } from '../core/journal/journal.ts'
import type { Recorder } from '../core/observability/run-record.ts'
import type { Tracing } from '../core/observability/tracing.ts'
import type { Store } from '../core/store/store.ts'
import type { ArtifactStore } from '../core/tool/artifact.ts'
import type { Tool } from '../core/tool/tool.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Registry, SettingsByProvider } from '../providers/registry.ts'
import { type Config, loadConfig } from './config.ts'

export interface DeciderOptions {
  /** The configuration read by `loadConfig`. The other options take precedence. */
  readonly config?: Config
  /**
   * The cheapest model, as `provider/model`. Default: `openai/gpt-5-nano` and `openai/gpt-5` if
   * openai has a key, otherwise the offline models. A single named model is the whole ladder.
   */
  readonly small?: string
  /** The model to which a task escalates. */
  readonly big?: string
  /** Any number of models, cheapest first, instead of small and big. */
  readonly ladder?: readonly string[]
  /** The action when no verifier or gate can check an answer: see `CaseOptions`. Default `answer`. */
  readonly unchecked?: Unchecked
  /** Limits and all other settings; omitted ones have their defaults. */
  readonly settings?: PartialSettings
  /**
   * The providers' servers and keys, by provider key such as `openai`. Omitted values come from
   * `config`, or from the files and the environment as read by `loadConfig`.
   */
  readonly providers?: SettingsByProvider
  /** Default: a registry of the standard providers. */
  readonly registry?: Registry
  /** Default: the built-in tools. */
  readonly tools?: readonly Tool[]
  /**
   * The verifiers of answers, in the order in which they are asked. Default `standardVerifiers()`.
   * Add one as `[mine, ...(await standardVerifiers())]`.
   */
  readonly verifiers?: readonly Verifier[]
  /**
   * Judges answers to questions that no verifier reads, such as words, JSON or a choice: `{ verify, accept: 0.8 }`.
   * Default: the fitted score of the setting `gate.file`, if there is one.
   */
  readonly gate?: AnswerGate
  /** The folder for files made by tools, or a store. Default: the config's folder, `artifacts`. */
  readonly artifacts?: string | ArtifactStore
  /**
   * Stores runs, results by key and memories beyond the process, for all processes that share it: a
   * key then executes once among them. For example `openStore` of `@echelon/store`.
   */
  readonly store?: Pick<Store, 'runs' | 'results' | 'memories'>
  /** Replaces the store's journal. Without either, runs are not recorded and cannot be resumed. */
  readonly journal?: Journal
  /** Keeps records of actions and costs, for example `openRecords` of `@echelon/telemetry`. */
  readonly records?: Recorder
  /** Exports cases as spans and metrics, for example `openTelemetry` of `@echelon/telemetry`. */
  readonly tracing?: Tracing
  /** Default: the system's. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/** Reads key and address of a single named model from the configuration, as in a chat. */
export async function withKeys(options: DeciderOptions): Promise<DeciderOptions> {
  const { config, registry, small, big, ladder = [], providers = {} } = options
  if (config !== undefined || registry !== undefined) return options
  const keys = [small, big, ...ladder].flatMap((name) => name?.split('/')[0] ?? [])
  const isGiven = (key: string): boolean =>
    key === 'offline' || providers[key]?.apiKey !== undefined
  if (keys.every(isGiven)) return options
  return { ...options, config: await loadConfig() }
}

/** The options' settings merged over the configuration's, with the resulting models. */
export function settingsOf(options: DeciderOptions, providers: SettingsByProvider): DecideSettings {
  const { config, settings = {}, unchecked } = options
  const models = modelsOf(options, providers)
  const flags = unchecked === undefined ? {} : { flags: { unchecked } }
  const merged = settingsFrom(config?.settings, settings, { models, ...flags })
  // Settings for the first model's provider also apply to its timeout.
  const [key = ''] = firstModelOf(models).split('/')
  const small = merged.reasoning.small ?? providers[key]?.reasoning ?? null
  return { ...merged, reasoning: { ...merged.reasoning, small } }
}

/**
 * The models: those of the configuration, unless the options name others or bring the key that
 * decides the default.
 */
function modelsOf(
  { config, settings, small, big, ladder }: DeciderOptions,
  providers: SettingsByProvider,
): DecideSettings['models'] {
  const named = {
    ...settings?.models,
    // Naming small or big overrides a ladder from a file.
    ...(small === undefined && big === undefined ? {} : { ladder: null }),
    ...(small === undefined ? {} : { small_model: small }),
    ...(big === undefined ? {} : { big_model: big }),
    ...(ladder === undefined ? {} : { ladder }),
  }
  const hasKey = hasOpenaiKey(providers)
  const isChosen = Object.keys(named).length === 0 && hasKey === hasOpenaiKey(config?.providers)
  if (config !== undefined && isChosen) return config.settings.models
  return chooseModels({ ...config?.namedModels, ...named }, hasKey).models
}

const hasOpenaiKey = (providers: SettingsByProvider = {}): boolean =>
  (providers['openai']?.apiKey ?? '') !== ''

/** Options override the configuration setting by setting within each provider. */
export function providersOf({ config, providers = {} }: DeciderOptions): SettingsByProvider {
  checkProviders(providers)
  const redirected = config?.foundAddresses.find((key) => {
    const own = providers[key]
    return (own?.apiKey ?? '') !== '' && own?.baseUrl === undefined
  })
  if (redirected !== undefined) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `the address of ${redirected} comes from a file that was not named, and would receive the given key; give baseUrl next to apiKey, or name the file to loadConfig`,
    )
  }
  const keys = [...Object.keys(config?.providers ?? {}), ...Object.keys(providers)]
  return Object.fromEntries(
    keys.map((key) => [key, { ...config?.providers[key], ...providers[key] }]),
  )
}
