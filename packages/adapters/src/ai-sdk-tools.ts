import { EchelonError, isRecord, jsonForm } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { defineTool, ToolError, type Does } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import { toolSchema } from './ai-sdk-schema.ts'

/** The options passed to an AI SDK tool with its input. */
export interface AiSdkToolOptions {
  /** The call's key: the same across retries and a restart of the run. */
  readonly toolCallId: string
  /** Always empty: an Echelon tool does not see the conversation. */
  readonly messages: readonly unknown[]
  /** The signal of the call; always set. */
  readonly abortSignal?: AbortSignal
  readonly context: unknown
}

/** The part of a `tool()` of the package `ai` that is used; tested with version 7. */
export interface AiSdkTool {
  readonly type?: string | undefined
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly needsApproval?: unknown
  // Methods, so that a tool can narrow its input and output types.
  execute?(input: unknown, options: AiSdkToolOptions): unknown
  toModelOutput?(given: {
    readonly toolCallId: string
    readonly input: unknown
    readonly output: unknown
  }): unknown
}

/** Facts that an AI SDK tool does not state. */
export interface AiSdkToolFacts {
  /**
   * Effect on the world. Default `acts`, because the tool does not say: recorded before it runs, run
   * alone, and never repeated after a crash. `reads` for a tool that changes nothing.
   */
  readonly does?: Does
  /** Default: what the tool says; true if it decides with a function. */
  readonly needsApproval?: boolean
  /** Milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** Retries after a network failure, if the tool does not act. Default 0. */
  readonly retries?: number
  /** Passed to the tool as `context`. Default empty. */
  readonly context?: unknown
}

/**
 * Uses tools written for the AI SDK unchanged: `fromAiSdkTools({ weather: tool({ … }) })`. Values that
 * `execute` yields are reported as progress; the last one is the result. Results are converted to JSON,
 * as in the SDK.
 * @param facts facts that a tool does not state, by tool name
 * @throws EchelonError INVALID_DEFINITION for a tool that only its provider can run, a tool without
 * `execute`, a schema without a JSON form, or facts about an unknown tool
 */
export function fromAiSdkTools<const Tools extends Readonly<Record<string, AiSdkTool>>>(
  tools: Tools,
  facts: { readonly [Name in keyof Tools]?: AiSdkToolFacts } = {},
): readonly Tool[] {
  for (const name of Object.keys(facts)) {
    if (!Object.hasOwn(tools, name)) {
      throw invalid(
        `the facts name an unknown tool ${name}; the tools are ${Object.keys(tools).join(', ')}`,
      )
    }
  }
  return Object.entries(tools).map(([name, tool]) => fromAiSdkTool(name, tool, facts[name] ?? {}))
}

function fromAiSdkTool(name: string, tool: AiSdkTool, facts: AiSdkToolFacts): Tool {
  if (tool.type === 'provider' || tool.type === 'provider-defined') {
    throw invalid(
      `the tool ${name} is defined by a provider, and only that provider's models know it; use a tool with its own schema`,
    )
  }
  if (typeof tool.execute !== 'function') {
    throw invalid(`the tool ${name} has no execute function; add one`)
  }
  const { does = 'acts', context = {}, ...others } = facts
  const asks = tool.needsApproval === true || typeof tool.needsApproval === 'function'
  return defineTool<unknown>({
    needsApproval: asks,
    ...others,
    name,
    description: descriptionOf(name, tool, context),
    input: toolSchema(name, tool.inputSchema),
    does,
    run: (input, its) => runTool(tool, input, its, context),
  })
}

function descriptionOf(name: string, { description }: AiSdkTool, context: unknown): string {
  const text: unknown =
    typeof description === 'function'
      ? Reflect.apply(description, undefined, [{ context }])
      : description
  return typeof text === 'string' && text !== '' ? text : name
}

async function runTool(
  tool: AiSdkTool,
  input: unknown,
  its: ToolContext,
  context: unknown,
): Promise<Json> {
  const { key: toolCallId, signal: abortSignal } = its
  const returned = tool.execute?.(input, { toolCallId, messages: [], abortSignal, context })
  const output = isStream(returned) ? await lastOf(returned, its) : await returned
  if (tool.toModelOutput === undefined) return jsonForm(output)
  return modelOutput(await tool.toModelOutput({ toolCallId, input, output }))
}

async function lastOf(values: AsyncIterable<unknown>, its: ToolContext): Promise<unknown> {
  let last: unknown
  for await (const value of values) {
    // Throwing closes the generator; the runtime times out one that hangs.
    its.signal.throwIfAborted()
    last = value
    its.progress(jsonForm(value))
  }
  return last
}

/** The output the SDK shows a model. Files cannot be passed on and are only named. */
function modelOutput(output: unknown): Json {
  if (!isRecord(output)) return jsonForm(output)
  const { type, value, reason } = output
  switch (type) {
    case 'error-text':
    case 'error-json':
      throw new ToolError('TOOL_ERROR', typeof value === 'string' ? value : JSON.stringify(value))
    case 'execution-denied':
      throw new ToolError('TOOL_ERROR', typeof reason === 'string' ? reason : 'it was not allowed')
    case 'content':
      return Array.isArray(value) ? value.map(partText).join('\n') : ''
    default:
      return jsonForm(value)
  }
}

function partText(part: unknown): string {
  if (!isRecord(part)) return ''
  const { type, text, mediaType } = part
  if (type === 'text' && typeof text === 'string') return text
  return `[${String(type)}${typeof mediaType === 'string' ? ` ${mediaType}` : ''}, not shown]`
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const invalid = (problem: string): EchelonError => new EchelonError('INVALID_DEFINITION', problem)
