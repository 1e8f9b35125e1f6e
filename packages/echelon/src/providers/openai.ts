import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Provider, ProviderSettings } from '../core/model/model.ts'
import { optionalPackage } from '../core/value/optional-package.ts'
import { adaptedModel } from './vendor/adapted-model.ts'
import { CATALOG } from './catalog.ts'
import { normalizeOpenaiError } from './errors/openai.ts'
import { ApiInUse, type ServerKnown, throughApiInUse } from './openai/api-in-use.ts'
import { callOptions } from './openai/call-options.ts'
import { keptConversation } from './openai/conversation.ts'
import { type SpokenApi, takesOnlyCompletions } from './openai/models.ts'
import { markedBy } from './vendor/own-thoughts.ts'
import { loadPrices, unknownPrice } from './prices.ts'
import { checkedBaseUrl, moreOf, neededApiKey, withoutSlash } from './server-settings.ts'

/**
 * OpenAI's models, at OpenAI or through a gateway. With `api` at `auto` the interface is:
 * completions for models that support nothing else, responses at OpenAI, chat at any other address.
 * If a server does not serve the first of responses and chat, the other is tried.
 * The price is OpenAI's list price at any address: a gateway is billed the same, and a test server
 * then shows what a task would cost. For your own server use `openai-compatible`, or set a price.
 * Conversations are stored only if `store` is set. Reasoning models choose how long to think unless
 * `reasoning` is set; with `least` they think as little as possible. Thinking uses the tokens of
 * the answer: an answer cut before its first word is an empty text with finish reason `length`.
 * The provider remembers which interface a server supports and uses it for that server's other
 * models too.
 */
export function openaiProvider(): Provider {
  const learned: Learned = { models: new Map(), servers: new Map() }
  return {
    key: 'openai',
    ...CATALOG.openai,
    normalizeError: normalizeOpenaiError,
    async load(modelId, settings) {
      const baseUrl = addressOf(settings)
      const models = await sdkModels(modelId, settings, baseUrl)
      const inUse = apiInUse(modelId, settings, baseUrl, learned)
      return {
        id: `openai/${modelId}`,
        model: throughApiInUse(inUse, (api) => models[api]),
        price:
          settings.price === undefined
            ? (await loadPrices()).priceOf('openai', modelId)
            : unknownPrice,
        normalizeError: normalizeOpenaiError,
        ...keptConversation(settings),
      }
    },
  }
}

const AT_OPENAI = 'https://api.openai.com/v1'

const addressOf = ({ baseUrl = '' }: ProviderSettings): URL =>
  checkedBaseUrl(baseUrl.trim() === '' ? AT_OPENAI : baseUrl, AT_OPENAI)

async function sdkModels(
  modelId: string,
  settings: ProviderSettings,
  baseUrl: URL,
): Promise<Readonly<Record<SpokenApi, LanguageModelV4>>> {
  const apiKey = neededApiKey(settings.apiKey, { provider: 'openai', variable: 'OPENAI_API_KEY' })
  const { createOpenAI } = await optionalPackage('@ai-sdk/openai@4', () => import('@ai-sdk/openai'))
  // Both are always passed; the SDK would read missing values from the environment.
  const openai = createOpenAI({ ...moreOf(settings), apiKey, baseURL: withoutSlash(baseUrl) })
  const adapted = (api: SpokenApi, model: LanguageModelV4): LanguageModelV4 =>
    adaptedModel(model, callOptions(api, modelId, settings), markedBy('openai'))
  return {
    responses: adapted('responses', openai.responses(modelId)),
    chat: adapted('chat', openai.chat(modelId)),
    completions: adapted('completions', openai.completion(modelId)),
  }
}

/** The interfaces learned from answers, by model and address, and by address. */
interface Learned {
  readonly models: Map<string, ApiInUse>
  readonly servers: Map<string, ServerKnown>
}

function apiInUse(
  modelId: string,
  { api = 'auto' }: ProviderSettings,
  baseUrl: URL,
  { models, servers }: Learned,
): ApiInUse {
  if (api !== 'auto') return new ApiInUse([api])
  if (takesOnlyCompletions(modelId)) return new ApiInUse(['completions'])
  const server = servers.get(baseUrl.href) ?? {}
  servers.set(baseUrl.href, server)
  const place = `${baseUrl.href} ${modelId}`
  const isOpenai = /(?:^|\.)api\.openai\.com$/.test(baseUrl.hostname)
  // Most servers speak chat. OpenAI speaks both and adds new features to responses.
  const inUse =
    models.get(place) ??
    new ApiInUse(isOpenai ? ['responses', 'chat'] : ['chat', 'responses'], server)
  models.set(place, inUse)
  return inUse
}
