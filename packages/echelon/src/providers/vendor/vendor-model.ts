import { asLanguageModel } from '../../core/model/language-model.ts'
import type { BoundModel, Price, ProviderSettings } from '../../core/model/model.ts'
import { adaptedModel } from './adapted-model.ts'
import { loadPrices, priceAt, unknownPrice } from '../prices.ts'
import {
  checkedApiKey,
  checkedBaseUrl,
  moreOf,
  refuseInterface,
  withoutSlash,
} from '../server-settings.ts'
import type { VendorConfig, VendorModule } from './vendor.ts'

/** The model of a vendor's package, with the configured address and key. */
export async function vendorModel(
  module: VendorModule,
  modelId: string,
  settings: ProviderSettings,
): Promise<BoundModel> {
  const { key } = module
  refuseInterface(key, settings)
  const service = await module.create(configFrom(settings))
  const { reasoning = 'provider-default' } = settings
  // Not every vendor accepts `least`, so nothing is sent.
  const effort = reasoning === 'least' || reasoning === 'provider-default' ? {} : { reasoning }
  return {
    id: `${key}/${modelId}`,
    model: adaptedModel(asLanguageModel(service.languageModel(modelId)), (options) => ({
      options: { ...effort, ...options },
    })),
    price: await priceOf(key, modelId, settings),
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

/** The vendor's price at the vendor's own address; elsewhere the list price of that address. */
async function priceOf(key: string, modelId: string, settings: ProviderSettings): Promise<Price> {
  if (settings.price !== undefined) return unknownPrice
  const url = addressIn(settings.baseUrl)
  return url === undefined
    ? (await loadPrices()).priceOf(key, modelId)
    : await priceAt(url, modelId)
}
