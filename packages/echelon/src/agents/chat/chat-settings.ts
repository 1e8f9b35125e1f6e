import type { Actors } from '../../core/agent/agent.ts'
import type { Generate, Sampling } from '../../core/agent/effect.ts'
import { EchelonError } from '../../core/value/error.ts'
import { type Message, systemMessage } from '../../core/message/thread.ts'
import { BoundedResults, type OriginOf, RESULT_READ } from './output/bounded-results.ts'
import { isText } from './input/message-check.ts'
import type { OutputFormat } from './output/output-format.ts'

/** The role of the agent's model. */
export const MAIN = 'main'

const DEFAULT_MAX_ITERATIONS = 50
const DEFAULT_PARALLEL_TOOLS = 8

/** The settings of a chat agent. */
export interface ChatSettings {
  readonly name: string
  readonly instructions?: string
  /** Names of the tools that it may call. */
  readonly tools?: readonly string[]
  /** Maximum model calls in one turn. Default 50. */
  readonly maxIterations?: number
  /** Whether the turn ends or asks the user when they are used up. Default `end`. */
  readonly atLimit?: 'end' | 'ask'
  /** Maximum number of tools that run at the same time. Default 8. */
  readonly maxParallelTools?: number
  /**
   * Maximum characters of one tool result, as JSON text, sent to the model. Of a longer one the model
   * gets the beginning and the end, and can read the rest in pieces with the tool `result_read`, which
   * is offered only then; the conversation keeps the whole result. Default 50,000; at least 200.
   */
  readonly maxResultChars?: number
  /**
   * Timeout of one whole model call, in milliseconds. Default: `modelTimeouts`, and the run's own time.
   */
  readonly timeoutMs?: number
  readonly maxTokens?: number
  readonly sampling?: Sampling
  /** The format of the answer. Default: text. */
  readonly output?: OutputFormat
}

/** Data shared by all runs of one agent, computed once. */
export interface ChatConfig {
  readonly name: string
  readonly actors: Actors
  readonly system: Message | undefined
  readonly tools: ReadonlySet<string>
  readonly asked: Omit<Generate, 'messages'>
  /** The same, for a conversation with a cut result. */
  readonly askedWithReader: Omit<Generate, 'messages'>
  readonly results: BoundedResults
  readonly atOnce: number
  readonly most: number
  readonly asksForMore: boolean
  readonly output: OutputFormat | undefined
}

/** @throws EchelonError INVALID_CONFIG for an invalid number */
export function configOf(settings: ChatSettings, originOf: OriginOf | undefined): ChatConfig {
  const { name, instructions, tools = [], timeoutMs, maxTokens, sampling, output } = settings
  const { maxIterations = DEFAULT_MAX_ITERATIONS, atLimit: then = 'end' } = settings
  const { maxParallelTools = DEFAULT_PARALLEL_TOOLS } = settings
  // Keeps the field order of existing journals, by which a step is identified.
  const askedWith = (offered: readonly string[]): Omit<Generate, 'messages'> => ({
    type: 'generate',
    actor: 'agent',
    role: MAIN,
    show: 'user',
    ...(offered.length === 0 ? {} : { tools: offered }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(sampling === undefined ? {} : { sampling }),
    ...(output === undefined ? {} : { schema: output.wire }),
  })
  return {
    name,
    actors: { agent: { roles: [MAIN], tools: [...tools, RESULT_READ], speaks: true, asks: true } },
    system: isText(instructions) ? systemMessage(instructions) : undefined,
    tools: new Set(tools),
    asked: askedWith(tools),
    askedWithReader: askedWith([...tools, RESULT_READ]),
    results: new BoundedResults(settings.maxResultChars, originOf),
    atOnce: wholeNumber('maxParallelTools', maxParallelTools),
    most: wholeNumber('maxIterations', maxIterations),
    asksForMore: then === 'ask',
    output,
  }
}

/** @throws EchelonError INVALID_CONFIG unless it is a whole number from 1 on */
export function wholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value
  throw new EchelonError('INVALID_CONFIG', `${name} is ${value}; give a whole number from 1 on`)
}
