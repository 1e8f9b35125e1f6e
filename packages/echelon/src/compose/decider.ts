import type { CaseResult } from '../agents/decide/case/case-result.ts'
import { SharedExecutions } from '../agents/decide/case/shared-executions.ts'
import { Decider } from '../agents/decide/decider.ts'
import { ladderOf } from '../agents/decide/settings/default-models.ts'
import type { DecideSettings } from '../agents/decide/settings/settings.ts'
import type { Verifier } from '../agents/decide/verification/verifier.ts'
import { standardVerifiers as verifiersReading } from '../agents/decide/verifiers/standard.ts'
import type { ArtifactStore } from '../core/tool/artifact.ts'
import { EchelonError } from '../core/value/error.ts'
import { systemClock, systemTimeZone } from '../platform/clock.ts'
import { systemIds } from '../platform/ids.ts'
import { artifactFolder } from '../platform/measured-artifacts.ts'
import { createRegistry, standardProviders } from '../providers/registry.ts'
import { withReasoning } from '../providers/with-reasoning.ts'
import { gateOfSettings } from './answer-gate.ts'
import { checkDecider, checkModels } from './check-decider.ts'
import { type DeciderOptions, providersOf, settingsOf, withKeys } from './decider-options.ts'
import { offlineReader, standardTools } from './demonstration.ts'

/**
 * The verifiers for closing prices, dates and arithmetic. Each reads a question in English, and
 * checks answers only if the offline models' reader, which shares no code with it, reads the same.
 */
export const standardVerifiers = async (): Promise<readonly Verifier[]> =>
  verifiersReading(await offlineReader())

/**
 * A decider with all defaults. Works offline without options: no key, no network.
 * @throws EchelonError INVALID_CONFIG; UNKNOWN_MODEL for an unknown provider; MISSING_PACKAGE for
 * the package of a provider or built-in tool
 */
export const createDecider = (options: DeciderOptions = {}): Promise<Decider> =>
  makeDecider(options, new SharedExecutions())

/** A decider that shares executions by key with others. */
export async function makeDecider(
  options: DeciderOptions,
  shared: SharedExecutions<CaseResult>,
): Promise<Decider> {
  checkDecider(options)
  const { clock = systemClock, ids = systemIds, config, store } = options
  const journal = options.journal ?? store?.runs
  const registry = options.registry ?? createRegistry(standardProviders)
  const providers = providersOf(await withKeys(options))
  const settings = settingsOf(options, providers)
  // A registry of the caller may resolve names that it does not list.
  if (options.registry === undefined) await checkModels(ladderOf(settings.models), registry)
  const { telemetry } = settings
  const { mode, seed } = config?.run ?? { seed: null }
  const gate = options.gate ?? (await gateOfSettings(settings))
  if (options.registry === undefined) await checkModels(Object.values(gate?.ask ?? {}), registry)
  return new Decider({
    settings,
    ...(gate && { gate }),
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

function checkedZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone
  } catch {
    throw new EchelonError(
      'INVALID_CONFIG',
      `telemetry.timezone is ${timeZone}, which is not a time zone; use an IANA name such as Asia/Bangkok`,
    )
  }
}
