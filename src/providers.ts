export type { BoundModel, Price, Provider, ProviderSettings, Usage } from './core/model.ts'
export {
  createRegistry,
  type ProviderSummary,
  type Registry,
  standardProviders,
} from './providers/registry.ts'
