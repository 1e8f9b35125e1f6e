import type { CaseResult } from '../agents/decide/case/case-result.ts'
import { SharedExecutions } from '../agents/decide/case/shared-executions.ts'
import type { Decider } from '../agents/decide/decider.ts'
import { followConfig } from '../config/watch.ts'
import { createRegistry, standardProviders } from '../providers/registry.ts'
import { hasVendorPackage } from '../providers/vendor/vendor-package.ts'
import { type Config, KNOWN, type WatchOptions } from './config.ts'
import { makeDecider } from './decider.ts'
import type { DeciderOptions } from './decider-options.ts'

/** A decider that watches the files of its configuration. */
export interface ReloadingDecider extends Pick<Decider, 'runCase' | 'runOutcome' | 'start'> {
  /** The configuration of the next run. */
  readonly config: Config
  /** Stops watching; current runs continue. */
  close(): void
}

/**
 * A decider for development that watches its configuration's files. Each run keeps its initial
 * configuration, and the next run uses the new one. An invalid configuration is reported to
 * `onInvalid` and leaves the last valid one in force. Idempotency keys are shared among all
 * configurations.
 * @throws EchelonError INVALID_CONFIG when the first configuration is invalid
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
