import type { AssistantContent, Message } from '../core/message/thread.ts'
import type { ToolCall, ToolOutcome } from '../core/tool/tool-call.ts'
import { isJson, type Json, type JsonObject } from '../core/value/json.ts'
import { jsonForm } from '../core/value/json-form.ts'
import type { Answer, Attempt, CallMade, Source, VerifiedTask, Wanted } from './answer.ts'

/** A model call, as far as a verifier sees it. */
export interface VerifiedCall {
  /** The conversation, oldest first, system messages included. */
  readonly messages: readonly Message[]
  /** Messages that were added around the conversation, such as retrieved documents. */
  readonly around?: readonly Message[]
  /** The tools that the model was offered. */
  readonly tools?: VerifiedTask['tools']
  /** JSON Schema that the answer was to match. */
  readonly schema?: JsonObject | undefined
  /** The kind of an answer in words. Default: JSON where there is a schema, else text. */
  readonly wanted?: Wanted | undefined
}

/** An answer of a model, as it was read. */
export interface GivenAnswer {
  readonly text: string
  readonly calls: readonly ToolCall[]
}

/**
 * An answer to a model call, as verifiers judge it. The question is the last message of the user; the tool
 * calls after it are those made for the answer. System messages, messages around the conversation, and
 * results of tools of earlier turns are sources.
 */
export function attemptOf(call: VerifiedCall, given: GivenAnswer): Attempt {
  const { messages, around = [], tools, schema, wanted } = call
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const before = messages.slice(0, Math.max(at, 0))
  const earlier = before.flatMap(toldIn)
  const sources = sourcesIn([...around, ...messages.filter(isSystem)], before)
  const answer = answerOf(given, schema)
  return {
    task: {
      question: at === -1 ? '' : textIn(messages[at]),
      wanted: wantedFor(answer, { schema, wanted }),
      ...(earlier.length > 0 && { earlier }),
      ...(tools !== undefined && tools.length > 0 && { tools }),
      ...(sources.length > 0 && { sources }),
    },
    answer,
    made: callsIn(messages.slice(at + 1)),
  }
}

function answerOf({ text, calls }: GivenAnswer, schema: JsonObject | undefined): Answer {
  if (calls.length > 0) return { type: 'calls', calls, ...(text !== '' && { text }) }
  const value = schema === undefined ? undefined : parsed(text)
  return value === undefined ? { type: 'text', text } : { type: 'json', value }
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

function wantedFor(
  answer: Answer,
  { schema, wanted }: Pick<VerifiedCall, 'schema' | 'wanted'>,
): Wanted {
  if (answer.type === 'calls') return { kind: 'calls' }
  return wanted ?? (schema === undefined ? { kind: 'text' } : { kind: 'json', schema })
}

const isSystem = ({ role }: Message): boolean => role === 'system'

function textIn(message: Message | undefined): string {
  if (message === undefined || message.role === 'tool') return ''
  if (typeof message.content === 'string') return message.content
  return message.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
}

function toldIn(message: Message): readonly string[] {
  const text = isSystem(message) ? '' : textIn(message)
  return text === '' ? [] : [text]
}

function sourcesIn(given: readonly Message[], earlier: readonly Message[]): readonly Source[] {
  return [
    ...given.flatMap((message): readonly Source[] => {
      const text = textIn(message)
      return text === '' ? [] : [{ name: isSystem(message) ? 'instructions' : 'context', text }]
    }),
    ...callsIn(earlier).flatMap(({ call, outcome }): readonly Source[] =>
      outcome.type === 'ok'
        ? [{ name: `result of ${call.tool}`, text: inWords(outcome.value) }]
        : [],
    ),
  ]
}

const inWords = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

// ---- tool calls of a conversation ----

/** The calls that have a result, in order; those that a provider executed included. */
function callsIn(messages: readonly Message[]): readonly CallMade[] {
  const calls = new Map<string, ToolCall>()
  const made: CallMade[] = []
  for (const message of messages) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, toCall(part))
      if (part.type !== 'tool-result') continue
      const { toolCallId: id, toolName: tool } = part
      const call = calls.get(id) ?? { id, tool, input: null }
      made.push({ call, outcome: outcomeOf(part.output) })
    }
  }
  return made
}

type CallPart = Extract<AssistantContent[number], { type: 'tool-call' }>
type ResultPart = Extract<AssistantContent[number], { type: 'tool-result' }>

const toCall = ({ toolCallId: id, toolName: tool, input }: CallPart): ToolCall => ({
  id,
  tool,
  input: jsonForm(input),
})

function outcomeOf(output: ResultPart['output']): ToolOutcome {
  switch (output.type) {
    case 'text':
      return { type: 'ok', value: output.value }
    case 'json':
      return { type: 'ok', value: jsonForm(output.value) }
    case 'content':
      return {
        type: 'ok',
        value: output.value.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n'),
      }
    case 'error-text':
      return { type: 'error', code: 'TOOL_ERROR', message: output.value }
    case 'error-json':
      return { type: 'error', code: 'TOOL_ERROR', message: JSON.stringify(output.value) }
    case 'execution-denied':
      return { type: 'denied', reason: output.reason ?? 'it was not allowed' }
  }
}
