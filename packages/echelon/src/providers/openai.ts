import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Provider, ProviderSettings } from '../core/model/model.ts'
import { optionalPackage } from '../core/value/optional-package.ts'
import { adaptedModel } from './vendor/adapted-model.ts'
import { CATALOGUE } from './catalogue.ts'
import { normalizeOpenaiError } from './errors/openai.ts'
import { ApiInUse, type ServerKnown, throughApiInUse } from './openai/api-in-use.ts'
import { callOptions } from './openai/call-options.ts'
import { keptConversation } from './openai/conversation.ts'
import { type SpokenApi, takesOnlyCompletions } from './openai/models.ts'
import { markedBy } from './vendor/own-thoughts.ts'
import { loadPrices, unknownPrice } from './prices.ts'
import { checkedBaseUrl, moreOf, neededApiKey, withoutSlash } from './server-settings.ts'

/**
 * OpenAI's models, at OpenAI or through a gateway to it. Which interface is spoken, with `api` at
 * `auto`: completions for the models that take nothing else; responses at OpenAI and chat anywhere
 * else, and the other of these two where a server does not serve the first but answers the second.
 *
 * The price is OpenAI's list price also at any other address: whoever passes calls on is billed it
 * too, and a server for tests then shows what a task would cost. For a server of one's own there is
 * `openai-compatible`, and a price of one's own can be set.
 *
 * Conversations are not stored unless `store` says so. How long reasoning models think is theirs to
 * say unless `reasoning` does; with `least` they think as little as they can be told to. They spend
 * the tokens of an answer on thinking too: one that is cut before its first word is an empty text that
 * ends for the reason `length`.
 *
 * What a server serves is remembered for as long as the provider lives, for its other models too.
 */
export function openaiProvider(): Provider {
  const learned: Learned = { models: new Map(), servers: new Map() }
  return {
    key: 'openai',
    ...CATALOGUE.openai,
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
  // Both are always given: what is left out the SDK would take from the environment.
  const openai = createOpenAI({ ...moreOf(settings), apiKey, baseURL: withoutSlash(baseUrl) })
  const adapted = (api: SpokenApi, model: LanguageModelV4): LanguageModelV4 =>
    adaptedModel(model, callOptions(api, modelId, settings), markedBy('openai'))
  return {
    responses: adapted('responses', openai.responses(modelId)),
    chat: adapted('chat', openai.chat(modelId)),
    completions: adapted('completions', openai.completion(modelId)),
  }
}

/** What a provider has found out, by model and address, and by address. */
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
  // Most servers speak chat; OpenAI speaks both, and keeps what is new for responses.
  const inUse =
    models.get(place) ??
    new ApiInUse(isOpenai ? ['responses', 'chat'] : ['chat', 'responses'], server)
  models.set(place, inUse)
  return inUse
}
