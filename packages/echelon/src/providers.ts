export { type AnyLanguageModel, asLanguageModel } from './core/model/language-model.ts'
export type {
  BoundModel,
  ErrorMeaning,
  NormalizeError,
  Price,
  Provider,
  ProviderSettings,
  Usage,
} from './core/model/model.ts'
export { normalizerOf } from './providers/errors/by-key.ts'
export { registerProvider } from './providers/registered.ts'
export {
  createRegistry,
  type ProviderSummary,
  type Registry,
  type SettingsByProvider,
  standardProviders,
} from './providers/registry.ts'
export type { VendorConfig, VendorModule, VendorService } from './providers/vendor/vendor.ts'
export { type ModelRecording, startModelRecording } from './providers/tape/recording.ts'
export { recordingRegistry } from './providers/tape/recording-registry.ts'
export { replayingRegistry } from './providers/tape/replaying-registry.ts'
export { type CallName, type ModelTape, readModelTape } from './providers/tape/tape.ts'
export { withReasoning } from './providers/with-reasoning.ts'
