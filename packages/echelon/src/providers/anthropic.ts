import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import { isRecord } from '../core/value/json.ts'
import type { Provider, Reasoning } from '../core/model/model.ts'
import { optionalPackage } from '../core/value/optional-package.ts'
import { type AdaptedCall, adaptedModel } from './vendor/adapted-model.ts'
import { CATALOG } from './catalog.ts'
import { normalizeAnthropicError } from './errors/anthropic.ts'
import { withOwnOptions } from './vendor/own-options.ts'
import { markedBy } from './vendor/own-thoughts.ts'
import { loadPrices, unknownPrice } from './prices.ts'
import {
  addressOr,
  invalidSetting,
  moreOf,
  neededApiKey,
  refuseInterface,
  withoutSlash,
} from './server-settings.ts'
import { thinkingTokens } from './thinking.ts'

/**
 * Claude on Anthropic's API, or with another `baseUrl` on any server that implements it. Uses
 * Anthropic's prices. With `least`, thinking is off for every model that allows it. Models up to
 * 4.5 think within a token budget of at least 1,024, so they think only if the answer may use at
 * least twice as many tokens; otherwise the answer carries a warning.
 */
export const anthropic: Provider = {
  key: 'anthropic',
  ...CATALOG.anthropic,
  normalizeError: normalizeAnthropicError,
  async load(modelId, settings) {
    refuseInterface('anthropic', settings)
    const apiKey = neededApiKey(settings.apiKey, KEY)
    const baseUrl = addressOr(BASE_URL, settings.baseUrl)
    const { createAnthropic } = await optionalPackage('@ai-sdk/anthropic@4', () =>
      import('@ai-sdk/anthropic').catch(explained),
    )
    const service = createAnthropic({ ...moreOf(settings), apiKey, baseURL: withoutSlash(baseUrl) })
    const adapt = callOf(modelId, settings.reasoning ?? 'provider-default')
    return {
      id: `anthropic/${modelId}`,
      model: adaptedModel(service(modelId), adapt, markedBy('anthropic')),
      price:
        settings.price === undefined
          ? (await loadPrices()).priceOf('anthropic', modelId)
          : unknownPrice,
      normalizeError: normalizeAnthropicError,
    }
  },
}

const KEY = { provider: 'anthropic', variable: 'ANTHROPIC_API_KEY' }
const BASE_URL = 'https://api.anthropic.com/v1'

/** The package reads this variable when it loads, and an empty value makes it throw. */
function explained(error: unknown): never {
  if (!isRecord(error) || error['name'] !== 'AI_InvalidArgumentError') throw error
  throw invalidSetting('ANTHROPIC_BASE_URL is set but empty; unset it, or give it an address')
}

const callOf =
  (modelId: string, reasoning: Reasoning) =>
  (given: LanguageModelV4CallOptions): AdaptedCall => {
    const options = withFittingFormat(given)
    if (options.reasoning !== undefined || reasoning === 'provider-default') return { options }
    if (!choosesThinking(modelId)) {
      return reasoning === 'least' ? { options } : withBudget(options, reasoning)
    }
    if (reasoning !== 'least') return { options: { ...options, reasoning } }
    return { options: { ...options, reasoning: 'none' }, isExpected: isNextLevel }
  }

/**
 * Whether a model decides for itself how long to think and only accepts an effort, as every Claude
 * does since 4.6. Older models think only when given a budget.
 */
const choosesThinking = (modelId: string): boolean =>
  modelId.includes('claude-') && !BEFORE_4_6.test(modelId)

const BEFORE_4_6 =
  /claude-(?:instant|v?[123](?!\d)|(?:opus|sonnet|haiku)-4(?:-(?:[0-5]|\d{8})(?!\d)|@|$))/

/** The warning that the package used the lowest level for a model that cannot turn thinking off. */
const isNextLevel = (warning: SharedV4Warning): boolean =>
  warning.type === 'compatibility' && warning.feature === 'reasoning'

/** The smallest thinking budget that a model accepts, in tokens. */
const LEAST_BUDGET = 1024

function withBudget(
  options: LanguageModelV4CallOptions,
  level: Exclude<Reasoning, 'least' | 'provider-default'>,
): AdaptedCall {
  if (followsForeignToolCall(options.prompt)) return { options, warnings: [NO_THOUGHT] }
  const { maxOutputTokens } = options
  if (maxOutputTokens === undefined) return { options: { ...options, reasoning: level } }
  if (maxOutputTokens < 2 * LEAST_BUDGET) return { options, warnings: [NO_ROOM] }
  const budgetTokens = Math.max(LEAST_BUDGET, thinkingTokens(level, maxOutputTokens))
  const thinking = { type: 'enabled', budgetTokens }
  // The package adds the budget to the limit. The sum must not exceed the caller's limit.
  const limited = { ...options, maxOutputTokens: maxOutputTokens - budgetTokens }
  return { options: withOwnOptions(limited, 'anthropic', { thinking }) }
}

/**
 * Whether the prompt ends with the result of a tool call made without Claude's thinking, for
 * example by another model before a switch. With thinking enabled, Claude rejects such a prompt.
 */
function followsForeignToolCall(prompt: LanguageModelV4CallOptions['prompt']): boolean {
  if (prompt.at(-1)?.role !== 'tool') return false
  const last = prompt.findLast(({ role }) => role === 'assistant')
  return last?.role === 'assistant' && last.content[0]?.type !== 'reasoning'
}

const NO_THOUGHT = {
  type: 'unsupported',
  feature: 'reasoning',
  details: 'the tools were called without thinking, so thinking resumes with the next turn',
} as const

const NO_ROOM = {
  type: 'unsupported',
  feature: 'reasoning',
  details: `thinking needs at least ${LEAST_BUDGET} tokens; allow at least ${2 * LEAST_BUDGET} for an answer`,
} as const

/** Anthropic compiles a schema to a grammar and rejects schemas with more unions than this. */
const MOST_UNIONS = 16

/** A forced tool call accepts any schema, but does not bind the model to it. */
function withFittingFormat(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { responseFormat } = options
  const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined
  if (unionsIn(schema) <= MOST_UNIONS) return options
  return withOwnOptions(options, 'anthropic', { structuredOutputMode: 'jsonTool' })
}

function unionsIn(schema: unknown): number {
  if (Array.isArray(schema)) return schema.reduce<number>((sum, one) => sum + unionsIn(one), 0)
  if (!isRecord(schema)) return 0
  const isUnion = ['anyOf', 'oneOf', 'type'].some((keyword) => Array.isArray(schema[keyword]))
  return (isUnion ? 1 : 0) + unionsIn(Object.values(schema))
}
