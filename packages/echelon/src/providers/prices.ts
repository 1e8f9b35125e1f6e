import { createRequire } from 'node:module'
import type * as GenaiPrices from '@pydantic/genai-prices'
import type { Price } from '../core/model/model.ts'
import { optionalPackage } from '../core/value/optional-package.ts'

/** List prices of public model services, from the price package. */
export interface PriceList {
  /**
   * The price of one call in US dollars. Prices are per call, not per sum of calls: some models
   * cost more per token above a prompt length, and some charge a fee per request. Always `null` for
   * a model or provider whose exact key is not listed, for a model without an input or output
   * price, and for a usage that is not a count.
   * Cached input is priced as fresh input, which never underestimates where cached reads are
   * cheaper.
   */
  priceOf(providerKey: string, modelId: string): Price
  /** The list's key of the service at this address; `null` for any other server. */
  providerAt(baseUrl: URL): string | null
}

/**
 * Loads the price list: offline data, a dated snapshot of published prices.
 *
 * @throws EchelonError MISSING_PACKAGE.
 */
export async function loadPrices(): Promise<PriceList> {
  return listOf(
    await optionalPackage('@pydantic/genai-prices@0.1', () => import('@pydantic/genai-prices')),
  )
}

/**
 * The price list, loaded synchronously; `null` if the package is not installed. The first call
 * takes some milliseconds.
 */
export function pricesAtOnce(): PriceList | null {
  let found: typeof GenaiPrices
  try {
    found = createRequire(import.meta.url)('@pydantic/genai-prices')
  } catch {
    return null
  }
  return listOf(found)
}

type Package = Pick<typeof GenaiPrices, 'calcPrice' | 'findProvider'>

function listOf({ calcPrice, findProvider }: Package): PriceList {
  return {
    priceOf: (providerKey, modelId) => {
      // The list guesses: it reads "openai-compatible" as OpenAI, and infers a missing key from the
      // model.
      if (findProvider({ providerId: providerKey })?.id !== providerKey) return unknownPrice
      return (usage) => {
        if (!isCount(usage.input) || !isCount(usage.output)) return null
        const tokens = { input_tokens: usage.input, output_tokens: usage.output }
        const found = calcPrice(tokens, modelId, { providerId: providerKey })
        return found !== null && isComplete(found.model_price) ? found.total_price : null
      }
    },
    providerAt: ({ origin }) => {
      const found = findProvider({ providerApiUrl: origin })
      return found !== undefined && ownsOrigin(found, origin) ? found.id : null
    },
  }
}

/**
 * A model's price at the public service of this address; unknown elsewhere. Every listed service
 * uses https, so a local http server needs no price package.
 *
 * @throws EchelonError MISSING_PACKAGE.
 */
export async function priceAt(baseUrl: URL, modelId: string): Promise<Price> {
  if (baseUrl.protocol !== 'https:') return unknownPrice
  const prices = await loadPrices()
  const service = prices.providerAt(baseUrl)
  return service === null ? unknownPrice : prices.priceOf(service, modelId)
}

/** The price of a model without a known price. */
export const unknownPrice: Price = () => null

const isCount = (tokens: number): boolean => Number.isFinite(tokens) && tokens >= 0

/** The list adds missing prices as 0: a free trial, or an embedding's output. */
const isComplete = (price: Readonly<Record<string, unknown>>): boolean =>
  price['input_mtok'] !== undefined && price['output_mtok'] !== undefined

/** The list compares prefixes, which `https://api.openai.com.example.org` would pass. */
const ownsOrigin = (provider: GenaiPrices.Provider, origin: string): boolean =>
  new RegExp(`^(?:${provider.api_pattern})$`).test(origin)
