import type { Price, Provider } from '../core/model.ts'
import { optionalPackage } from '../core/optional-package.ts'
import { loadPrices, unknownPrice } from './prices.ts'
import { checkedApiKey, checkedBaseUrl, invalidSetting, withoutSlash } from './server-settings.ts'

/**
 * Any server that speaks OpenAI's chat completions. `baseUrl` is needed, a key only where the
 * server asks for one. The price is that of the public service at this address, if it is one of
 * the price list; a server of one's own has no listed price, so its price is unknown and not 0.
 */
export const openaiCompatible: Provider = {
  key: 'openai-compatible',
  summary: 'any server with an OpenAI-style API: Ollama, vLLM, LM Studio, llama.cpp, hosted ones',
  models: [],
  async load(modelId, settings) {
    const baseUrl = addressOf(settings.baseUrl)
    const apiKey = checkedApiKey(settings.apiKey)
    const { createOpenAICompatible } = await optionalPackage(
      '@ai-sdk/openai-compatible@3',
      () => import('@ai-sdk/openai-compatible'),
    )
    const server = createOpenAICompatible({
      name: 'openai-compatible',
      baseURL: withoutSlash(baseUrl),
      supportsStructuredOutputs: true,
      includeUsage: true,
      ...(apiKey === undefined ? {} : { apiKey }),
    })
    return {
      id: `openai-compatible/${modelId}`,
      model: server(modelId),
      price: await priceAt(baseUrl, modelId),
    }
  },
}

const EXAMPLES =
  'http://localhost:11434/v1 for Ollama, http://localhost:8000/v1 for vLLM, ' +
  'http://localhost:1234/v1 for LM Studio, http://localhost:8080/v1 for the llama.cpp server'

function addressOf(text: string | undefined): URL {
  if (text !== undefined && text.trim() !== '') return checkedBaseUrl(text, EXAMPLES)
  throw invalidSetting(`openai-compatible needs a server; pass --base-url, such as ${EXAMPLES}`)
}

/** Every service on the price list speaks https, so that a local server needs no price package. */
async function priceAt(baseUrl: URL, modelId: string): Promise<Price> {
  if (baseUrl.protocol !== 'https:') return unknownPrice
  const prices = await loadPrices()
  const service = prices.providerAt(baseUrl)
  return service === null ? unknownPrice : prices.priceOf(service, modelId)
}
