import { isRecord } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import type { Usage } from 'echelon/providers'
import type { Tool } from 'echelon/chat'
import { type ForeignAgentOptions, type ForeignAnswer, foreignAgentTool } from './foreign-agent.ts'

/** The part of an agent of the package `ai` that is used: `ToolLoopAgent` has this shape. */
export interface AiSdkAgent {
  // A method, so that the agent can narrow its option and tool types.
  generate(options: {
    readonly prompt: string
    readonly abortSignal: AbortSignal
    readonly onStepFinish: (step: unknown) => void
  }): PromiseLike<unknown>
}

export interface AiAgentToolOptions extends ForeignAgentOptions {
  /**
   * A `ToolLoopAgent`, or an equivalent. For an agent with call options, pass `{ generate: (asked) =>
   * agent.generate({ ...asked, options }) }`.
   */
  readonly agent: AiSdkAgent
}

/**
 * Makes an agent of the package `ai` a tool of an Echelon agent. The agent sets its own step limit
 * (`stopWhen`); each step is reported as progress.
 * @throws EchelonError INVALID_DEFINITION for an invalid name or number
 */
export function aiAgentTool({ agent, ...options }: AiAgentToolOptions): Tool {
  return foreignAgentTool('ai', options, async (task) => {
    const result = await agent.generate({
      prompt: task.task,
      abortSignal: task.signal,
      onStepFinish: (step) => task.progress(stepOf(step)),
    })
    return answerOf(result)
  })
}

function answerOf(result: unknown): ForeignAnswer {
  if (typeof result !== 'object' || result === null) throw new Error('it returned no result')
  const text: unknown = Reflect.get(result, 'text')
  const finish: unknown = Reflect.get(result, 'finishReason')
  // `totalUsage` covers all steps; in earlier versions `usage` covered only the last one.
  const usage = usageOf(Reflect.get(result, 'totalUsage') ?? Reflect.get(result, 'usage'))
  const answer = typeof text === 'string' ? text : ''
  if (finish === 'tool-calls') {
    throw new Error(
      'it stopped with tool calls that are neither run nor approved here; give its tools execute, and raise stopWhen',
    )
  }
  if (finish === 'error' || (answer === '' && finish !== 'stop')) {
    throw new Error(`it ended without an answer, with reason ${String(finish)}`)
  }
  return {
    text: answer,
    usage,
    ...(finish === 'length' || finish === 'content-filter' ? { finish } : {}),
  }
}

function usageOf(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined
  const { inputTokens: input, outputTokens: output } = usage
  return typeof input === 'number' && typeof output === 'number' ? { input, output } : undefined
}

function stepOf(step: unknown): Json {
  const calls: unknown =
    typeof step === 'object' && step !== null ? Reflect.get(step, 'toolCalls') : []
  const tools = Array.isArray(calls)
    ? calls.flatMap((call: unknown) => (isRecord(call) ? String(call['toolName']) : []))
    : []
  return { step: 'model-call', tools }
}
