import type {
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { MOST_ANSWER_CHARACTERS } from '../../../core/answer-length.ts'
import { isJson, isJsonObject, type JsonObject } from '../../../core/json.ts'
import type { BoundModel, Price, ProviderSettings } from '../../../core/model.ts'
import { pricesAtOnce, unknownPrice } from '../../../providers/prices.ts'
import type {
  GenerateOptions,
  LLMProvider,
  LLMResponse,
  OfferedTool,
  PromptMessage,
} from '../primitives/llm-provider.ts'
import type { ToolCall } from '../plan.ts'
import { meaningOfOwnError, type ModelBacked } from '../plugged/provider-model.ts'

/** A model that is loaded when it is first called. */
export interface ModelToLoad {
  /** Such as `openai/gpt-5-nano`. */
  readonly id: string
  readonly load: () => Promise<BoundModel>
  /** What it costs, before it is loaded; default unknown. */
  readonly price?: Price
}

/**
 * Any model of ours as an `LLMProvider`. As the model of a router it is called as it is, and streams.
 * `generate` makes one attempt: whoever wants retries, limits and a log calls it through a run.
 */
export class ModelProvider implements LLMProvider, ModelBacked {
  readonly #bound: BoundModel

  constructor(model: BoundModel | ModelToLoad) {
    this.#bound = 'load' in model ? lazily(model) : model
  }

  /** A subclass that answers in a way of its own is asked itself. */
  boundModel(): BoundModel | undefined {
    const answersAsWritten = (['generate', 'getCost'] as const).every(
      (name) => this[name] === ModelProvider.prototype[name],
    )
    return answersAsWritten ? this.#bound : undefined
  }

  /** Rejects with the provider's own error, or EchelonError MISSING_KEY or MISSING_PACKAGE. */
  async generate(
    messages: readonly PromptMessage[],
    options: GenerateOptions = {},
  ): Promise<LLMResponse> {
    const began = performance.now()
    const { model } = this.#bound
    const result = await model.doGenerate(callOptions(messages, options))
    const latencyMs = Math.round(performance.now() - began)
    return responseOf(result, { model: model.modelId, latencyMs })
  }

  getCost(tokensIn: number, tokensOut: number): number | null {
    return this.#bound.price({ input: tokensIn, output: tokensOut })
  }
}

function lazily({ id, load, price = unknownPrice }: ModelToLoad): BoundModel {
  let loaded: BoundModel | undefined
  let loading: Promise<BoundModel> | undefined
  const loadOnce = async (): Promise<BoundModel> => {
    try {
      loaded = await (loading ??= load())
      return loaded
    } catch (error) {
      // A key may be set, or a package installed, until the next call.
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

// ---- models of a vendor ----

/** A vendor's model, and how it is reached. What is left out comes from the configuration. */
export interface VendorOptions extends ProviderSettings {
  /** The vendor's own name of it. */
  readonly model?: string
}

/** Where models come from by name: `configuredModels` is one. */
export interface NamedModels {
  resolve(name: string, settings?: Readonly<Record<string, ProviderSettings>>): Promise<BoundModel>
}

/** A vendor's model, found by its name. Until it is loaded its price is that of the price list. */
export function vendorModel(
  vendor: 'openai' | 'anthropic',
  { model, ...settings }: VendorOptions & { readonly model: string },
  models: NamedModels,
): ModelToLoad {
  const id = `${vendor}/${model}`
  let price: Price | undefined
  return {
    id,
    load: async () => await models.resolve(id, { [vendor]: settings }),
    price: (usage) =>
      settings.price === undefined
        ? (price ??= pricesAtOnce()?.priceOf(vendor, model) ?? unknownPrice)(usage)
        : (usage.input * settings.price.inputPerMillion +
            usage.output * settings.price.outputPerMillion) /
          1e6,
  }
}

// ---- what is asked ----

function callOptions(
  messages: readonly PromptMessage[],
  { tools = [], responseFormat, temperature, maxTokens, signal }: GenerateOptions,
): LanguageModelV4CallOptions {
  return {
    prompt: [...messages],
    ...(tools.length > 0 && { tools: tools.map(functionTool) }),
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

type FunctionTool = Extract<
  NonNullable<LanguageModelV4CallOptions['tools']>[number],
  { type: 'function' }
>

const functionTool = ({ name, description, parameters }: OfferedTool): FunctionTool => ({
  type: 'function',
  name,
  description,
  inputSchema: toJsonSchema7(parameters),
})

// Both are JSON Schema draft 7; the one is readonly JSON, the other a type of mutable keywords.
function toJsonSchema7(schema: JsonObject): JSONSchema7
function toJsonSchema7(schema: object): object {
  return schema
}

// ---- what is answered ----

function responseOf(
  { content, usage, response, warnings }: LanguageModelV4GenerateResult,
  { model, latencyMs }: { readonly model: string; readonly latencyMs: number },
): LLMResponse {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const notes = warnings.map(noteOf)
  const toolCalls = content.flatMap((part): readonly ToolCall[] => {
    if (part.type !== 'tool-call' || part.providerExecuted === true) return []
    const params = paramsOf(part.input)
    if (params === null) notes.push(`the parameters of ${part.toolName} are no JSON object`)
    return [{ toolName: part.toolName, params: params ?? {} }]
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

function noteOf(warning: SharedV4Warning): string {
  if (warning.type === 'other') return warning.message
  if (warning.type === 'deprecated') return `${warning.setting}: ${warning.message}`
  return `${warning.feature}: ${warning.details ?? warning.type}`
}

function paramsOf(input: string): JsonObject | null {
  if (input.length > MOST_ANSWER_CHARACTERS) return null
  try {
    const params: unknown = JSON.parse(input)
    return isJson(params) && isJsonObject(params) ? params : null
  } catch {
    return null
  }
}
