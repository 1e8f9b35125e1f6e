import type { Config } from './config/config.ts'
import { type LoadOptions, loadConfig as load } from './config/load.ts'
import { followConfig, type Followed, type WatchOptions } from './config/watch.ts'
import { registered } from './providers/registered.ts'
import { standardProviders } from './providers/registry.ts'
import { hasVendorPackage } from './providers/vendor-package.ts'

export type { Config, ConfigInput, ConfigValue } from './config/config.ts'
export { exampleConfig } from './config/example.ts'
export type { Gates } from './evals/gate-settings.ts'
export { describeOrigin, type Origin } from './config/layer.ts'
export type { LoadOptions } from './config/load.ts'
export {
  openGivenFileSync,
  readGivenFileSync,
  readGivenText,
  readGivenTextSync,
  UnreadableFileError,
} from './host/given-file.ts'
export { isThere } from './host/is-there.ts'
export type { RecordSettings } from './config/records.ts'
export type { RunSettings } from './config/run.ts'
export type { Followed, WatchOptions } from './config/watch.ts'

/**
 * The configuration, from the weakest source to the strongest: the defaults, `config.yaml`, the file
 * of the environment that `ECHELON_ENV` names, `.env`, the environment, the call.
 * @throws EchelonError INVALID_CONFIG with the first problem, its place and what the setting may be;
 * `details.problems` has every problem. MISSING_PACKAGE when a file is there and `yaml` is not
 */
export const loadConfig = (options: LoadOptions = {}): Promise<Config> =>
  load(withStandardProviders(options))

/**
 * The same, kept up to date while its files change. A file that cannot be used leaves the last valid
 * configuration in force. Keeps the process alive until it is closed.
 * @throws EchelonError INVALID_CONFIG where the first configuration is not valid
 */
export const watchConfig = (options: WatchOptions = {}): Promise<Followed<Config>> =>
  followConfig(withStandardProviders(options), (config) => config)

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
