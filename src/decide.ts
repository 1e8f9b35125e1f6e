import type { CaseResult } from './agents/decide/case-result.ts'
import type { CaseOptions } from './agents/decide/case-options.ts'
import { Decider } from './agents/decide/decider.ts'
import { completeSettings, type PartialSettings } from './agents/decide/settings.ts'
import { EchelonError } from './core/error.ts'
import type { Journal } from './core/journal.ts'
import type { Clock, Ids } from './core/ports.ts'
import type { Tool } from './core/tool.ts'
import { systemClock, systemTimeZone } from './host/clock.ts'
import { systemIds } from './host/ids.ts'
import {
  createRegistry,
  type Registry,
  type SettingsByProvider,
  standardProviders,
} from './providers/registry.ts'
import { artifactFolder } from './stores/artifact-folder.ts'
import { standardTools } from './tools.ts'

export type { CaseOptions } from './agents/decide/case-options.ts'
export type { CaseRun } from './agents/decide/case-run.ts'
export { Decider } from './agents/decide/decider.ts'
export type { CaseArtifact, CaseResult } from './agents/decide/case-result.ts'
export { type LogEntry, redactEntry } from './agents/decide/log.ts'
export {
  DEFAULT_SETTINGS,
  type DecideSettings,
  type Mode,
  MODES,
  type PartialSettings,
} from './agents/decide/settings.ts'
export type { TaskView } from './agents/decide/task-view.ts'

export interface DeciderOptions {
  /** The cheapest model, as `provider/model`. Default `offline/small`. */
  readonly small?: string
  /** The model that a task is promoted to. Default `offline/big`. */
  readonly big?: string
  /** Any number of models, cheapest first, instead of small and big. */
  readonly ladder?: readonly string[]
  /** Limits and everything else that can be set; what is left out has its default. */
  readonly settings?: PartialSettings
  /** Where providers find their servers and keys, by the provider's key, such as `openai`. */
  readonly providers?: SettingsByProvider
  /** Default: a registry of the standard providers. */
  readonly registry?: Registry
  /** Default: the built-in tools. */
  readonly tools?: readonly Tool[]
  /** Folder for files that tools make; default `artifacts` in the working folder. */
  readonly artifacts?: string
  /** Without one, runs are not recorded. */
  readonly journal?: Journal
  /** Default: the system's. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/**
 * A decider with everything that it needs. Without options it works offline: no key, no network.
 * @throws EchelonError INVALID_CONFIG, or MISSING_PACKAGE for a built-in tool's package
 */
export async function createDecider(options: DeciderOptions = {}): Promise<Decider> {
  const settings = completeSettings(withModels(options))
  const { clock = systemClock, ids = systemIds } = options
  const registry = options.registry ?? createRegistry(standardProviders)
  const { limits, security, telemetry } = settings
  return new Decider({
    settings,
    tools: options.tools ?? (await standardTools()),
    resolveModel: (name) => registry.resolve(name, options.providers),
    secrets: Object.values(options.providers ?? {}).flatMap(({ apiKey }) => apiKey ?? []),
    services: {
      clock,
      ids,
      timeZone: checkedZone(telemetry.timezone ?? systemTimeZone()),
      artifacts: artifactFolder({
        folder: options.artifacts ?? 'artifacts',
        maxArtifactMb: limits.max_artifact_mb,
        allowedExtensions: security.allowed_file_extensions,
        sanitizeFilenames: security.sanitize_filenames,
      }),
      ...(options.journal === undefined ? {} : { journal: options.journal }),
    },
  })
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
 * @throws EchelonError for input or options that cannot be used
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

function withModels({ small, big, ladder, settings = {} }: DeciderOptions): PartialSettings {
  return {
    ...settings,
    models: {
      ...settings.models,
      ...(small === undefined ? {} : { small_model: small }),
      ...(big === undefined ? {} : { big_model: big }),
      ...(ladder === undefined ? {} : { ladder }),
    },
  }
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
