import { isRecord } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import type { Usage } from 'echelon/providers'
import type { Tool } from 'echelon/chat'
import { type ForeignAgentOptions, type ForeignAnswer, foreignAgentTool } from './foreign-agent.ts'

/** As much of an agent of the package `ai` as is called: `ToolLoopAgent` has this shape. */
export interface AiSdkAgent {
  // A method, so that an agent's own types of options and tools stand.
  generate(options: {
    readonly prompt: string
    readonly abortSignal: AbortSignal
    readonly onStepFinish: (step: unknown) => void
  }): PromiseLike<unknown>
}

export interface AiAgentToolOptions extends ForeignAgentOptions {
  /**
   * A `ToolLoopAgent`, or what stands for one: of an agent with call options give
   * `{ generate: (asked) => agent.generate({ ...asked, options }) }`.
   */
  readonly agent: AiSdkAgent
}

/**
 * An agent of the package `ai` as a tool of one of ours. How many steps it takes is its own to say
 * (`stopWhen`); each is told as progress.
 * @throws EchelonError INVALID_DEFINITION for a name or a number that cannot work
 */
export function aiAgentTool({ agent, ...how }: AiAgentToolOptions): Tool {
  return foreignAgentTool('ai', how, async (asked) => {
    const result = await agent.generate({
      prompt: asked.task,
      abortSignal: asked.signal,
      onStepFinish: (step) => asked.progress(stepOf(step)),
    })
    return answerOf(result)
  })
}

function answerOf(result: unknown): ForeignAnswer {
  if (typeof result !== 'object' || result === null) throw new Error('it returned no result')
  const text: unknown = Reflect.get(result, 'text')
  const finish: unknown = Reflect.get(result, 'finishReason')
  // Of all steps; `usage` alone was that of the last one in earlier versions.
  const usage = usageOf(Reflect.get(result, 'totalUsage') ?? Reflect.get(result, 'usage'))
  const said = typeof text === 'string' ? text : ''
  if (finish === 'tool-calls') {
    throw new Error(
      'it stopped with tool calls that nobody here runs or approves; give its tools execute, and a higher stopWhen',
    )
  }
  if (finish === 'error' || (said === '' && finish !== 'stop')) {
    throw new Error(`it ended without an answer, for the reason ${String(finish)}`)
  }
  return {
    text: said,
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
