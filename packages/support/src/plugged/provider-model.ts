import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { EchelonError, isJson, isJsonObject, utf8Bytes } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { BoundModel, ErrorMeaning, Usage } from 'echelon/providers'
import { reportedUsage, streamOfWhole } from 'echelon/internal/model'
import type {
  GenerateOptions,
  LLMProvider,
  LLMResponse,
  OfferedTool,
} from '../primitives/llm-provider.ts'

/**
 * Adapts a provider as the model of a role: the runtime's requests become `generate` calls, and their answers
 * those of a model. Errors pass through, so that the runtime reads, retries and reports them as for any model. An
 * answer without a usage in two parts is counted as `tokensUsed`, of which the output part is estimated. A
 * provider with a model of Echelon's (`bound`) is replaced by that model, and a model is returned as is.
 */
export function modelOfProvider(provider: LLMProvider | BoundModel, id: string): BoundModel {
  if (!('generate' in provider)) return provider
  return (
    provider.bound ?? {
      id,
      model: adapted(provider, id),
      price: ({ input, output }) => priceOf(provider, input, output),
      normalizeError: meaningOfOwnError,
    }
  )
}

/** Treats a price that is not a number of dollars as unknown. */
function priceOf(provider: LLMProvider, input: number, output: number): number | null {
  const cost = provider.getCost(input, output)
  return cost !== null && Number.isFinite(cost) && cost >= 0 ? cost : null
}

/** The meaning of an Echelon error that a call can throw; nothing for any other error. */
export function meaningOfOwnError(error: unknown): ErrorMeaning | undefined {
  if (!(error instanceof EchelonError)) return undefined
  const { code, message } = error
  if (code === 'MISSING_KEY') return { type: 'auth', message }
  const isAbsent = code === 'MISSING_PACKAGE' || code === 'UNKNOWN_MODEL'
  return isAbsent ? { type: 'not-found', message } : undefined
}

function adapted(provider: LLMProvider, id: string): LanguageModelV4 {
  const [key = id, ...rest] = id.split('/')
  const generate = async (
    options: LanguageModelV4CallOptions,
  ): Promise<LanguageModelV4GenerateResult> => {
    // A provider may ignore its signal until it has called.
    options.abortSignal?.throwIfAborted()
    const response = await provider.generate(options.prompt, generateOptions(options))
    return resultOf(response, options.prompt)
  }
  return {
    specificationVersion: 'v4',
    provider: key,
    modelId: rest.length === 0 ? id : rest.join('/'),
    supportedUrls: {},
    doGenerate: generate,
    async doStream(options) {
      return { stream: streamOfWhole(await generate(options)) }
    },
  }
}

// ---- requests ----

function generateOptions(options: LanguageModelV4CallOptions): GenerateOptions {
  const { tools = [], responseFormat, temperature, maxOutputTokens, abortSignal } = options
  const offered = tools.flatMap((tool) => (tool.type === 'function' ? [offeredTool(tool)] : []))
  const schema = responseFormat?.type === 'json' ? jsonOf(responseFormat.schema) : undefined
  const name = responseFormat?.type === 'json' ? (responseFormat.name ?? 'answer') : 'answer'
  return {
    ...(offered.length > 0 && { tools: offered }),
    ...(schema !== undefined && { responseFormat: { name, jsonSchema: schema } }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(abortSignal !== undefined && { signal: abortSignal }),
  }
}

type FunctionTool = Extract<
  NonNullable<LanguageModelV4CallOptions['tools']>[number],
  { type: 'function' }
>

const offeredTool = ({ name, description = '', inputSchema }: FunctionTool): OfferedTool => ({
  name,
  description,
  parameters: jsonOf(inputSchema) ?? { type: 'object', properties: {} },
})

/** A schema is JSON, whatever its type says. */
function jsonOf(schema: unknown): JsonObject | undefined {
  return isJson(schema) && isJsonObject(schema) ? schema : undefined
}

// ---- answers ----

function resultOf(
  response: LLMResponse,
  prompt: LanguageModelV4Prompt,
): LanguageModelV4GenerateResult {
  const { content, toolCalls, model, warnings = [] } = response
  const before = callsIn(prompt)
  const parts: LanguageModelV4Content[] = [
    ...(content === null || content === '' ? [] : [{ type: 'text', text: content } as const]),
    ...toolCalls.map(({ toolName, params }, index): LanguageModelV4Content => ({
      type: 'tool-call',
      // Unique in the conversation, and the same on every run.
      toolCallId: `call-${before + index + 1}`,
      toolName,
      input: JSON.stringify(params),
    })),
  ]
  const unified = toolCalls.length > 0 ? 'tool-calls' : 'stop'
  return {
    content: parts,
    finishReason: { unified, raw: undefined },
    usage: usageOf(response),
    response: { modelId: model },
    warnings: warnings.map((message) => ({ type: 'other', message })),
  }
}

const callsIn = (prompt: LanguageModelV4Prompt): number =>
  prompt.reduce(
    (sum, { role, content }) =>
      role === 'assistant' ? sum + content.filter(({ type }) => type === 'tool-call').length : sum,
    0,
  )

function usageOf(response: LLMResponse): LanguageModelV4Usage {
  const { input, output } = response.usage ?? estimated(response)
  return reportedUsage(input, output)
}

const BYTES_PER_TOKEN = 4

/** Keeps the sum, and estimates the output part from its bytes. */
function estimated({ content, toolCalls, tokensUsed }: LLMResponse): Usage {
  const calls = toolCalls.length === 0 ? '' : JSON.stringify(toolCalls)
  const bytes = utf8Bytes(content ?? '') + utf8Bytes(calls)
  const output = Math.min(tokensUsed, Math.ceil(bytes / BYTES_PER_TOKEN))
  return { input: tokensUsed - output, output }
}
