import {
  APICallError,
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { EchelonError, isRecord } from 'echelon/internal/value'
import type { RunEvent, Json, JsonObject } from 'echelon/runtime'
import { isApproval } from 'echelon/internal/agent'
import { PROBLEMS, reportedUsage } from 'echelon/internal/model'
import type { ToolCall, ToolOutcome } from 'echelon/internal/tool'
import { type ConversingEnd, type ConversingRun, outcomeOf } from './conversing.ts'

type Part = LanguageModelV4StreamPart
type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>

export interface ExchangeOptions {
  /** Whether the agent's own tool calls appear in the stream. */
  readonly showsTools: boolean
  /** Answers the agent's requests; undefined to ask the caller of the model. */
  readonly answer: ((about: JsonObject) => Json | Promise<Json>) | undefined
}

/**
 * Turns a run into the stream parts of a model. It can span several calls: a call ends where the agent
 * asks for approval, and the next one resumes with the reply.
 */
export class AgentExchange {
  readonly run: ConversingRun
  readonly #options: ExchangeOptions
  readonly #events: AsyncIterator<RunEvent, void>
  readonly #shown = new Set<string>()
  #isWhole = false
  /** Id of the open text block and the text held back from it. */
  #text: string | undefined
  #buffered = ''
  #waitsFor: string | undefined
  #hasText = false

  constructor(run: ConversingRun, options: ExchangeOptions) {
    this.run = run
    this.#options = options
    this.#events = run[Symbol.asyncIterator]()
    // A reader of the events sees the failure there; the outcome may then have no other consumer.
    void outcomeOf(run).catch(() => undefined)
  }

  /** The request it waits for between two calls. */
  get waitsFor(): string | undefined {
    return this.#waitsFor
  }

  /**
   * Passes on the approval and what the user says along with it.
   * @throws EchelonError INVALID_INPUT if the agent accepts no messages now; the run keeps waiting
   */
  reply(isApproved: boolean, message: string): void {
    const { run } = this
    if (message !== '' && run.hear === undefined) throw acceptsNoMessages()
    if (message !== '') run.hear?.(message)
    const request = this.#waitsFor
    this.#waitsFor = undefined
    if (request !== undefined) run.respond(request, isApproved ? 'once' : 'deny')
  }

  /**
   * Yields until the run ends or asks. If the reader stops early or aborts, the run is canceled.
   * @param isWhole whether to emit only the last answer and not the text before it, because a caller
   * can parse only that answer
   */
  async *parts(signal: AbortSignal | undefined, isWhole: boolean): AsyncGenerator<Part, void> {
    const { run } = this
    this.#isWhole = isWhole
    // A result must be in one response with its call, even if the call was already shown for approval.
    this.#shown.clear()
    const cancel = (): void => run.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted === true) cancel()
    let isDone = false
    try {
      for (
        let next = await this.#events.next();
        next.done !== true;
        next = await this.#events.next()
      ) {
        yield* this.#partsOf(next.value)
        if (this.#waitsFor !== undefined) {
          isDone = true
          yield {
            type: 'finish',
            usage: UNKNOWN_USAGE,
            finishReason: ASKS,
            providerMetadata: { echelon: { runId: run.id } },
          }
          return
        }
      }
      const end = await outcomeOf(run)
      isDone = true
      if (end.status === 'canceled') signal?.throwIfAborted()
      // An agent that emits no text events delivers its answer at the end.
      if (!this.#hasText) yield* this.#emitText('answer', end.text)
      yield* this.#closeText()
      yield* endParts(run.id, end)
    } finally {
      signal?.removeEventListener('abort', cancel)
      if (!isDone) cancel()
    }
  }

  async *#partsOf(event: RunEvent): AsyncGenerator<Part, void> {
    switch (event.type) {
      case 'text-delta':
        if (event.path === '') yield* this.#emitText(String(event.seq), event.delta)
        break
      case 'said':
        if (event.path === '') yield* this.#emitText(`said-${event.seq}`, event.text)
        break
      case 'text-drop':
        if (event.path === '') this.#dropText()
        break
      case 'step-end':
        if (event.path === '' && !this.#isWhole) yield* this.#closeText()
        break
      case 'tool-start':
        if (event.path === '') yield* this.#showCall(event.path, event.call)
        break
      case 'tool-end':
        if (event.path === '' && this.#options.showsTools) yield* this.#showResult(event)
        break
      case 'request-open':
        yield* this.#handleRequest(event)
        break
      case 'run-start':
      case 'step-start':
      case 'output-partial':
      case 'note':
      case 'retry-wait':
      case 'model-warning':
      case 'tool-progress':
      case 'request-close':
      case 'model-switch':
      case 'middleware':
      case 'schema-changed':
      case 'log':
      case 'run-suspended':
      case 'run-end':
        break
    }
  }

  *#emitText(id: string, delta: string): Generator<Part, void> {
    if (delta === '') return
    this.#hasText = true
    if (this.#text !== id) {
      if (this.#isWhole) this.#buffered = ''
      else yield* this.#closeText()
      this.#text = id
      if (!this.#isWhole) yield { type: 'text-start', id }
    }
    if (this.#isWhole) this.#buffered += delta
    else yield { type: 'text-delta', id, delta }
  }

  *#closeText(): Generator<Part, void> {
    const delta = this.#buffered
    const id = this.#text
    this.#text = undefined
    this.#buffered = ''
    if (id === undefined) return
    if (this.#isWhole) {
      yield { type: 'text-start', id }
      yield { type: 'text-delta', id, delta }
    }
    yield { type: 'text-end', id }
  }

  #dropText(): void {
    if (this.#text === undefined) return
    if (!this.#isWhole) throw brokenStream()
    this.#text = undefined
    this.#buffered = ''
  }

  *#showCall(path: string, { id, tool, input }: ToolCall, always = false): Generator<Part, void> {
    const toolCallId = this.#callId(path, id)
    if ((!this.#options.showsTools && !always) || this.#shown.has(toolCallId)) return
    this.#shown.add(toolCallId)
    yield {
      type: 'tool-call',
      toolCallId,
      toolName: tool,
      input: JSON.stringify(input),
      providerExecuted: true,
      dynamic: true,
    }
  }

  /** Emits the call as well if it started in the previous model call. */
  *#showResult({ path, call, outcome }: EventOf<'tool-end'>): Generator<Part, void> {
    yield* this.#showCall(path, call)
    const { result, isError } = resultOf(outcome)
    const toolCallId = this.#callId(path, call.id)
    yield { type: 'tool-result', toolCallId, toolName: call.tool, result, isError, dynamic: true }
  }

  /** Qualified, because model call ids are unique per conversation only, and a run can contain several. */
  #callId = (path: string, call: string): string => `${this.run.id}:${path}${call}`

  async *#handleRequest({
    path,
    request,
    about,
  }: EventOf<'request-open'>): AsyncGenerator<Part, void> {
    const { answer } = this.#options
    if (answer !== undefined) {
      this.run.respond(request, await answer(isRecord(about) ? about : {}))
      return
    }
    if (!isApproval(about))
      throw new Error(
        `the agent asks a question, but no answer function is set: ${JSON.stringify(about)}; pass one to asLanguageModel`,
      )
    const { tool, input, call: id } = about
    yield* this.#closeText()
    yield* this.#showCall(path, { id, tool, input }, true)
    yield { type: 'tool-approval-request', approvalId: request, toolCallId: this.#callId(path, id) }
    this.#waitsFor = request
  }
}

const ASKS: LanguageModelV4FinishReason = { unified: 'tool-calls', raw: 'approval' }

/** For responses without a total: the run reports its own at the end. */
export const UNKNOWN_USAGE: LanguageModelV4Usage = reportedUsage(undefined, undefined)

function* endParts(runId: string, end: ConversingEnd): Generator<Part, void> {
  const { reason, detail, usage, cost, text } = end
  const finish = FINISH.get(reason)
  const isFailure = Object.hasOwn(PROBLEMS, reason) || (finish === undefined && text === '')
  if (isFailure) yield { type: 'error', error: failure(end) }
  yield {
    type: 'finish',
    usage: reportedUsage(usage.input, usage.output),
    finishReason: { unified: isFailure ? 'error' : (finish ?? 'other'), raw: reason },
    providerMetadata: { echelon: { runId, reason, detail, cost } },
  }
}

const FINISH: ReadonlyMap<string, LanguageModelV4FinishReason['unified']> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['filter', 'content-filter'],
])

/** Not retryable for the SDK: the runtime has already used its retries. */
const failure = ({ reason, detail }: ConversingEnd): APICallError =>
  new APICallError({
    message: `the agent ended with ${reason}: ${detail ?? 'without an answer'}`,
    url: 'echelon:agent',
    requestBodyValues: {},
    isRetryable: false,
    data: { reason, detail },
  })

const acceptsNoMessages = (): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    'the agent accepts no messages while it waits for an approval; send only the response, and the message in the next call',
  )

const brokenStream = (): Error =>
  new Error(
    'the answer failed after part of it was streamed, and a stream cannot retract it; ask again',
  )

function resultOf(outcome: ToolOutcome): {
  readonly result: NonNullable<JsonObject[string]>
  readonly isError: boolean
} {
  if (outcome.type === 'ok') return { result: outcome.value ?? 'null', isError: false }
  if (outcome.type === 'refused')
    return { result: `the limit of ${outcome.limit} is used up`, isError: true }
  return { result: outcome.type === 'denied' ? outcome.reason : outcome.message, isError: true }
}
