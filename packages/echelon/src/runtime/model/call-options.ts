import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { Sampling } from '../../core/agent/effect.ts'
import { joined } from '../../core/message/background.ts'
import type { Message } from '../../core/message/thread.ts'
import type { Deadline } from './deadline.ts'
import type { Attempting } from './attempting.ts'
import { toJsonSchema7 } from '../tools/offered-tools.ts'

/** Builds the options of a model call. */
export class CallOptions implements LanguageModelV4CallOptions {
  readonly prompt: LanguageModelV4Prompt
  readonly maxOutputTokens: number
  readonly abortSignal: AbortSignal
  // Assigned later, so that unset fields are absent.
  declare responseFormat?: NonNullable<LanguageModelV4CallOptions['responseFormat']>
  declare tools?: LanguageModelV4FunctionTool[]
  declare providerOptions?: SharedV4ProviderOptions
  declare headers?: Record<string, string>

  constructor(call: Attempting, maxTokens: number, deadline: Deadline) {
    const { asked, tools } = call
    const kept = storedConversation(call)
    this.prompt = promptOf(call, kept?.from ?? 0)
    this.maxOutputTokens = maxTokens
    this.abortSignal = deadline.signal
    if (tools.functions.length > 0) this.tools = tools.functions
    if (asked.sampling !== undefined) Object.assign(this, samplingOptions(asked.sampling))
    if (kept !== undefined) this.providerOptions = kept.options
    if (call.span?.headers !== undefined) this.headers = { ...call.span.headers }
    if (asked.schema !== undefined) {
      this.responseFormat = { type: 'json', name: 'answer', schema: toJsonSchema7(asked.schema) }
    }
  }
}

interface Kept {
  readonly from: number
  readonly options: SharedV4ProviderOptions
}

/** Continues a conversation that this model's provider keeps: only later messages are sent. */
function storedConversation({ asked, model }: Attempting): Kept | undefined {
  const { continues } = asked
  if (continues === undefined || continues.model !== model.id) return undefined
  const { conversation } = model
  if (conversation === undefined) return undefined
  return { from: continues.from, options: conversation.options(continues.id) }
}

/** The conversation's own array if nothing is added, without copying. */
function promptOf({ thread, head, tail }: Attempting, from: number): LanguageModelV4Prompt {
  const added = (head?.length ?? 0) + (tail?.length ?? 0)
  if (added === 0 && from === 0) return thread.toArray()
  const messages = from === 0 ? thread.toArray() : newOf(thread.toArray(), from)
  return [...(head ?? []), ...joined(messages, tail ?? [])]
}

/** Instructions are sent each time: providers do not keep them. */
const newOf = (messages: readonly Message[], from: number): readonly Message[] =>
  messages.filter(({ role }, index) => index >= from || role === 'system')

function samplingOptions(sampling: Sampling): Partial<LanguageModelV4CallOptions> {
  const { stop, ...others } = sampling
  return stop === undefined ? others : { ...others, stopSequences: [...stop] }
}
