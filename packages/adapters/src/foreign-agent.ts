import type { LanguageModelV4, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { ChatDefinition } from 'echelon/internal/agents'
import { MAIN } from 'echelon/internal/agents'
import { EchelonError } from 'echelon/internal/value'
import { isRecord } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import type { BoundModel, Price, Usage } from 'echelon/providers'
import type { RetryPolicy } from 'echelon/middleware'
import type { Schema } from 'echelon/internal/schema'
import { defineTool, ToolError } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import type { Does } from 'echelon/internal/tool'
import { reportedUsage, streamOfWhole } from 'echelon/internal/model'

/** How an agent of another framework appears among the tools of one of ours. */
export interface ForeignAgentOptions {
  readonly name: string
  /** What the model reads: what the agent is good for. */
  readonly description: string
  /** Default `acts`: what its tools do nobody here knows, so that it is never run twice for one call. */
  readonly does?: Does
  /** Default false. */
  readonly needsApproval?: boolean
  /** Of one task, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number
  /**
   * US dollars for the tokens of one task. Default unknown: under a limit of money it is refused.
   * The budget reserves `maxTokens` beforehand and is told afterwards what was taken.
   */
  readonly price?: Price
  /** Tokens that one task is reserved, out of which its answer is paid. Default 4096. */
  readonly maxTokens?: number
  /** Characters of its answer that are handed on. Default 20,000. */
  readonly maxChars?: number
}

/** What an agent of another framework is asked within a call. */
export interface ForeignTask {
  readonly task: string
  readonly signal: AbortSignal
  /** Shown to whoever watches the run. */
  progress(data: Json): void
}

/** What it came to. */
export interface ForeignAnswer {
  readonly text: string
  /** Tokens of all its model calls; nothing where it does not say. */
  readonly usage: Usage | undefined
  /** Default `stop`. */
  readonly finish?: 'stop' | 'length' | 'content-filter'
}

/** Asks an agent of another framework. May throw anything. */
export type AskForeign = (task: ForeignTask) => Promise<ForeignAnswer>

/**
 * A tool that runs an agent of another framework within the caller's run. To the run it is one model
 * call, so that the signal, the time, the journal and the ledger reach it as they reach any model: its
 * worst case is reserved, and settled at what it says that it took.
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
      `the tool ${name} has maxChars ${maxChars}; give a number above 0`,
    )
  }
  const definition = new ChatDefinition({
    name,
    timeoutMs,
    maxIterations: 1,
    ...(maxTokens !== undefined && { maxTokens }),
  })
  return defineTool<Task>({
    name,
    description: options.description,
    does: options.does ?? 'acts',
    ...(options.needsApproval !== undefined && { needsApproval: options.needsApproval }),
    input: TASK,
    delegates: true,
    async run({ task }, its) {
      if (its.child === undefined) throw outsideOfRun(name)
      const model = modelOf(name, framework, (signal) =>
        ask({ task, signal, progress: progressOf(its) }),
      )
      const bound: BoundModel = { id: `${framework}/${name}`, model, price, sumsCalls: true }
      const { reason, result } = await its.child({
        definition,
        input: task,
        surroundings: { models: { [MAIN]: bound }, tools: [], retry: ONCE, wrapModel: [] },
      })
      if (result.detail === null) return cut(result.text, maxChars)
      throw ended({ name, reason, detail: result.detail }, options.price === undefined)
    },
  })
}

const unknownPrice: Price = () => null

/** What its own tools did, a second try would do again. */
const ONCE: RetryPolicy = { retries: 0, baseMs: 0, factor: 1, jitter: 0 }

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
    const answer = await asked(ask(signal ?? new AbortController().signal))
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
 * The status of a provider that failed within says nothing of what was paid before: without it, the
 * ledger keeps what was reserved.
 */
async function asked(answering: Promise<ForeignAnswer>): Promise<ForeignAnswer> {
  try {
    return await answering
  } catch (cause) {
    const { name, message } = cause instanceof Error ? cause : { name: '', message: String(cause) }
    if (name === 'AbortError' || name === 'TimeoutError') throw cause
    throw new Error(message, { cause })
  }
}

interface Ended {
  readonly name: string
  readonly reason: string
  readonly detail: string
}

function ended({ name, reason, detail }: Ended, isUnpriced: boolean): ToolError {
  if (reason === 'budget:money' && isUnpriced) {
    return new ToolError(
      'TOOL_ERROR',
      `what ${name} costs is unknown, so that a limit of money refuses it; give its tool a price`,
    )
  }
  const code = reason === 'timeout' ? 'NET_TIMEOUT' : 'TOOL_ERROR'
  return new ToolError(code, `${name} ended with ${reason}: ${detail}`)
}

const cut = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}\n[cut off after ${most} characters]`

const outsideOfRun = (name: string): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `the tool ${name} runs an agent, and was called outside of a run; let a run call it`,
  )

export interface Task {
  readonly task: string
}

const TASK_SCHEMA = {
  type: 'object',
  properties: {
    task: { type: 'string', description: 'what to do, with all that is needed for it' },
  },
  required: ['task'],
  additionalProperties: false,
}

/** What an agent as a tool is given: a task in words. */
export const TASK: Schema<Task> = {
  '~standard': {
    version: 1,
    vendor: 'echelon',
    validate: (value) => {
      const task = isRecord(value) ? value['task'] : undefined
      return typeof task === 'string' && task.trim() !== ''
        ? { value: { task } }
        : { issues: [{ path: ['task'], message: 'expected a text' }] }
    },
    jsonSchema: { input: () => TASK_SCHEMA, output: () => TASK_SCHEMA },
  },
}
