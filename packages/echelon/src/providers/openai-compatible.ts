import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Provider } from '../core/model/model.ts'
import { optionalPackage } from '../core/value/optional-package.ts'
import { adaptedModel } from './vendor/adapted-model.ts'
import { CATALOGUE } from './catalogue.ts'
import { normalizeChatError } from './errors/chat.ts'
import { priceAt } from './prices.ts'
import {
  checkedApiKey,
  checkedBaseUrl,
  invalidSetting,
  moreOf,
  refuseInterface,
  withoutSlash,
} from './server-settings.ts'

/**
 * Any server that speaks OpenAI's chat completions. `baseUrl` is needed, a key only where the
 * server asks for one. The price is that of the public service at this address, if it is one of
 * the price list; a server of one's own has no listed price, so its price is unknown and not 0.
 * `reasoning` is sent as the effort, where it is one.
 */
export const openaiCompatible: Provider = {
  key: 'openai-compatible',
  ...CATALOGUE['openai-compatible'],
  normalizeError: normalizeChatError,
  async load(modelId, settings) {
    refuseInterface('openai-compatible', settings, 'chat')
    const baseUrl = addressOf(settings.baseUrl)
    const apiKey = checkedApiKey(settings.apiKey)
    const model = await chatModel(
      { key: 'openai-compatible', baseUrl, apiKey, more: moreOf(settings) },
      modelId,
    )
    const { reasoning = 'provider-default' } = settings
    // A server that does not know the word may refuse it, so that with `least` nothing is said.
    const told = reasoning === 'least' || reasoning === 'provider-default' ? {} : { reasoning }
    return {
      id: `openai-compatible/${modelId}`,
      model: adaptedModel(
        model,
        (options) => ({ options: { ...told, ...options } }),
        () => false,
      ),
      price: await priceAt(baseUrl, modelId),
      normalizeError: normalizeChatError,
    }
  },
}

/** Where a server of chat completions is found. */
export interface ChatServer {
  /** The provider's key, by which a call names options of its own. */
  readonly key: string
  readonly baseUrl: URL
  readonly apiKey: string | undefined
  /** Whether a stream tells its usage only when asked to. Default true. */
  readonly asksForUsage?: boolean
  /** What else the package takes. */
  readonly more?: object
}

/** @throws EchelonError MISSING_PACKAGE */
export async function chatModel(server: ChatServer, modelId: string): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await optionalPackage(
    '@ai-sdk/openai-compatible@3',
    () => import('@ai-sdk/openai-compatible'),
  )
  const { key, baseUrl, apiKey, asksForUsage = true, more = {} } = server
  const provider = createOpenAICompatible({
    ...more,
    name: key,
    baseURL: withoutSlash(baseUrl),
    supportsStructuredOutputs: true,
    includeUsage: asksForUsage,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  return provider(modelId)
}

const EXAMPLES =
  'http://localhost:11434/v1 for Ollama, http://localhost:8000/v1 for vLLM, ' +
  'http://localhost:1234/v1 for LM Studio, http://localhost:8080/v1 for the llama.cpp server'

function addressOf(text: string | undefined): URL {
  if (text !== undefined && text.trim() !== '') return checkedBaseUrl(text, EXAMPLES)
  throw invalidSetting(`openai-compatible needs a server; pass --base-url, such as ${EXAMPLES}`)
}
