import type { CaseResult } from './agents/decide/case/case-result.ts'
import type { CaseOptions } from './agents/decide/case/case-options.ts'
import { Decider } from './agents/decide/decider.ts'
import { chooseModels, firstModelOf } from './agents/decide/settings/default-models.ts'
import {
  type DecideSettings,
  type PartialSettings,
  settingsFrom,
  type Unchecked,
} from './agents/decide/settings/settings.ts'
import { SharedExecutions } from './agents/decide/case/shared-executions.ts'
import { type Config, KNOWN, loadConfig, type WatchOptions } from './compose/config.ts'
import type { Verifier } from './agents/decide/verification/verifier.ts'
import { standardVerifiers as verifiersReading } from './agents/decide/verifiers/standard.ts'
import { checkProviders } from './config/providers.ts'
import { followConfig } from './config/watch.ts'
import type { ArtifactStore } from './core/tool/artifact.ts'
import { EchelonError } from './core/value/error.ts'
import type { Journal } from './core/journal/journal.ts'
import type { Clock, Ids } from './core/agent/ports.ts'
import type { Recorder } from './core/observability/run-record.ts'
import type { Store } from './core/store/store.ts'
import type { Tool } from './core/tool/tool.ts'
import type { Tracing } from './core/observability/tracing.ts'
import { systemClock, systemTimeZone } from './host/clock.ts'
import { systemIds } from './host/ids.ts'
import {
  createRegistry,
  type Registry,
  type SettingsByProvider,
  standardProviders,
} from './providers/registry.ts'
import { hasVendorPackage } from './providers/vendor/vendor-package.ts'
import { artifactFolder } from './host/measured-artifacts.ts'
import { withReasoning } from './providers/with-reasoning.ts'
import { offlineReader, standardTools } from './demonstration.ts'

export {
  type A2aMessage,
  type A2aPart,
  type A2aTask,
  a2aTask,
  RPC_CODES,
} from './agents/decide/case/a2a-task.ts'
export type { CaseOptions } from './agents/decide/case/case-options.ts'
export type { CaseRun } from './agents/decide/case/case-run.ts'
export { Decider } from './agents/decide/decider.ts'
export type { CaseArtifact, CaseResult } from './agents/decide/case/case-result.ts'
export { type LogEntry, redactEntry } from './agents/decide/case/log.ts'
export {
  DEFAULT_SETTINGS,
  type DecideSettings,
  type Mode,
  MODES,
  type PartialSettings,
  UNCHECKED,
  type Unchecked,
} from './agents/decide/settings/settings.ts'
export type { Claim } from './agents/decide/verification/claim.ts'
export {
  type Checked,
  proved,
  refuted,
  unproved,
  type Verdict,
} from './agents/decide/verification/verdict.ts'
export type {
  Case,
  Question,
  QuestionReading,
  Verifier,
} from './agents/decide/verification/verifier.ts'
export type { TaskView } from './agents/decide/case/task-view.ts'

export interface DeciderOptions {
  /** What files and environment say, as `loadConfig` read it. The other options are stronger. */
  readonly config?: Config
  /**
   * The cheapest model, as `provider/model`. Where nobody names a model: `openai/gpt-5-nano` and
   * `openai/gpt-5` if openai has a key, else the offline models. One named alone is the whole ladder.
   */
  readonly small?: string
  /** The model that a task is promoted to. */
  readonly big?: string
  /** Any number of models, cheapest first, instead of small and big. */
  readonly ladder?: readonly string[]
  /** What happens when nothing can check an answer: see `CaseOptions`. Default `answer`. */
  readonly unchecked?: Unchecked
  /** Limits and everything else that can be set; what is left out has its default. */
  readonly settings?: PartialSettings
  /**
   * Where providers find their servers and keys, by the provider's key, such as `openai`. What is left out
   * comes from the configuration: `config`, else the files and the environment as `loadConfig` reads them.
   */
  readonly providers?: SettingsByProvider
  /** Default: a registry of the standard providers. */
  readonly registry?: Registry
  /** Default: the built-in tools. */
  readonly tools?: readonly Tool[]
  /**
   * Who checks answers, in the order in which they are asked; default `standardVerifiers()`. Add one
   * as `[mine, ...(await standardVerifiers())]`.
   */
  readonly verifiers?: readonly Verifier[]
  /** Folder for files that tools make, or a store of your own; default that of the config, `artifacts`. */
  readonly artifacts?: string | ArtifactStore
  /**
   * Where runs, results by key and memories outlive the process, for all that share it: a key then
   * executes once in all of them. Such as `openStore` of `@echelon/store`.
   */
  readonly store?: Pick<Store, 'runs' | 'results' | 'memories'>
  /** In place of the store's. Without either, runs are not recorded, and cannot be resumed. */
  readonly journal?: Journal
  /** Who keeps records of what was done and what it took, as `openRecords` of `@echelon/telemetry`. */
  readonly records?: Recorder
  /** Follows cases as spans and figures, such as `openTelemetry` of `@echelon/telemetry`. */
  readonly tracing?: Tracing
  /** Default: the system's. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/**
 * The verifiers for closing prices, dates and arithmetic. Each reads a question in English, and checks
 * answers only where the offline models' reader, which shares no code with it, reads the same.
 */
export const standardVerifiers = async (): Promise<readonly Verifier[]> =>
  verifiersReading(await offlineReader())

/**
 * A decider with everything that it needs. Without options it works offline: no key, no network.
 * @throws EchelonError INVALID_CONFIG, or MISSING_PACKAGE for a built-in tool's package
 */
export const createDecider = (options: DeciderOptions = {}): Promise<Decider> =>
  makeDecider(options, new SharedExecutions())

async function makeDecider(
  options: DeciderOptions,
  shared: SharedExecutions<CaseResult>,
): Promise<Decider> {
  const { clock = systemClock, ids = systemIds, config, store } = options
  const journal = options.journal ?? store?.runs
  const registry = options.registry ?? createRegistry(standardProviders)
  const providers = providersOf(await withKeys(options))
  const settings = settingsOf(options, providers)
  const { telemetry } = settings
  const { mode, seed } = config?.run ?? { seed: null }
  return new Decider({
    settings,
    shared,
    caseDefaults: { ...(mode === undefined ? {} : { mode }), ...(seed === null ? {} : { seed }) },
    tools: options.tools ?? (await standardTools()),
    verifiers: options.verifiers ?? (await standardVerifiers()),
    resolveModel: (name, reasoning) =>
      registry.resolve(
        name,
        reasoning === undefined ? providers : withReasoning(providers, name, reasoning, 'any'),
      ),
    secrets: Object.values(providers).flatMap(({ apiKey }) => apiKey ?? []),
    services: {
      clock,
      ids,
      timeZone: checkedZone(telemetry.timezone ?? systemTimeZone()),
      artifacts: storeOf(options.artifacts ?? config?.run.artifacts, settings),
      ...(journal && { journal }),
      ...(store && { memory: store.memories }),
    },
    ...(store && { results: store.results }),
    ...(options.records === undefined ? {} : { records: options.records }),
    ...(options.tracing === undefined ? {} : { tracing: options.tracing }),
  })
}

/** A real model that is named alone has its key and its address from the configuration, as in a chat. */
async function withKeys(options: DeciderOptions): Promise<DeciderOptions> {
  const { config, registry, small, big, ladder = [], providers = {} } = options
  if (config !== undefined || registry !== undefined) return options
  const keys = [small, big, ...ladder].flatMap((name) => name?.split('/')[0] ?? [])
  const isGiven = (key: string): boolean =>
    key === 'offline' || providers[key]?.apiKey !== undefined
  if (keys.every(isGiven)) return options
  return { ...options, config: await loadConfig() }
}

function storeOf(
  given: string | ArtifactStore = 'artifacts',
  { limits, security }: DecideSettings,
): ArtifactStore {
  if (typeof given !== 'string') return given
  return artifactFolder({
    folder: given,
    maxArtifactMb: limits.max_artifact_mb,
    allowedExtensions: security.allowed_file_extensions,
    sanitizeFilenames: security.sanitize_filenames,
  })
}

/** A decider that follows the files of its configuration. */
export interface ReloadingDecider extends Pick<Decider, 'runCase' | 'runOutcome' | 'start'> {
  /** What the next run begins with. */
  readonly config: Config
  /** Stops following; runs under way go on. */
  close(): void
}

/**
 * A decider for development: it follows its configuration's files. Each run keeps what it began
 * with, the next one takes what is new; what cannot be used leaves the last one in force and is told
 * to `onInvalid`. Idempotency keys hold across all of them.
 * @throws EchelonError INVALID_CONFIG where the first configuration is not valid
 */
export async function createReloadingDecider(
  watching: WatchOptions = {},
  options: Omit<DeciderOptions, 'config'> = {},
): Promise<ReloadingDecider> {
  const shared = new SharedExecutions<CaseResult>()
  const own = options.registry ?? createRegistry({})
  const providers = [
    ...Object.keys(standardProviders),
    ...own.keys(),
    ...(watching.providers ?? []),
  ]
  const watched = { isInstalled: hasVendorPackage, ...watching, providers }
  const following = await followConfig(KNOWN, watched, async (config) => ({
    config,
    decider: await makeDecider({ ...options, config }, shared),
  }))
  return {
    get config() {
      return following.current.config
    },
    runCase: (input, options) => following.current.decider.runCase(input, options),
    runOutcome: (input, options) => following.current.decider.runOutcome(input, options),
    start: (input, options) => following.current.decider.start(input, options),
    close: () => following.close(),
  }
}

/** Made at the first case and shared by all, so that idempotency keys hold across calls. */
let standard: Promise<Decider> | undefined

function standardDecider(): Promise<Decider> {
  const made = (standard ??= createDecider())
  made.catch(() => (standard = undefined))
  return made
}

/**
 * Decides one task with everything by default: the offline models, the built-in tools, the
 * documented limits. For other models or limits make a decider with `createDecider`.
 * @throws EchelonError for input or options that cannot be used; MODEL_FAILED where no model could be asked at all
 */
export async function runCase(input: string, options?: CaseOptions): Promise<CaseResult> {
  return (await standardDecider()).runCase(input, options)
}

/** The same with time, ids and jitter held still: the same seed gives the same log. */
export async function runCaseDeterministic(
  input: string,
  seed = 42,
  options?: Omit<CaseOptions, 'seed' | 'idempotencyKey'>,
): Promise<CaseResult> {
  return (await standardDecider()).runCaseDeterministic(input, seed, options)
}

/** The settings of the options over those of the configuration, with the models that they lead to. */
function settingsOf(options: DeciderOptions, providers: SettingsByProvider): DecideSettings {
  const { config, settings = {}, unchecked } = options
  const models = modelsOf(options, providers)
  const flags = unchecked === undefined ? {} : { flags: { unchecked } }
  const merged = settingsFrom(config?.settings, settings, { models, ...flags })
  // What is set for the provider of the first model holds for it too, and so does its ceiling.
  const [key = ''] = firstModelOf(models).split('/')
  const small = merged.reasoning.small ?? providers[key]?.reasoning ?? null
  return { ...merged, reasoning: { ...merged.reasoning, small } }
}

/**
 * The models: those that the configuration has chosen, unless the options name others, or bring the
 * key that decides where nobody does.
 */
function modelsOf(
  { config, settings, small, big, ladder }: DeciderOptions,
  providers: SettingsByProvider,
): DecideSettings['models'] {
  const named = {
    ...settings?.models,
    // Whoever names small or big does not mean the ladder of a file.
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

/** Of one provider the options are stronger than the configuration, setting by setting. */
function providersOf({ config, providers = {} }: DeciderOptions): SettingsByProvider {
  checkProviders(providers)
  const redirected = config?.foundAddresses.find((key) => {
    const own = providers[key]
    return (own?.apiKey ?? '') !== '' && own?.baseUrl === undefined
  })
  if (redirected !== undefined) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `the address of ${redirected} comes from a file that nobody named, and would be sent the key that is given; give baseUrl beside apiKey, or name the file to loadConfig`,
    )
  }
  const keys = [...Object.keys(config?.providers ?? {}), ...Object.keys(providers)]
  return Object.fromEntries(
    keys.map((key) => [key, { ...config?.providers[key], ...providers[key] }]),
  )
}

function checkedZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone
  } catch {
    throw new EchelonError(
      'INVALID_CONFIG',
      `telemetry.timezone is ${timeZone}, which is no time zone; use an IANA name such as Asia/Bangkok`,
    )
  }
}
