export type { BoundModel, Price, Provider, ProviderSettings, Usage } from './core/model.ts'
export {
  createRegistry,
  type ProviderSummary,
  type Registry,
  type SettingsByProvider,
  standardProviders,
} from './providers/registry.ts'
export { type ModelRecording, startModelRecording } from './providers/tape/recording.ts'
export { recordingRegistry } from './providers/tape/recording-registry.ts'
export { replayingRegistry } from './providers/tape/replaying-registry.ts'
export { type CallName, type ModelTape, readModelTape } from './providers/tape/tape.ts'
