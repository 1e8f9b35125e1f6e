import { MOST_ANSWER_CHARACTERS } from 'echelon/internal/model'
import { isJson } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { ConversingEnd } from '../conversing.ts'
import {
  type AIContent,
  type ChatMessage,
  type ChatRole,
  textOfContents,
  type UsageDetails,
} from './content.ts'

/** Continues a waiting run, for any caller who also has the session. */
export interface ContinuationToken {
  readonly runId: string
}

/** A piece of a response, as it arrives. */
export interface AgentResponseUpdate {
  readonly role: ChatRole
  readonly authorName: string
  readonly contents: readonly AIContent[]
  /** The text of its contents. */
  readonly text: string
  /** The updates of one message share one id. */
  readonly messageId: string
  readonly agentId: string
  readonly responseId: string
  readonly createdAt: Date
  /** On the last update. */
  readonly finishReason?: string
  /** On the last update of a waiting run. */
  readonly continuationToken?: ContinuationToken
  /** `textDropped` on an update that retracts all text of its message. */
  readonly additionalProperties?: JsonObject
  /** On the last update of a run that ended. */
  readonly rawRepresentation?: ConversingEnd
}

/** The result of a run. */
export class AgentResponse {
  readonly messages: readonly ChatMessage[]
  readonly agentId: string
  /** The run's id. */
  readonly responseId: string
  readonly createdAt: Date
  /**
   * `stop`, `length`, `content_filter`; `tool_calls` while it waits for an approval or a reply;
   * otherwise why it ended without an answer, such as `budget:money`, with an `error` among the
   * contents.
   */
  readonly finishReason: string
  /** Usage of the whole run; undefined while it waits. */
  readonly usage: UsageDetails | undefined
  /** Only while it waits. */
  readonly continuationToken: ContinuationToken | undefined
  /** How the run ended; undefined while it waits. */
  readonly rawRepresentation: ConversingEnd | undefined
  /** `cost` in US dollars or `null`, `reason`, `detail`. */
  readonly additionalProperties: JsonObject
  readonly #updates: readonly AgentResponseUpdate[]

  /** @param updates at least one; the last states how it ended */
  constructor(updates: readonly AgentResponseUpdate[]) {
    const last = updates.at(-1)
    if (last === undefined) throw new Error('a response has at least one update')
    this.#updates = updates
    this.messages = messagesOf(updates)
    this.agentId = last.agentId
    this.responseId = last.responseId
    this.createdAt = last.createdAt
    this.finishReason = last.finishReason ?? 'stop'
    this.usage = updates
      .flatMap(({ contents }) => contents)
      .find((each) => each.type === 'usage')?.details
    this.continuationToken = last.continuationToken
    this.rawRepresentation = last.rawRepresentation
    this.additionalProperties = last.additionalProperties ?? {}
  }

  /** The text of all messages, joined. */
  get text(): string {
    return this.messages.map(({ contents }) => textOfContents(contents)).join('')
  }

  /** The last answer as JSON, for a run with a `responseFormat`; undefined if it is not valid JSON. */
  get result(): Json | undefined {
    const text = this.rawRepresentation?.text ?? ''
    if (text.length > MOST_ANSWER_CHARACTERS) return undefined
    try {
      const value: unknown = JSON.parse(text)
      return isJson(value) ? value : undefined
    } catch {
      return undefined
    }
  }

  /** Open requests: contents of type `toolApprovalRequest` and `userInputRequest`. */
  get requests(): readonly Extract<
    AIContent,
    { readonly requestId: string; readonly type: `${string}Request` }
  >[] {
    return this.messages.flatMap(({ contents }) =>
      contents.filter(
        (each) => each.type === 'toolApprovalRequest' || each.type === 'userInputRequest',
      ),
    )
  }

  /** The response as the updates of a streaming run. */
  toAgentResponseUpdates(): readonly AgentResponseUpdate[] {
    return this.#updates
  }
}

/** Messages in the order in which they started; adjacent texts are joined. */
function messagesOf(updates: readonly AgentResponseUpdate[]): readonly ChatMessage[] {
  const messages = new Map<
    string,
    { readonly first: AgentResponseUpdate; contents: readonly AIContent[] }
  >()
  for (const update of updates) {
    const contents = update.contents.filter(({ type }) => type !== 'usage')
    const known = messages.get(update.messageId)
    const before = known?.contents ?? []
    const kept = isDropped(update) ? before.filter(({ type }) => type !== 'text') : before
    const all = contents.reduce(joined, kept)
    if (known !== undefined) known.contents = all
    else if (all.length > 0) messages.set(update.messageId, { first: update, contents: all })
  }
  return [...messages.values()].flatMap(({ first: { role, authorName, messageId }, contents }) =>
    contents.length === 0 ? [] : { role, authorName, messageId, contents },
  )
}

const isDropped = ({ additionalProperties }: AgentResponseUpdate): boolean =>
  additionalProperties?.['textDropped'] === true

function joined(contents: readonly AIContent[], next: AIContent): readonly AIContent[] {
  const last = contents.at(-1)
  return next.type === 'text' && last?.type === 'text'
    ? [...contents.slice(0, -1), { type: 'text', text: last.text + next.text }]
    : [...contents, next]
}
