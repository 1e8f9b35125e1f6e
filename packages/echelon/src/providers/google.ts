import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { Provider, Reasoning } from '../core/model/model.ts'
import { optionalPackage } from '../core/value/optional-package.ts'
import { type AdaptedCall, adaptedModel } from './vendor/adapted-model.ts'
import { CATALOG } from './catalog.ts'
import { normalizeGoogleError } from './errors/google.ts'
import { withOwnOptions } from './vendor/own-options.ts'
import { markedBy } from './vendor/own-thoughts.ts'
import { loadPrices, unknownPrice } from './prices.ts'
import {
  addressOr,
  moreOf,
  neededApiKey,
  refuseInterface,
  withoutSlash,
} from './server-settings.ts'
import { thinkingTokens } from './thinking.ts'

/**
 * Gemini on Google AI Studio, or with another `baseUrl` on any server that speaks
 * `generateContent`. Uses Google's prices. By default these models think within the limit of their
 * answer. With `least` they think as little as they allow: 2.5 Flash not at all, 2.5 Pro 128
 * tokens, 3 and later at their lowest level.
 */
export const google: Provider = {
  key: 'google',
  ...CATALOG.google,
  normalizeError: normalizeGoogleError,
  async load(modelId, settings) {
    refuseInterface('google', settings)
    const apiKey = neededApiKey(settings.apiKey, KEY)
    const baseUrl = addressOr(BASE_URL, settings.baseUrl)
    const { createGoogle } = await optionalPackage(
      '@ai-sdk/google@4',
      () => import('@ai-sdk/google'),
    )
    const service = createGoogle({ ...moreOf(settings), apiKey, baseURL: withoutSlash(baseUrl) })
    const adapt = callOf(modelId, settings.reasoning ?? 'provider-default')
    return {
      id: `google/${modelId}`,
      model: adaptedModel(service(modelId), adapt, markedBy('google')),
      price:
        settings.price === undefined
          ? (await loadPrices()).priceOf('google', modelId)
          : unknownPrice,
      normalizeError: normalizeGoogleError,
    }
  },
}

const KEY = { provider: 'google', variable: 'GOOGLE_API_KEY' }
const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta'

const callOf =
  (modelId: string, reasoning: Reasoning) =>
  (options: LanguageModelV4CallOptions): AdaptedCall => {
    const isSaid = options.reasoning !== undefined || reasoning === 'provider-default'
    if (isSaid || !thinks(modelId)) return { options }
    if (modelId.includes('gemini-2.5')) {
      const thinkingBudget = budgetOf(modelId, reasoning, options.maxOutputTokens)
      return { options: withOwnOptions(options, 'google', { thinkingConfig: { thinkingBudget } }) }
    }
    if (reasoning !== 'least') return { options: { ...options, reasoning } }
    return { options: { ...options, reasoning: 'minimal' }, isExpected: isNextLevel }
  }

/** Gemma and Gemini before 2.5 do not think and reject thinking options. */
const thinks = (modelId: string): boolean =>
  modelId.includes('gemini-') && !/gemini-(?:1|2\.0)/.test(modelId)

/** The warning that the package raised the level to the model's lowest. */
const isNextLevel = (warning: SharedV4Warning): boolean =>
  warning.type === 'compatibility' && warning.feature === 'reasoning'

/** Gemini 2.5 takes a token budget. Every model accepts this one; Pro would accept more. */
const MOST_BUDGET = 24_576

function budgetOf(
  modelId: string,
  reasoning: Exclude<Reasoning, 'provider-default'>,
  maxTokens = MOST_BUDGET,
): number {
  if (reasoning === 'least') return modelId.includes('-pro') ? 128 : 0
  const least = modelId.includes('-lite') ? 512 : 128
  return Math.min(MOST_BUDGET, Math.max(least, thinkingTokens(reasoning, maxTokens)))
}
