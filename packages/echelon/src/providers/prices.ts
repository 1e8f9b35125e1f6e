import { createRequire } from 'node:module'
import type * as GenaiPrices from '@pydantic/genai-prices'
import type { Price } from '../core/model/model.ts'
import { optionalPackage } from '../core/value/optional-package.ts'

/** What public services ask for their models, by the list that the price package carries. */
export interface PriceList {
  /**
   * The price of one call, in US dollars. It is asked per call and not for a sum of calls, since
   * some models cost more per token above a length of prompt, and some a fee per request.
   * Always `null` for a model or provider that the list does not hold by that very key, for one
   * whose input or output has no price there, and for a usage that is no count.
   *
   * Cached input is priced like fresh input, which is never too little where reading it is cheaper.
   */
  priceOf(providerKey: string, modelId: string): Price
  /** The list's key of the service at this address; `null` for any other server. */
  providerAt(baseUrl: URL): string | null
}

/**
 * Loads the price list: offline data, a dated snapshot of the prices that providers publish.
 *
 * @throws EchelonError MISSING_PACKAGE.
 */
export async function loadPrices(): Promise<PriceList> {
  return listOf(
    await optionalPackage('@pydantic/genai-prices@0.1', () => import('@pydantic/genai-prices')),
  )
}

/**
 * The same without a wait, for whoever must name a price at once; `null` where the package is not
 * installed. It takes some milliseconds the first time.
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
      // The list guesses: it reads "openai-compatible" as OpenAI, and no key at all by the model.
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
 * What a model costs at the public service of this address; unknown at any other. Every service on
 * the list speaks https, so that a server of one's own needs no price package.
 *
 * @throws EchelonError MISSING_PACKAGE.
 */
export async function priceAt(baseUrl: URL, modelId: string): Promise<Price> {
  if (baseUrl.protocol !== 'https:') return unknownPrice
  const prices = await loadPrices()
  const service = prices.providerAt(baseUrl)
  return service === null ? unknownPrice : prices.priceOf(service, modelId)
}

/** The price of what nobody has put a price on. */
export const unknownPrice: Price = () => null

const isCount = (tokens: number): boolean => Number.isFinite(tokens) && tokens >= 0

/** What the list has no price for it adds up as 0: a free trial, or an embedding's output. */
const isComplete = (price: Readonly<Record<string, unknown>>): boolean =>
  price['input_mtok'] !== undefined && price['output_mtok'] !== undefined

/** The list compares beginnings, which `https://api.openai.com.example.org` would pass. */
const ownsOrigin = (provider: GenaiPrices.Provider, origin: string): boolean =>
  new RegExp(`^(?:${provider.api_pattern})$`).test(origin)
