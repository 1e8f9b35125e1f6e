import { jsonIn } from '../../core/model/json-in-text.ts'
import { systemMessage, Thread, userMessage } from '../../core/message/thread.ts'
import type { Generated } from '../../core/agent/observation.ts'
import type { ToolCall } from '../../core/tool/tool-call.ts'
import { isJsonObject, type JsonObject } from '../../core/value/json.ts'
import type { Answer, VerifiedTask } from '../answer.ts'
import { lastLine, taskText } from '../task-text.ts'
import type { AskModel } from '../verifier.ts'

/** A way to ask a model for another answer to a task. Ways that differ make different mistakes. */
export interface Way {
  /** Unique among the ways of a verifier; its feature is `agree.<name>`. Letters, digits, `_` and `-`. */
  readonly name: string
  /** The call that asks. */
  ask(task: VerifiedTask): AskModel
  /** Reads the answer from the model's output; undefined without an answer. */
  answer?(generated: Generated): Answer | undefined
  /** The tool calls that compute the answer; it is the value of the last one. Undefined without a program. */
  program?(generated: Generated): readonly ToolCall[] | undefined
}

export interface WayOptions {
  /** Default: the name of the way. */
  readonly name?: string
  /** Maximum tokens of an opinion; default 1,000. */
  readonly maxTokens?: number
  /** Default: temperature .7, so that repeated opinions can differ. */
  readonly temperature?: number
}

const DEFAULTS = { maxTokens: 1_000, temperature: 0.7 }

/**
 * Asks for an answer in words, JSON or calls of the task's tools, as the task wants it.
 * @param role of the model, such as `small` for the model that answered, or `opinion`
 */
export function inWords(role: string, options: WayOptions = {}): Way {
  const { name, maxTokens, temperature } = { name: 'words', ...DEFAULTS, ...options }
  return {
    name,
    ask: (task) => {
      const { wanted, tools = [] } = task
      const orders = ['Work out the answer step by step.', lastLine(wanted)].join(' ').trim()
      const wantsCalls = wanted.kind === 'calls'
      return {
        type: 'generate',
        role,
        messages: Thread.of([
          ...(wantsCalls ? [] : [systemMessage(orders)]),
          userMessage(taskText(task)),
        ]),
        ...(wantsCalls ? { tools: tools.map((tool) => tool.name) } : {}),
        ...(wanted.kind === 'json' ? { schema: wanted.schema } : {}),
        maxTokens,
        sampling: { temperature },
      }
    },
    answer: ({ text, calls }) =>
      calls.length > 0 ? { type: 'calls', calls, text } : { type: 'text', text },
  }
}

/** A tool that runs a program: its name, and its description for a model. */
export interface Computes {
  readonly tool: string
  /** JSON Schema of the tool's input. */
  readonly input: JsonObject
  /** The kind of program, in words: `one arithmetic expression`. */
  readonly writes: string
}

export interface ProgramOptions extends WayOptions {
  /** Default: the calculator of `@echelon/tools`. */
  readonly computes?: Computes
}

const CALCULATOR: Computes = {
  tool: 'calculator',
  input: {
    type: 'object',
    properties: { expr: { type: 'string', description: 'Such as (1250 - 12.5) * 25%' } },
    required: ['expr'],
    additionalProperties: false,
  },
  writes: 'one arithmetic expression, with the numbers of the task,',
}

/**
 * Asks for a program that computes the answer, and runs it with a tool. The model computes nothing itself, so it
 * can't make the same slip as an answer in words.
 * @param role of the model
 */
export function asProgram(
  role: string,
  { computes = CALCULATOR, ...options }: ProgramOptions = {},
): Way {
  const { name, maxTokens, temperature } = { name: 'program', ...DEFAULTS, ...options }
  const { tool, input, writes } = computes
  return {
    name,
    ask: (task) => ({
      type: 'generate',
      role,
      messages: Thread.of([
        systemMessage(
          `Do not compute the answer. Write ${writes} whose value is the answer, as JSON for the tool ${tool}.`,
        ),
        userMessage(taskText(task)),
      ]),
      schema: input,
      maxTokens,
      sampling: { temperature },
    }),
    program: ({ text }) => {
      const found = jsonIn(text).findLast(isJsonObject)
      return found === undefined ? undefined : [{ id: `${name}.program`, tool, input: found }]
    },
  }
}
