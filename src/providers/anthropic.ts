import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isRecord } from '../core/json.ts'
import type { Provider, Reasoning } from '../core/model.ts'
import { optionalPackage } from '../core/optional-package.ts'
import { type Prepare, prepared } from './call-options.ts'
import { priceAt } from './prices.ts'
import { checkedBaseUrl, neededApiKey, withoutSlash } from './server-settings.ts'
import { thinkingTokens } from './thinking.ts'

/**
 * Claude, as Anthropic serves it; with another `baseUrl` any server that speaks its messages, whose
 * price is unknown. Models up to 4.5 think within a number of tokens of which 1,024 is the least,
 * so with less than 2,048 to answer in they do not think. A few of the newest cannot be told not to
 * think, and say so in a warning.
 */
export const anthropic: Provider = {
  key: 'anthropic',
  summary: 'Claude models of Anthropic; key in ANTHROPIC_API_KEY',
  models: ['claude-haiku-4-5', 'claude-sonnet-5', 'claude-opus-5'],
  async load(modelId, settings) {
    const apiKey = neededApiKey(settings.apiKey, KEY)
    const baseUrl = checkedBaseUrl(settings.baseUrl ?? BASE_URL, BASE_URL)
    const { createAnthropic } = await optionalPackage(
      '@ai-sdk/anthropic@4',
      () => import('@ai-sdk/anthropic'),
    )
    const service = createAnthropic({ apiKey, baseURL: withoutSlash(baseUrl) })
    const prepare = claudeCall(modelId, settings.reasoning ?? 'least')
    return {
      id: `anthropic/${modelId}`,
      model: prepared(service(modelId), prepare),
      price: await priceAt(baseUrl, modelId),
    }
  },
}

const KEY = { provider: 'anthropic', variable: 'ANTHROPIC_API_KEY' }
const BASE_URL = 'https://api.anthropic.com/v1'

const claudeCall =
  (modelId: string, reasoning: Reasoning): Prepare =>
  (options) =>
    withFittingFormat(
      options.reasoning === undefined ? withThinking(options, modelId, reasoning) : options,
    )

/** Every Claude since 4.6 decides itself how long it thinks, and is only told how hard to try. */
const thinksByItself = (modelId: string): boolean =>
  /claude-/.test(modelId) &&
  !/claude-(?:instant|v?[123](?!\d)|(?:opus|sonnet|haiku)-4(?:-(?:[0-5]|\d{8})(?!\d)|@|$))/.test(
    modelId,
  )

/** The fewest tokens that a model which is told a number can think in. */
const LEAST_BUDGET = 1024

function withThinking(
  options: LanguageModelV4CallOptions,
  modelId: string,
  reasoning: Reasoning,
): LanguageModelV4CallOptions {
  if (reasoning === 'provider-default') return options
  if (thinksByItself(modelId)) {
    return { ...options, reasoning: reasoning === 'least' ? 'none' : reasoning }
  }
  // The others think only when told to.
  const { maxOutputTokens } = options
  if (reasoning === 'least' || maxOutputTokens === undefined) return options
  if (maxOutputTokens < 2 * LEAST_BUDGET) return options
  const budgetTokens = Math.max(LEAST_BUDGET, thinkingTokens(reasoning, maxOutputTokens))
  return {
    ...withOptions(options, { thinking: { type: 'enabled', budgetTokens } }),
    // The package adds the budget to it; what is sent must not be more than was asked for.
    maxOutputTokens: maxOutputTokens - budgetTokens,
  }
}

/** Anthropic compiles a schema to a grammar, and refuses one with more unions than this. */
const MOST_UNIONS = 16

/** A tool that the model is made to call takes any schema, but does not hold the model to it. */
function withFittingFormat(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { responseFormat } = options
  const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined
  if (schema === undefined || unionsIn(schema) <= MOST_UNIONS) return options
  return withOptions(options, { structuredOutputMode: 'jsonTool' })
}

function unionsIn(schema: JSONSchema7 | unknown): number {
  if (Array.isArray(schema)) return schema.reduce<number>((sum, one) => sum + unionsIn(one), 0)
  if (!isRecord(schema)) return 0
  const isUnion = ['anyOf', 'oneOf', 'type'].some((keyword) => Array.isArray(schema[keyword]))
  return (isUnion ? 1 : 0) + unionsIn(Object.values(schema))
}

/** What the caller says of its own comes first. */
const withOptions = (
  options: LanguageModelV4CallOptions,
  more: NonNullable<LanguageModelV4CallOptions['providerOptions']>[string],
): LanguageModelV4CallOptions => ({
  ...options,
  providerOptions: {
    ...options.providerOptions,
    anthropic: { ...more, ...options.providerOptions?.['anthropic'] },
  },
})
