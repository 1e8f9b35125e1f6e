import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { isRecord } from 'echelon/internal/value'
import { promptText, readPrompt } from '../prompt.ts'
import type { PlanRequest } from '../plan.ts'
import { withoutBackground } from './quoted.ts'

/** The outcome of a tool call in this turn. */
export interface Result {
  readonly tool: string
  /** The fields of its result; undefined if it failed. */
  readonly value: Readonly<Record<string, unknown>> | undefined
  /** The problem, as the end of a sentence. */
  readonly problem: string
}

/** A conversation's turn so far. */
export interface ChatTurn extends PlanRequest {
  /** The tools' results since the user's last message, in order. */
  readonly results: readonly Result[]
  /** A call id that the conversation has not used. */
  readonly nextCall: string
}

/**
 * Whether a call is part of a conversation: its tools are functions, or it neither asks for JSON nor holds a
 * planner's list of tools or fenced task.
 */
export function isChat({
  prompt,
  tools = [],
  responseFormat,
}: LanguageModelV4CallOptions): boolean {
  if (responseFormat?.type === 'json') return false
  if (tools.length > 0) return true
  // A document may contain text that looks like a planner's.
  const messages = prompt.map(withoutBackground)
  return readPrompt(messages).tools.size === 0 && !/^"""\s*$/m.test(promptText(messages))
}

/** The user's last message, and the results so far. */
export function readTurn({ prompt, tools = [], toolChoice }: LanguageModelV4CallOptions): ChatTurn {
  const messages = prompt.map(withoutBackground)
  const start = messages.findLastIndex(({ role, content }) => role === 'user' && content.length > 0)
  const isBarred = toolChoice?.type === 'none'
  return {
    question: promptText(messages.slice(start, start + 1)).trim(),
    today: null,
    tools: new Set(isBarred ? [] : tools.map(({ name }) => name)),
    results: prompt.slice(start + 1).flatMap(resultsOf),
    nextCall: freeName(prompt),
  }
}

function resultsOf(message: LanguageModelV4Prompt[number]): readonly Result[] {
  if (message.role !== 'tool') return []
  return message.content.flatMap((part) =>
    part.type === 'tool-result' ? [resultOf(part.toolName, part.output)] : [],
  )
}

function resultOf(tool: string, output: LanguageModelV4ToolResultOutput): Result {
  switch (output.type) {
    case 'json':
      return isRecord(output.value)
        ? { tool, value: output.value, problem: '' }
        : failed(tool, 'I cannot read its result')
    case 'text':
    case 'content':
      return failed(tool, 'I cannot read its result')
    case 'error-text':
      // The code before the message is for programs.
      return failed(tool, output.value.replace(/^[A-Z_]+: /, ''))
    case 'error-json':
      return failed(tool, JSON.stringify(output.value))
    case 'execution-denied':
      return {
        tool,
        value: undefined,
        problem: `was not run: ${output.reason ?? 'it was not allowed'}`,
      }
  }
}

const failed = (tool: string, problem: string): Result => ({
  tool,
  value: undefined,
  problem: `failed: ${problem}`,
})

function freeName(prompt: LanguageModelV4Prompt): string {
  const taken = new Set<string>()
  for (const { role, content } of prompt) {
    if (role !== 'assistant') continue
    for (const part of content) if (part.type === 'tool-call') taken.add(part.toolCallId)
  }
  let number = taken.size + 1
  while (taken.has(`offline-${number}`)) number++
  return `offline-${number}`
}
