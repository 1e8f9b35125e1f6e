import type { RunEvent } from 'echelon/runtime'
import { EchelonError } from 'echelon/internal/value'
import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { isApproval } from 'echelon/internal/agent'
import type { ToolOutcome } from 'echelon/internal/tool'
import { type ConversingEnd, type ConversingRun, outcomeOf } from '../conversing.ts'
import { type AIContent, type ChatRole, textOfContents } from './content.ts'
import type { AgentResponseUpdate } from './response.ts'

/** What all updates of a run have in common. */
export interface TurnParts {
  readonly agentId: string
  readonly authorName: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>
type Replies = ReadonlyMap<string, Json>

/** A run as updates. It may take several responses: one ends where it asks, the next begins with replies. */
export class AIAgentTurn {
  readonly run: ConversingRun
  readonly #parts: TurnParts
  readonly #events: AsyncIterator<RunEvent, void>
  /** What it asks, and has been told of. */
  #waitsFor: EventOf<'request-open'> | undefined
  #isOver = false
  #isRead = false
  #hasSaid = false

  constructor(run: ConversingRun, parts: TurnParts) {
    this.run = run
    this.#parts = parts
    this.#events = run[Symbol.asyncIterator]()
    // Whoever reads its events hears of a failure there, and its outcome is then asked by nobody.
    void outcomeOf(run).catch(() => undefined)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The request that it waits for; nothing of one that works or is over. */
  get waitsFor(): string | undefined {
    return this.#waitsFor?.request
  }

  /**
   * Until the run ends, or asks what no reply is there for.
   * @param signal cancels the run; so does whoever stops reading before that
   * @throws EchelonError SESSION_BUSY while somebody else reads them
   */
  async *updates(
    replies: Replies,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<AgentResponseUpdate, void> {
    if (this.#isRead) throw beingRead(this.run.id)
    this.#isRead = true
    const cancel = (): void => this.run.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted === true) cancel()
    let isDone = false
    try {
      const asked = this.#waitsFor
      if (asked !== undefined && !this.#replied(asked, replies)) {
        yield this.#asking(asked)
        return
      }
      for (
        let next = await this.#events.next();
        next.done !== true;
        next = await this.#events.next()
      ) {
        const event = next.value
        if (event.type !== 'request-open') yield* this.#told(event)
        else if (!this.#replied(event, replies)) {
          yield this.#asking(event)
          return
        }
      }
      const end = await outcomeOf(this.run)
      isDone = true
      if (end.status === 'canceled') signal?.throwIfAborted()
      // One that ended in another process, or an agent that shows nothing on its way.
      if (!this.#hasSaid && end.text !== '')
        yield this.#update('assistant', 'answer', [{ type: 'text', text: end.text }])
      yield this.#ended(end)
    } finally {
      this.#isRead = false
      signal?.removeEventListener('abort', cancel)
      // One that waits goes on waiting, also where a reply could not be one.
      if (this.#waitsFor === undefined) {
        this.#isOver = true
        if (!isDone) cancel()
      }
    }
  }

  #replied(asked: EventOf<'request-open'>, replies: Replies): boolean {
    const reply = replies.get(asked.request)
    this.#waitsFor = asked
    if (reply === undefined) return false
    // A reply that cannot be one is thrown, and the run waits on.
    this.run.respond(
      asked.request,
      isApproval(asked.about) ? choice(reply, asked.about.choices) : reply,
    )
    this.#waitsFor = undefined
    return true
  }

  *#told(event: RunEvent): Generator<AgentResponseUpdate, void> {
    if (!('path' in event) || event.path !== '') return
    const { run } = this
    if (event.type === 'text-delta') {
      this.#hasSaid = true
      yield this.#update('assistant', `${event.seq}`, [{ type: 'text', text: event.delta }])
    } else if (event.type === 'said') {
      this.#hasSaid = true
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

  #asking({ path, seq, request, about }: EventOf<'request-open'>): AgentResponseUpdate {
    const content = requestOf(request, about, `${this.run.id}:${path}`)
    return {
      ...this.#update('assistant', `${path}${seq}:requests`, [content]),
      finishReason: 'tool_calls',
      continuationToken: { runId: this.run.id },
    }
  }

  #ended(end: ConversingEnd): AgentResponseUpdate {
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

export const beingRead = (run: string): EchelonError =>
  new EchelonError('SESSION_BUSY', `the run ${run} is under way already; await its response`)

const FINISH: ReadonlyMap<string, string> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['filter', 'content_filter'],
])

/** Where nothing remembers an answer, one that was to hold for good holds for this call. */
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
  const asked: JsonObject = isJsonObject(about) ? about : {}
  const { question, schema } = asked
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
