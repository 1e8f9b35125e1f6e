import { type NamedModels, vendorModel, type VendorOptions } from '../defaults/vendor-model.ts'
import { ModelProvider } from '../model-provider.ts'

/** Keys and addresses from the configuration; nothing is loaded before the first call. */
const configured: NamedModels = {
  resolve: async (name, settings) =>
    (await import('echelon/internal/chat')).briefModels.resolve(name, settings),
}

/**
 * A model of OpenAI, or of a compatible server (`baseUrl`); default `gpt-5-nano`. Omitted settings come from the
 * configuration (`config.yaml`, `.env`, `OPENAI_API_KEY`). Without a key the first call fails (EchelonError
 * MISSING_KEY).
 */
export class OpenAIProvider extends ModelProvider {
  constructor({ model = 'gpt-5-nano', ...settings }: VendorOptions = {}) {
    super(vendorModel('openai', { ...settings, model }, configured))
  }
}

/**
 * A model of Anthropic; default `claude-haiku-4-5`. Omitted settings come from the configuration (`config.yaml`,
 * `.env`, `ANTHROPIC_API_KEY`). Without a key the first call fails (EchelonError MISSING_KEY).
 */
export class AnthropicProvider extends ModelProvider {
  constructor({ model = 'claude-haiku-4-5', ...settings }: VendorOptions = {}) {
    super(vendorModel('anthropic', { ...settings, model }, configured))
  }
}
