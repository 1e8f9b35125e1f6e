import type { LanguageModelV4 } from '@ai-sdk/provider'
import { EchelonError } from '../core/error.ts'
import type { Price, Provider } from '../core/model.ts'
import { optionalPackage } from '../core/optional-package.ts'
import { loadPrices, unknownPrice } from './prices.ts'

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
    const baseUrl = checkedBaseUrl(settings.baseUrl)
    const apiKey = checkedApiKey(settings.apiKey)
    return {
      id: `openai-compatible/${modelId}`,
      model: await chatModel({ key: 'openai-compatible', baseUrl, apiKey }, modelId),
      price: await priceAt(baseUrl, modelId),
    }
  },
}

/** Where a chat completions server is found. */
export interface ChatServer {
  /** The provider's: names its options in a call. */
  readonly key: string
  readonly baseUrl: URL
  readonly apiKey: string | undefined
  /** Whether a stream has to be asked for its usage. Default true. */
  readonly asksForUsage?: boolean
}

/** @throws EchelonError MISSING_PACKAGE */
export async function chatModel(server: ChatServer, modelId: string): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await optionalPackage(
    '@ai-sdk/openai-compatible@3',
    () => import('@ai-sdk/openai-compatible'),
  )
  const { key, baseUrl, apiKey, asksForUsage = true } = server
  const provider = createOpenAICompatible({
    name: key,
    baseURL: baseUrl.href.replace(/\/+$/, ''),
    supportsStructuredOutputs: true,
    includeUsage: asksForUsage,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  return provider(modelId)
}

const EXAMPLES =
  'http://localhost:11434/v1 for Ollama, http://localhost:8000/v1 for vLLM, ' +
  'http://localhost:1234/v1 for LM Studio, http://localhost:8080/v1 for the llama.cpp server'

/** The address is never quoted in a message: what is wrong with it may be that it holds a secret. */
export function checkedBaseUrl(text: string | undefined): URL {
  if (text === undefined || text.trim() === '') {
    throw invalid(`openai-compatible needs a server; pass --base-url, such as ${EXAMPLES}`)
  }
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw invalid(`the base URL must begin with http:// or https://, such as ${EXAMPLES}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('the base URL holds a user or password; take them out and pass an API key')
  }
  // Read from the text: `URL` drops a lone "?", after which the path could not be appended.
  if (/[?#]/.test(text)) {
    throw invalid('the base URL holds a query or fragment; end it with the path, such as /v1')
  }
  return url
}

/** A key with a line break makes `fetch` fail with a message that quotes the key. */
export function checkedApiKey(text: string | undefined): string | undefined {
  const key = text?.trim()
  if (key === undefined || key === '') return undefined
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw invalid(
    'the API key holds blanks or characters that no HTTP header can carry; copy it anew',
  )
}

/** A key without which there is nothing to ask for; the configuration reads it from that variable. */
export function neededKey(provider: string, text: string | undefined): string {
  const key = checkedApiKey(text)
  if (key !== undefined) return key
  const variable = `${provider.toUpperCase()}_API_KEY`
  throw new EchelonError('MISSING_KEY', `${provider} needs an API key; set ${variable}`, {
    details: { provider, variable },
  })
}

const invalid = (message: string): EchelonError => new EchelonError('INVALID_CONFIG', message)

/** Every service on the price list speaks https, so that a local server needs no price package. */
export async function priceAt(baseUrl: URL, modelId: string): Promise<Price> {
  if (baseUrl.protocol !== 'https:') return unknownPrice
  const prices = await loadPrices()
  const service = prices.providerAt(baseUrl)
  return service === null ? unknownPrice : prices.priceOf(service, modelId)
}
