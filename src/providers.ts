export type { BoundModel, Price, Provider, ProviderSettings, Usage } from './core/model.ts'
export {
  createRegistry,
  type ProviderSummary,
  type Registry,
  type SettingsByProvider,
  standardProviders,
} from './providers/registry.ts'
