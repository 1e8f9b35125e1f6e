import { EchelonError } from 'echelon/internal/value'
import { isRecord } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { jsonForm } from 'echelon/internal/value'
import { defineTool, ToolError } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import type { Does } from 'echelon/internal/tool'
import { toolSchema } from './ai-sdk-schema.ts'

/** What an AI SDK tool is handed beside its input. */
export interface AiSdkToolOptions {
  /** The call's key: the same over retries and a restart of the run. */
  readonly toolCallId: string
  /** Always empty: a tool of Echelon does not see the conversation. */
  readonly messages: readonly unknown[]
  /** Always there; that of the call. */
  readonly abortSignal?: AbortSignal
  readonly context: unknown
}

/** As much of a `tool()` of the package `ai` as is looked at; tried with version 7. */
export interface AiSdkTool {
  readonly type?: string | undefined
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly needsApproval?: unknown
  // Methods, so that a tool's own types of input and output stand.
  execute?(input: unknown, options: AiSdkToolOptions): unknown
  toModelOutput?(given: {
    readonly toolCallId: string
    readonly input: unknown
    readonly output: unknown
  }): unknown
}

/** What an AI SDK tool does not say of itself. */
export interface AiSdkToolFacts {
  /**
   * What it does to the world. Default `acts`, since it does not say: recorded before it runs, alone,
   * and never repeated after a crash. `reads` for one that changes nothing.
   */
  readonly does?: Does
  /** Default what the tool says; where it has a function for that, true. */
  readonly needsApproval?: boolean
  /** Milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** Retries after a network failure, where it does not act. Default 0. */
  readonly retries?: number
  /** Handed to the tool as `context`. Default empty. */
  readonly context?: unknown
}

/**
 * Tools written for the AI SDK, as they are: `fromAiSdkTools({ weather: tool({ … }) })`. Values that
 * `execute` yields are told as progress, the last one is the result. What it returns passes through
 * JSON, as it does in the SDK.
 * @param facts what a tool does not say of itself, by name
 * @throws EchelonError INVALID_DEFINITION for a tool that only its provider can run, one without
 * `execute`, a schema that has no JSON form, or facts of a tool that is not there
 */
export function fromAiSdkTools<const Tools extends Readonly<Record<string, AiSdkTool>>>(
  tools: Tools,
  facts: { readonly [Name in keyof Tools]?: AiSdkToolFacts } = {},
): readonly Tool[] {
  for (const name of Object.keys(facts)) {
    if (!Object.hasOwn(tools, name)) {
      throw invalid(
        `there is no tool ${name} of which something could be said; there are ${Object.keys(tools).join(', ')}`,
      )
    }
  }
  return Object.entries(tools).map(([name, tool]) => fromAiSdkTool(name, tool, facts[name] ?? {}))
}

function fromAiSdkTool(name: string, tool: AiSdkTool, facts: AiSdkToolFacts): Tool {
  if (tool.type === 'provider' || tool.type === 'provider-defined') {
    throw invalid(
      `the tool ${name} is defined by a provider, which only that provider's own models know; give a tool with a schema of its own`,
    )
  }
  if (typeof tool.execute !== 'function') {
    throw invalid(`the tool ${name} has no execute, so that nothing here could run it; give it one`)
  }
  const { does = 'acts', context = {}, ...given } = facts
  const asks = tool.needsApproval === true || typeof tool.needsApproval === 'function'
  return defineTool<unknown>({
    needsApproval: asks,
    ...given,
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
  const begun = tool.execute?.(input, { toolCallId, messages: [], abortSignal, context })
  const output = isStream(begun) ? await lastOf(begun, its) : await begun
  if (tool.toModelOutput === undefined) return jsonForm(output)
  return modelOutput(await tool.toModelOutput({ toolCallId, input, output }))
}

async function lastOf(values: AsyncIterable<unknown>, its: ToolContext): Promise<unknown> {
  let last: unknown
  for await (const value of values) {
    // A generator that is left is closed; one that hangs is given up by the runtime.
    its.signal.throwIfAborted()
    last = value
    its.progress(jsonForm(value))
  }
  return last
}

/** What the SDK shows a model instead of the output itself. Files cannot be handed on, and are named. */
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
