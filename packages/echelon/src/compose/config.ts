import { type DecideConfig, decideConfig } from '../agents/decide/settings/config-table.ts'
import type { RunSettings } from '../agents/decide/settings/run-settings.ts'
import type { DecideSettings, PartialSettings } from '../agents/decide/settings/settings.ts'
import type { BaseConfig } from '../config/config.ts'
import { exampleOf } from '../config/example.ts'
import { type KnownSettings, knownSettings } from '../config/known.ts'
import { loadConfig as load, type LoadOptions as LoadFrom } from '../config/load.ts'
import {
  timeoutConfig,
  type TimeoutConfig,
  type TimeoutSettings,
} from '../config/model-timeouts.ts'
import type { ProviderInput } from '../config/providers.ts'
import { recordConfig, type RecordConfig, type RecordSettings } from '../config/records.ts'
import { followConfig, type Followed, type WatchOptions as WatchFrom } from '../config/watch.ts'
import { joined } from '../core/setting/config-table.ts'
import { type GateConfig, gateConfig, type Gates } from '../evals/gate-settings.ts'
import { registered } from '../providers/registered.ts'
import { standardProviders } from '../providers/registry.ts'
import { hasVendorPackage } from '../providers/vendor/vendor-package.ts'

/** What the registered tables hold. */
interface ConfigTables extends DecideConfig, GateConfig, RecordConfig, TimeoutConfig {}

/** A configuration: checked, complete, and frozen in every part. */
export interface Config extends ConfigTables, BaseConfig {}

/** Values as a file holds them; all may be left out. */
export type ConfigInput = Omit<PartialSettings, 'telemetry'> & {
  readonly telemetry?: Partial<DecideSettings['telemetry'] & RecordSettings>
  readonly run?: Partial<RunSettings>
  readonly model_timeouts?: Partial<TimeoutSettings>
  readonly ci_gates?: Partial<Gates>
  readonly providers?: Readonly<Record<string, ProviderInput>>
}

export interface LoadOptions extends LoadFrom {
  /** Stronger than file and environment. */
  readonly call?: ConfigInput
}

export interface WatchOptions extends WatchFrom<ConfigTables> {
  /** Stronger than file and environment. */
  readonly call?: ConfigInput
}

/** All settings: each agent brings its table. To add one, join it here, and add what it reads to `ConfigTables`. */
export const KNOWN: KnownSettings<ConfigTables> = knownSettings(
  joined(joined(decideConfig, timeoutConfig), joined(recordConfig, gateConfig)),
)

/**
 * The configuration, from the weakest source to the strongest: the defaults, `config.yaml`, the file
 * of the environment that `ECHELON_ENV` names, `.env`, the environment, the call.
 * @throws EchelonError INVALID_CONFIG with the first problem, its place and what the setting may be;
 * `details.problems` has every problem. MISSING_PACKAGE when a file is there and `yaml` is not
 */
export const loadConfig = (options: LoadOptions = {}): Promise<Config> =>
  load(KNOWN, withStandardProviders(options))

/**
 * The same, kept up to date while its files change. A file that cannot be used leaves the last valid
 * configuration in force. Keeps the process alive until it is closed.
 * @throws EchelonError INVALID_CONFIG where the first configuration is not valid
 */
export const watchConfig = (options: WatchOptions = {}): Promise<Followed<Config>> =>
  followConfig(KNOWN, withStandardProviders(options), (config) => config)

/** `config.yaml.example`: every setting with its default and its meaning. */
export const exampleConfig = (): string => exampleOf(KNOWN)

/** The keys of the providers that Echelon brings have variables. */
const withStandardProviders = <Options extends LoadOptions>(options: Options): Options => ({
  isInstalled: hasVendorPackage,
  ...options,
  providers: [
    ...Object.keys(standardProviders),
    ...registered.keys(),
    ...(options.providers ?? []),
  ],
})
