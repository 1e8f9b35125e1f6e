import { type AnyLanguageModel, asLanguageModel } from '../core/language-model.ts'
import type { NormalizeError, Price, Provider, ProviderSettings } from '../core/model.ts'
import { adaptedModel } from './adapted-model.ts'
import { normalizeChatError } from './errors/chat.ts'
import { loadPrices, priceAt, unknownPrice } from './prices.ts'
import {
  checkedApiKey,
  checkedBaseUrl,
  moreOf,
  refuseInterface,
  withoutSlash,
} from './server-settings.ts'

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
      refuseInterface(key, settings)
      const service = await module.create(configFrom(settings))
      const { reasoning = 'provider-default' } = settings
      // Not every vendor takes the word, so that with `least` nothing is said.
      const told = reasoning === 'least' || reasoning === 'provider-default' ? {} : { reasoning }
      return {
        id: `${key}/${modelId}`,
        model: adaptedModel(asLanguageModel(service.languageModel(modelId)), (options) => ({
          options: { ...told, ...options },
        })),
        price: await priceOf(key, modelId, settings),
        normalizeError,
      }
    },
  }
}

function configFrom(settings: ProviderSettings): VendorConfig {
  const { apiKey, baseUrl } = settings
  const key = checkedApiKey(apiKey)
  const url = addressIn(baseUrl)
  return {
    ...moreOf(settings),
    ...(key === undefined ? {} : { apiKey: key }),
    ...(url === undefined ? {} : { baseURL: withoutSlash(url) }),
  }
}

const addressIn = (baseUrl = ''): URL | undefined =>
  baseUrl.trim() === '' ? undefined : checkedBaseUrl(baseUrl, 'https://api.example.com/v1')

/** The vendor's own, at the vendor's own address; elsewhere what the list says of that address. */
async function priceOf(key: string, modelId: string, settings: ProviderSettings): Promise<Price> {
  if (settings.price !== undefined) return unknownPrice
  const url = addressIn(settings.baseUrl)
  return url === undefined
    ? (await loadPrices()).priceOf(key, modelId)
    : await priceAt(url, modelId)
}
