import type { RunEvent, Json, JsonObject } from 'echelon/runtime'
import { EchelonError, isJsonObject } from 'echelon/internal/value'
import { isApproval } from 'echelon/internal/agent'
import type { ToolOutcome } from 'echelon/internal/tool'
import { type ConversingEnd, type ConversingRun, outcomeOf } from '../conversing.ts'
import { type AIContent, type ChatRole, textOfContents } from './content.ts'
import type { AgentResponseUpdate } from './response.ts'

/** Fields that all updates of a run share. */
export interface TurnParts {
  readonly agentId: string
  readonly authorName: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>
type Replies = ReadonlyMap<string, Json>

/**
 * Turns a run into updates. It can span several responses: one ends where the run asks, the next begins
 * with the replies.
 */
export class AIAgentTurn {
  readonly run: ConversingRun
  readonly #parts: TurnParts
  readonly #events: AsyncIterator<RunEvent, void>
  /** The open request, already reported. */
  #waitsFor: EventOf<'request-open'> | undefined
  #isOver = false
  #isRead = false
  #hasText = false

  constructor(run: ConversingRun, parts: TurnParts) {
    this.run = run
    this.#parts = parts
    this.#events = run[Symbol.asyncIterator]()
    // A reader of the events sees the failure there; the outcome may then have no other consumer.
    void outcomeOf(run).catch(() => undefined)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The request it waits for; undefined for a run that works or has ended. */
  get waitsFor(): string | undefined {
    return this.#waitsFor?.request
  }

  /**
   * Yields until the run ends, or asks something without a reply.
   * @param signal cancels the run, as does a reader that stops early
   * @throws EchelonError SESSION_BUSY while another reader is active
   */
  async *updates(
    replies: Replies,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<AgentResponseUpdate, void> {
    if (this.#isRead) throw alreadyRunning(this.run.id)
    this.#isRead = true
    const cancel = (): void => this.run.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted === true) cancel()
    let isDone = false
    try {
      const open = this.#waitsFor
      if (open !== undefined && !this.#deliverReply(open, replies)) {
        yield this.#requestUpdate(open)
        return
      }
      for (
        let next = await this.#events.next();
        next.done !== true;
        next = await this.#events.next()
      ) {
        const event = next.value
        if (event.type !== 'request-open') yield* this.#updatesOf(event)
        else if (!this.#deliverReply(event, replies)) {
          yield this.#requestUpdate(event)
          return
        }
      }
      const end = await outcomeOf(this.run)
      isDone = true
      if (end.status === 'canceled') signal?.throwIfAborted()
      // The run ended in another process, or the agent emits no text events.
      if (!this.#hasText && end.text !== '')
        yield this.#update('assistant', 'answer', [{ type: 'text', text: end.text }])
      yield this.#endUpdate(end)
    } finally {
      this.#isRead = false
      signal?.removeEventListener('abort', cancel)
      // A waiting run keeps waiting, even after an invalid reply.
      if (this.#waitsFor === undefined) {
        this.#isOver = true
        if (!isDone) cancel()
      }
    }
  }

  #deliverReply(open: EventOf<'request-open'>, replies: Replies): boolean {
    const reply = replies.get(open.request)
    this.#waitsFor = open
    if (reply === undefined) return false
    // An invalid reply throws, and the run keeps waiting.
    this.run.respond(
      open.request,
      isApproval(open.about) ? choice(reply, open.about.choices) : reply,
    )
    this.#waitsFor = undefined
    return true
  }

  *#updatesOf(event: RunEvent): Generator<AgentResponseUpdate, void> {
    if (!('path' in event) || event.path !== '') return
    const { run } = this
    if (event.type === 'text-delta') {
      this.#hasText = true
      yield this.#update('assistant', `${event.seq}`, [{ type: 'text', text: event.delta }])
    } else if (event.type === 'said') {
      this.#hasText = true
      yield this.#update('assistant', `${event.seq}`, [{ type: 'text', text: event.text }])
    } else if (event.type === 'text-drop') {
      const update = this.#update('assistant', `${event.seq}`, [])
      yield { ...update, additionalProperties: { textDropped: true } }
    } else if (event.type === 'tool-start') {
      const { id: callId, tool: name, input } = event.call
      yield this.#update('assistant', `${event.seq}`, [
        { type: 'functionCall', callId: `${run.id}:${callId}`, name, arguments: input },
      ])
    } else if (event.type === 'tool-end') {
      const { id: callId, tool: name } = event.call
      yield this.#update('tool', `${event.seq}:results`, [
        { type: 'functionResult', callId: `${run.id}:${callId}`, name, ...resultOf(event.outcome) },
      ])
    }
  }

  #requestUpdate({ path, seq, request, about }: EventOf<'request-open'>): AgentResponseUpdate {
    const content = requestOf(request, about, `${this.run.id}:${path}`)
    return {
      ...this.#update('assistant', `${path}${seq}:requests`, [content]),
      finishReason: 'tool_calls',
      continuationToken: { runId: this.run.id },
    }
  }

  #endUpdate(end: ConversingEnd): AgentResponseUpdate {
    const { reason, detail, usage, cost } = end
    const { input: inputTokenCount, output: outputTokenCount } = usage
    const totalTokenCount = inputTokenCount + outputTokenCount
    const finishReason = FINISH.get(reason)
    const contents: readonly AIContent[] = [
      ...(finishReason === undefined
        ? [{ type: 'error' as const, message: detail ?? reason, errorCode: reason }]
        : []),
      { type: 'usage', details: { inputTokenCount, outputTokenCount, totalTokenCount } },
    ]
    return {
      ...this.#update('assistant', 'end', contents),
      finishReason: finishReason ?? reason,
      additionalProperties: { cost, reason, detail },
      rawRepresentation: end,
    }
  }

  #update(role: ChatRole, message: string, contents: readonly AIContent[]): AgentResponseUpdate {
    const { agentId, authorName, now } = this.#parts
    const { id: responseId } = this.run
    return {
      role,
      authorName,
      contents,
      text: textOfContents(contents),
      messageId: `${responseId}:${message}`,
      agentId,
      responseId,
      createdAt: new Date(now()),
    }
  }
}

export const alreadyRunning = (run: string): EchelonError =>
  new EchelonError('SESSION_BUSY', `the run ${run} is already in progress; await its response`)

const FINISH: ReadonlyMap<string, string> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['filter', 'content_filter'],
])

/** Without a permanent choice, a permanent answer applies to this call only. */
const choice = (reply: Json, choices: readonly string[]): Json =>
  reply === 'always' && !choices.includes('always') ? 'once' : reply

function requestOf(requestId: string, about: Json, ids: string): AIContent {
  if (isApproval(about)) {
    const { tool: name, call, input, why: reason, choices } = about
    const toolCall = {
      type: 'functionCall',
      callId: `${ids}${call}`,
      name,
      arguments: input,
    } as const
    return {
      type: 'toolApprovalRequest',
      requestId,
      toolCall,
      reason,
      mayRemember: choices.includes('always'),
    }
  }
  const fields: JsonObject = isJsonObject(about) ? about : {}
  const { question, schema } = fields
  return {
    type: 'userInputRequest',
    requestId,
    question: typeof question === 'string' ? question : JSON.stringify(about),
    schema: isJsonObject(schema) ? schema : null,
  }
}

function resultOf(outcome: ToolOutcome): { readonly result: Json; readonly exception?: string } {
  switch (outcome.type) {
    case 'ok':
      return { result: outcome.value }
    case 'denied':
      return { result: null, exception: outcome.reason }
    case 'refused':
      return { result: null, exception: `the limit of ${outcome.limit} is used up` }
    case 'error':
    case 'unknown':
      return { result: null, exception: outcome.message }
  }
}
