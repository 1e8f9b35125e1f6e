export {
  type Config,
  type ConfigInput,
  exampleConfig,
  loadConfig,
  type LoadOptions,
  watchConfig,
  type WatchOptions,
} from './compose/config.ts'
export { firstModelOf, ladderOf } from './agents/decide/settings/default-models.ts'
export type { ConfigValue } from './config/config.ts'
export type { Gates } from './evals/gate-settings.ts'
export { describeOrigin, type Origin } from './config/settings-source.ts'
export {
  openGivenFileSync,
  readGivenFileSync,
  readGivenText,
  readGivenTextSync,
  UnreadableFileError,
} from './platform/given-file.ts'
export { isThere } from './platform/is-there.ts'
export type { RecordSettings } from './config/records.ts'
export type { RunSettings } from './agents/decide/settings/run-settings.ts'
export type { Followed } from './config/watch.ts'
