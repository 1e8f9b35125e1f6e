import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { RequestOptions } from 'echelon/chat'
import type { Sampling } from 'echelon/internal/agent'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { AssistantContent } from 'echelon/internal/message'
import type { Message } from 'echelon/runtime'

type UserMessage = Extract<Message, { readonly role: 'user' }>

/** A model call, converted to a turn of an agent. */
export interface RequestedTurn {
  readonly messages: readonly Message[]
  /** Replies to the agent's earlier requests, by request id. */
  readonly replies: ReadonlyMap<string, boolean>
  /** User messages sent along with the replies. */
  readonly alongside: readonly UserMessage[]
  /**
   * Applies the caller's settings to each model call of the agent; settings it leaves out keep the
   * agent's values.
   */
  readonly configure: (options: RequestOptions) => RequestOptions
  readonly warnings: SharedV4Warning[]
}

export function requestedTurn(options: LanguageModelV4CallOptions): RequestedTurn {
  const { prompt, maxOutputTokens: maxTokens } = options
  const sampling = samplingOf(options)
  const schema = schemaOf(options)
  const latest = prompt.slice(prompt.findLastIndex(({ role }) => role === 'assistant') + 1)
  return {
    messages: prompt.flatMap(withoutAgentCalls),
    replies: repliesIn(latest),
    alongside: latest.filter((message) => message.role === 'user'),
    configure: (defaults) => ({
      ...defaults,
      ...(sampling !== undefined && { sampling: { ...defaults.sampling, ...sampling } }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(schema !== undefined && { schema }),
    }),
    warnings: warningsOf(options),
  }
}

/** Removes the agent's own tool calls: its model must not see them as calls of this conversation. */
function withoutAgentCalls(message: Message): readonly Message[] {
  if (message.role === 'assistant') {
    const content = callerContent(message.content)
    return content.length === 0 ? [] : [{ ...message, content }]
  }
  if (message.role !== 'tool') return [message]
  const content = message.content.filter((part) => part.type === 'tool-result' && !isDenied(part))
  return content.length === 0 ? [] : [{ ...message, content }]
}

/** The SDK adds its own result to a denied call, next to the denial. */
const isDenied = (part: { readonly output: { readonly type: string } }): boolean =>
  part.output.type === 'execution-denied'

function callerContent(content: AssistantContent): AssistantContent {
  const agentCalls = new Set(
    content.flatMap((part) =>
      part.type === 'tool-call' && part.providerExecuted === true ? part.toolCallId : [],
    ),
  )
  return content.filter(
    (part) =>
      (part.type !== 'tool-call' && part.type !== 'tool-result') ||
      !agentCalls.has(part.toolCallId),
  )
}

function repliesIn(latest: readonly Message[]): ReadonlyMap<string, boolean> {
  const replies = new Map<string, boolean>()
  for (const { role, content } of latest) {
    if (role !== 'tool') continue
    for (const part of content) {
      if (part.type === 'tool-approval-response') replies.set(part.approvalId, part.approved)
    }
  }
  return replies
}

function samplingOf(options: LanguageModelV4CallOptions): Sampling | undefined {
  const {
    temperature,
    topP,
    frequencyPenalty,
    presencePenalty,
    stopSequences: stop,
    seed,
  } = options
  const sampling: Sampling = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(stop !== undefined && { stop }),
    ...(seed !== undefined && { seed }),
  }
  return Object.keys(sampling).length === 0 ? undefined : sampling
}

function schemaOf({ responseFormat }: LanguageModelV4CallOptions): RequestOptions['schema'] {
  const schema: unknown = responseFormat?.type === 'json' ? responseFormat.schema : undefined
  return isJson(schema) && isJsonObject(schema) ? schema : undefined
}

function warningsOf(options: LanguageModelV4CallOptions): SharedV4Warning[] {
  const { tools = [], toolChoice, topK, reasoning, headers, providerOptions } = options
  const { responseFormat } = options
  const unsupported = (feature: string, details: string): SharedV4Warning[] => [
    { type: 'unsupported', feature, details },
  ]
  return [
    ...(tools.length > 0
      ? unsupported('tools', 'the agent calls only its own tools; add these to the agent')
      : []),
    ...(toolChoice !== undefined && toolChoice.type !== 'auto'
      ? unsupported('toolChoice', 'the agent chooses its own tool calls')
      : []),
    ...(topK === undefined ? [] : unsupported('topK', NOT_TAKEN)),
    ...(reasoning === undefined || reasoning === 'provider-default'
      ? []
      : unsupported('reasoning', NOT_TAKEN)),
    ...(headers !== undefined && Object.keys(headers).some((name) => name !== 'user-agent')
      ? unsupported('headers', 'the agent makes its own requests; set headers on its provider')
      : []),
    ...(providerOptions === undefined || Object.keys(providerOptions).length === 0
      ? []
      : unsupported(
          'providerOptions',
          'the agent makes its own requests; set the options on the agent',
        )),
    ...(responseFormat?.type === 'json' && schemaOf(options) === undefined
      ? unsupported('responseFormat', 'JSON without a schema; add a schema')
      : []),
  ]
}

const NOT_TAKEN = 'an agent does not take this setting per call; set it on its model'
