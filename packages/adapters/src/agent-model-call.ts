import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { RequestOptions } from 'echelon/chat'
import type { Sampling } from 'echelon/internal/agent'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { AssistantContent } from 'echelon/internal/message'
import type { Message } from 'echelon/runtime'

type UserMessage = Extract<Message, { readonly role: 'user' }>

/** A call of a model, as a turn of an agent. */
export interface AskedTurn {
  readonly messages: readonly Message[]
  /** Replies to what the agent asked in an earlier call, by request. */
  readonly replies: ReadonlyMap<string, boolean>
  /** What the user says beside the replies. */
  readonly beside: readonly UserMessage[]
  /** What the caller sets holds for each model call of the agent; what it does not set is the agent's. */
  readonly configure: (options: RequestOptions) => RequestOptions
  readonly warnings: SharedV4Warning[]
}

export function askedTurn(options: LanguageModelV4CallOptions): AskedTurn {
  const { prompt, maxOutputTokens: maxTokens } = options
  const sampling = samplingOf(options)
  const schema = schemaOf(options)
  const asked = prompt.slice(prompt.findLastIndex(({ role }) => role === 'assistant') + 1)
  return {
    messages: prompt.flatMap(withoutOurs),
    replies: repliesIn(asked),
    beside: asked.filter((message) => message.role === 'user'),
    configure: (own) => ({
      ...own,
      ...(sampling !== undefined && { sampling: { ...own.sampling, ...sampling } }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(schema !== undefined && { schema }),
    }),
    warnings: warningsOf(options),
  }
}

/** What the agent called itself is its own affair: to its model these are no calls of this conversation. */
function withoutOurs(message: Message): readonly Message[] {
  if (message.role === 'assistant') {
    const content = kept(message.content)
    return content.length === 0 ? [] : [{ ...message, content }]
  }
  if (message.role !== 'tool') return [message]
  const content = message.content.filter((part) => part.type === 'tool-result' && !isDenied(part))
  return content.length === 0 ? [] : [{ ...message, content }]
}

/** The SDK answers a denied call itself, beside the denial. */
const isDenied = (part: { readonly output: { readonly type: string } }): boolean =>
  part.output.type === 'execution-denied'

function kept(content: AssistantContent): AssistantContent {
  const ours = new Set(
    content.flatMap((part) =>
      part.type === 'tool-call' && part.providerExecuted === true ? part.toolCallId : [],
    ),
  )
  return content.filter(
    (part) =>
      (part.type !== 'tool-call' && part.type !== 'tool-result') || !ours.has(part.toolCallId),
  )
}

function repliesIn(asked: readonly Message[]): ReadonlyMap<string, boolean> {
  const replies = new Map<string, boolean>()
  for (const { role, content } of asked) {
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
      ? unsupported('tools', 'the agent calls its own tools; give it these')
      : []),
    ...(toolChoice !== undefined && toolChoice.type !== 'auto'
      ? unsupported('toolChoice', 'the agent decides itself which of its tools it calls')
      : []),
    ...(topK === undefined ? [] : unsupported('topK', NOT_TAKEN)),
    ...(reasoning === undefined || reasoning === 'provider-default'
      ? []
      : unsupported('reasoning', NOT_TAKEN)),
    ...(headers !== undefined && Object.keys(headers).some((name) => name !== 'user-agent')
      ? unsupported('headers', 'the agent makes its own requests; give its provider headers')
      : []),
    ...(providerOptions === undefined || Object.keys(providerOptions).length === 0
      ? []
      : unsupported('providerOptions', 'the agent makes its own requests; set it up with them')),
    ...(responseFormat?.type === 'json' && schemaOf(options) === undefined
      ? unsupported('responseFormat', 'JSON without a schema; give one')
      : []),
  ]
}

const NOT_TAKEN = 'an agent has no such setting for one call; set it on its model'
