import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Provider } from '../core/model/model.ts'
import { optionalPackage } from '../core/value/optional-package.ts'
import { adaptedModel } from './vendor/adapted-model.ts'
import { CATALOG } from './catalog.ts'
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
 * Any server with OpenAI's chat completions interface. Needs a `baseUrl`, and a key only if the
 * server does. The price is that of the public service at this address, if it is listed; otherwise
 * it is unknown, not 0.
 * `reasoning` is sent as the effort, if it is one.
 */
export const openaiCompatible: Provider = {
  key: 'openai-compatible',
  ...CATALOG['openai-compatible'],
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
    // A server that does not know the value may reject it, so `least` sends nothing.
    const effort = reasoning === 'least' || reasoning === 'provider-default' ? {} : { reasoning }
    return {
      id: `openai-compatible/${modelId}`,
      model: adaptedModel(
        model,
        (options) => ({ options: { ...effort, ...options } }),
        () => false,
      ),
      price: await priceAt(baseUrl, modelId),
      normalizeError: normalizeChatError,
    }
  },
}

/** The address and options of a chat completions server. */
export interface ChatServer {
  /** The provider's key, under which a call passes provider options. */
  readonly key: string
  readonly baseUrl: URL
  readonly apiKey: string | undefined
  /** Whether a stream reports its usage only on request. Default true. */
  readonly asksForUsage?: boolean
  /** Additional settings for the package. */
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
