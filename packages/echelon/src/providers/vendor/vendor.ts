import type { AnyLanguageModel } from '../../core/model/language-model.ts'
import type { NormalizeError, Provider } from '../../core/model/model.ts'
import { normalizeChatError } from '../errors/chat.ts'

/** What a vendor's package makes: models by their id. */
export interface VendorService {
  languageModel(modelId: string): AnyLanguageModel
}

/** A provider in the words of the AI SDK: what a third party's module has to say. */
export interface VendorModule {
  /** What stands before the slash in a model's name. */
  readonly key: string
  /** Default: says whose models these are. */
  readonly summary?: string
  /** Models known by name; others are passed on as they are named. */
  readonly models?: readonly string[]
  /** What its errors mean. Default: as those of servers of chat completions, which most take after. */
  readonly normalizeError?: NormalizeError
  /** Makes the service; most often calls a function such as `createMistral`. */
  create(config: VendorConfig): VendorService | Promise<VendorService>
}

/** What such functions take. What is absent the package finds itself, most often in a variable. */
export interface VendorConfig extends Readonly<Record<string, unknown>> {
  readonly apiKey?: string
  readonly baseURL?: string
}

/** A provider, whichever way it was given. */
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
