import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider'
import { isJsonObject } from 'echelon/internal/value'
import type { BoundModel, Price } from 'echelon/providers'
import { describeWarning, toJsonSchema7, toolInput } from 'echelon/internal/runtime'
import type { ToolCall } from './plan.ts'
import { meaningOfOwnError } from './plugged/provider-model.ts'
import type {
  GenerateOptions,
  LLMProvider,
  LLMResponse,
  PromptMessage,
} from './primitives/llm-provider.ts'

/** A model that is loaded on its first call. */
export interface ModelToLoad {
  /** Such as `openai/gpt-5-nano`. */
  readonly id: string
  readonly load: () => Promise<BoundModel>
  /** The price until it is loaded; default unknown. */
  readonly price?: Price
}

/**
 * One of Echelon's models as an `LLMProvider`. A router calls the model directly, so that its answers stream.
 * `generate` makes one attempt, without retries, limits or a log. To change its answers, write an `LLMProvider`
 * that calls this one; a subclass cannot.
 */
export class ModelProvider implements LLMProvider {
  readonly bound: BoundModel

  constructor(model: BoundModel | ModelToLoad) {
    this.bound = 'load' in model ? loadedLater(model) : model
  }

  // A field, so that a subclass cannot override it with a method that no router would call.
  /** Rejects with the provider's own error, or EchelonError MISSING_KEY or MISSING_PACKAGE. */
  readonly generate = async (
    messages: readonly PromptMessage[],
    options: GenerateOptions = {},
  ): Promise<LLMResponse> => {
    const began = performance.now()
    const { model } = this.bound
    const result = await model.doGenerate(callOptions(messages, options))
    const latencyMs = Math.round(performance.now() - began)
    return responseOf(result, { model: model.modelId, latencyMs })
  }

  readonly getCost = (tokensIn: number, tokensOut: number): number | null =>
    this.bound.price({ input: tokensIn, output: tokensOut })
}

function loadedLater({ id, load, price = () => null }: ModelToLoad): BoundModel {
  let loaded: BoundModel | undefined
  let loading: Promise<BoundModel> | undefined
  const loadOnce = async (): Promise<BoundModel> => {
    try {
      loaded = await (loading ??= load())
      return loaded
    } catch (error) {
      // A key may be set, or a package installed, before the next call.
      loading = undefined
      throw error
    }
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: id.split('/')[0] ?? id,
    modelId: id.slice(id.indexOf('/') + 1),
    supportedUrls: {},
    doGenerate: async (options) => await (await loadOnce()).model.doGenerate(options),
    doStream: async (options) => await (await loadOnce()).model.doStream(options),
  }
  return {
    id,
    model,
    price: (usage) => (loaded?.price ?? price)(usage),
    normalizeError: (error) => meaningOfOwnError(error) ?? loaded?.normalizeError?.(error),
  }
}

function callOptions(
  messages: readonly PromptMessage[],
  { tools = [], responseFormat, temperature, maxTokens, signal }: GenerateOptions,
): LanguageModelV4CallOptions {
  return {
    prompt: [...messages],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        inputSchema: toJsonSchema7(parameters),
      })),
    }),
    ...(responseFormat !== undefined && {
      responseFormat: {
        type: 'json',
        name: responseFormat.name,
        schema: toJsonSchema7(responseFormat.jsonSchema),
      },
    }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(signal !== undefined && { abortSignal: signal }),
  }
}

function responseOf(
  { content, usage, response, warnings }: LanguageModelV4GenerateResult,
  { model, latencyMs }: { readonly model: string; readonly latencyMs: number },
): LLMResponse {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const notes = warnings.map(describeWarning)
  const toolCalls = content.flatMap((part): readonly ToolCall[] => {
    if (part.type !== 'tool-call' || part.providerExecuted === true) return []
    const { toolName } = part
    const params = toolInput(part.input)
    if (isJsonObject(params)) return [{ toolName, params }]
    notes.push(`the parameters of ${toolName} are no JSON object`)
    return [{ toolName, params: {} }]
  })
  const { total: input } = usage.inputTokens
  const { total: output } = usage.outputTokens
  return {
    content: texts.length === 0 ? null : texts.join(''),
    toolCalls,
    model: response?.modelId ?? model,
    tokensUsed: (input ?? 0) + (output ?? 0),
    latencyMs,
    ...(input !== undefined && output !== undefined && { usage: { input, output } }),
    ...(notes.length > 0 && { warnings: notes }),
  }
}
