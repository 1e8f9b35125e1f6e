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
import { serverConfig, type ServerConfig, type ServerSettings } from '../config/server.ts'
import { followConfig, type Followed, type WatchOptions as WatchFrom } from '../config/watch.ts'
import { joined } from '../core/setting/config-table.ts'
import { type GateConfig, gateConfig, type Gates } from '../evals/gate-settings.ts'
import { registered } from '../providers/registered.ts'
import { standardProviders } from '../providers/registry.ts'
import { hasVendorPackage } from '../providers/vendor/vendor-package.ts'

/** The values of the registered tables. */
interface ConfigTables
  extends DecideConfig, GateConfig, RecordConfig, ServerConfig, TimeoutConfig {}

/** A configuration: checked, complete, and deeply frozen. */
export interface Config extends ConfigTables, BaseConfig {}

/** Values in the form of a file; all are optional. */
export type ConfigInput = Omit<PartialSettings, 'telemetry'> & {
  readonly telemetry?: Partial<DecideSettings['telemetry'] & RecordSettings>
  readonly run?: Partial<RunSettings>
  readonly model_timeouts?: Partial<TimeoutSettings>
  readonly ci_gates?: Partial<Gates>
  readonly server?: Partial<ServerSettings>
  readonly providers?: Readonly<Record<string, ProviderInput>>
}

export interface LoadOptions extends LoadFrom {
  /** Overrides file and environment. */
  readonly call?: ConfigInput
}

export interface WatchOptions extends WatchFrom<ConfigTables> {
  /** Overrides file and environment. */
  readonly call?: ConfigInput
}

/**
 * All settings: each agent contributes its table. To add a table, join it here, and add its values
 * to `ConfigTables`.
 */
export const KNOWN: KnownSettings<ConfigTables> = knownSettings(
  joined(
    joined(decideConfig, timeoutConfig),
    joined(joined(recordConfig, gateConfig), serverConfig),
  ),
)

/**
 * Loads the configuration. From the weakest to the strongest source: the defaults, `config.yaml`,
 * the file of the environment named by `ECHELON_ENV`, `.env`, the environment, the call.
 * @throws EchelonError INVALID_CONFIG with the first problem, its place and the allowed values;
 * `details.problems` has every problem. MISSING_PACKAGE when a file exists and `yaml` is not
 * installed
 */
export const loadConfig = (options: LoadOptions = {}): Promise<Config> =>
  load(KNOWN, withStandardProviders(options))

/**
 * Loads the configuration and updates it when its files change. An invalid file leaves the last
 * valid configuration in force. Keeps the process alive until closed.
 * @throws EchelonError INVALID_CONFIG when the first configuration is invalid
 */
export const watchConfig = (options: WatchOptions = {}): Promise<Followed<Config>> =>
  followConfig(KNOWN, withStandardProviders(options), (config) => config)

/** The text of `config.yaml.example`: every setting with its default and meaning. */
export const exampleConfig = (): string => exampleOf(KNOWN)

/** Adds the built-in provider keys, whose variables are read. */
const withStandardProviders = <Options extends LoadOptions>(options: Options): Options => ({
  isInstalled: hasVendorPackage,
  ...options,
  providers: [
    ...Object.keys(standardProviders),
    ...registered.keys(),
    ...(options.providers ?? []),
  ],
})
