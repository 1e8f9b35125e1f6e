import type { AnyLanguageModel } from '../../core/model/language-model.ts'
import type { NormalizeError, Provider } from '../../core/model/model.ts'
import { normalizeChatError } from '../errors/chat.ts'

/** The service created by a vendor's package. Makes models by id. */
export interface VendorService {
  languageModel(modelId: string): AnyLanguageModel
}

/** A third-party provider built on an AI SDK package. */
export interface VendorModule {
  /** The part before the slash in a model's name. */
  readonly key: string
  /** Default: a text that names the vendor. */
  readonly summary?: string
  /** The listed models; other ids are passed on unchanged. */
  readonly models?: readonly string[]
  /** Maps its errors. Default: as for chat completions servers, which most vendors resemble. */
  readonly normalizeError?: NormalizeError
  /** Creates the service, usually by calling a function such as `createMistral`. */
  create(config: VendorConfig): VendorService | Promise<VendorService>
}

/**
 * The arguments of such functions. The package reads absent values itself, usually from environment
 * variables.
 */
export interface VendorConfig extends Readonly<Record<string, unknown>> {
  readonly apiKey?: string
  readonly baseURL?: string
}

/** Converts a vendor module to a provider; returns a provider unchanged. */
export const providerFrom = (given: Provider | VendorModule): Provider =>
  'create' in given ? vendorProvider(given) : given

function vendorProvider(module: VendorModule): Provider {
  const { key, normalizeError = normalizeChatError } = module
  return {
    key,
    summary: module.summary ?? `models of ${key}`,
    models: module.models ?? [],
    normalizeError,
    async load(modelId, settings) {
      const { vendorModel } = await import('./vendor-model.ts')
      return { ...(await vendorModel(module, modelId, settings)), normalizeError }
    },
  }
}
