import type { LanguageModelV4, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { ChatDefinition, MAIN } from 'echelon/internal/chat'
import { EchelonError, isRecord } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import type { BoundModel, Price, Usage } from 'echelon/providers'
import type { RetryPolicy } from 'echelon/middleware'
import type { Schema } from 'echelon/internal/schema'
import { defineTool, ToolError, type Does } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import { reportedUsage, streamOfWhole } from 'echelon/internal/model'

/** Options of an agent of another framework as a tool of an Echelon agent. */
export interface ForeignAgentOptions {
  readonly name: string
  /** Shown to the model: what the agent is good for. */
  readonly description: string
  /** Default `acts`: the effects of its tools are unknown, so it never runs twice for one call. */
  readonly does?: Does
  /** Default false. */
  readonly needsApproval?: boolean
  /** Timeout of one task, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number
  /**
   * US dollars for the tokens of one task. Default unknown: a cost limit then refuses the task. The
   * budget reserves `maxTokens` beforehand and charges the actual usage afterwards.
   */
  readonly price?: Price
  /** Tokens reserved for one task, including its answer. Default 4096. */
  readonly maxTokens?: number
  /** Maximum characters of the answer that are passed on. Default 20,000. */
  readonly maxChars?: number
}

/** The task for an agent of another framework. */
export interface ForeignTask {
  readonly task: string
  readonly signal: AbortSignal
  /** Reports progress to observers of the run. */
  progress(data: Json): void
}

/** The answer of such an agent. */
export interface ForeignAnswer {
  readonly text: string
  /** Tokens of all its model calls; undefined if unknown. */
  readonly usage: Usage | undefined
  /** Default `stop`. */
  readonly finish?: 'stop' | 'length' | 'content-filter'
}

/** Calls an agent of another framework. May throw anything. */
export type AskForeign = (task: ForeignTask) => Promise<ForeignAnswer>

/**
 * A tool that runs an agent of another framework within the caller's run. To the run it is one model
 * call, so the signal, the time limit, the journal and the ledger apply as to any model: its worst case
 * is reserved, then settled at its reported usage.
 */
export function foreignAgentTool(
  framework: string,
  options: ForeignAgentOptions,
  ask: AskForeign,
): Tool {
  const { name, price = unknownPrice, timeoutMs = 120_000, maxTokens, maxChars = 20_000 } = options
  if (!(maxChars > 0)) {
    throw new EchelonError(
      'INVALID_DEFINITION',
      `the tool ${name} has maxChars ${maxChars}; use a number above 0`,
    )
  }
  const definition = new ChatDefinition({
    name,
    timeoutMs,
    maxIterations: 1,
    ...(maxTokens !== undefined && { maxTokens }),
  })
  return defineTool<AgentToolInput>({
    name,
    description: options.description,
    does: options.does ?? 'acts',
    ...(options.needsApproval !== undefined && { needsApproval: options.needsApproval }),
    input: TASK,
    delegates: true,
    async run({ task }, its) {
      if (its.child === undefined) throw notInRun(name)
      const model = modelOf(name, framework, (signal) =>
        ask({ task, signal, progress: progressOf(its) }),
      )
      const bound: BoundModel = { id: `${framework}/${name}`, model, price, sumsCalls: true }
      const { reason, result } = await its.child({
        definition,
        input: task,
        surroundings: { models: { [MAIN]: bound }, tools: [], retry: NO_RETRY, wrapModel: [] },
      })
      if (result.detail === null) return cut(result.text, maxChars)
      throw failureOf({ name, reason, detail: result.detail }, options.price === undefined)
    },
  })
}

const unknownPrice: Price = () => null

/** A retry would repeat the actions of its tools. */
const NO_RETRY: RetryPolicy = { retries: 0, baseMs: 0, factor: 1, jitter: 0 }

const progressOf =
  (its: ToolContext): ForeignTask['progress'] =>
  (data) =>
    its.progress(data)

function modelOf(
  name: string,
  framework: string,
  ask: (signal: AbortSignal) => Promise<ForeignAnswer>,
): LanguageModelV4 {
  const generate = async (signal?: AbortSignal): Promise<LanguageModelV4GenerateResult> => {
    const answer = await withoutStatus(ask(signal ?? new AbortController().signal))
    const { text, usage, finish = 'stop' } = answer
    return {
      content: text === '' ? [] : [{ type: 'text', text }],
      finishReason: { unified: finish, raw: undefined },
      usage: reportedUsage(usage?.input, usage?.output),
      warnings: [],
    }
  }
  return {
    specificationVersion: 'v4',
    provider: framework,
    modelId: name,
    supportedUrls: {},
    doGenerate: ({ abortSignal }) => generate(abortSignal),
    doStream: async ({ abortSignal }) => ({ stream: streamOfWhole(await generate(abortSignal)) }),
  }
}

/**
 * Hides the HTTP status of a provider that failed inside the agent: it says nothing about usage before
 * the failure. Without a status, the ledger keeps the reserved amount.
 */
async function withoutStatus(answering: Promise<ForeignAnswer>): Promise<ForeignAnswer> {
  try {
    return await answering
  } catch (cause) {
    const { name, message } = cause instanceof Error ? cause : { name: '', message: String(cause) }
    if (name === 'AbortError' || name === 'TimeoutError') throw cause
    throw new Error(message, { cause })
  }
}

interface Failure {
  readonly name: string
  readonly reason: string
  readonly detail: string
}

function failureOf({ name, reason, detail }: Failure, isUnpriced: boolean): ToolError {
  if (reason === 'budget:money' && isUnpriced) {
    return new ToolError(
      'TOOL_ERROR',
      `the cost of ${name} is unknown, so the cost limit refuses it; give its tool a price`,
    )
  }
  const code = reason === 'timeout' ? 'NET_TIMEOUT' : 'TOOL_ERROR'
  return new ToolError(code, `${name} ended with ${reason}: ${detail}`)
}

const cut = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}\n[cut off after ${most} characters]`

const notInRun = (name: string): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `the tool ${name} runs an agent, but was called outside of a run; call it from a run`,
  )

export interface AgentToolInput {
  readonly task: string
}

const TASK_SCHEMA = {
  type: 'object',
  properties: {
    task: { type: 'string', description: 'what to do, with everything needed for it' },
  },
  required: ['task'],
  additionalProperties: false,
}

/** Input of an agent as a tool: a task in words. */
export const TASK: Schema<AgentToolInput> = {
  '~standard': {
    version: 1,
    vendor: 'echelon',
    validate: (value) => {
      const task = isRecord(value) ? value['task'] : undefined
      return typeof task === 'string' && task.trim() !== ''
        ? { value: { task } }
        : { issues: [{ path: ['task'], message: 'expected a string' }] }
    },
    jsonSchema: { input: () => TASK_SCHEMA, output: () => TASK_SCHEMA },
  },
}
