import {
  APICallError,
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { EchelonError } from 'echelon/internal/value'
import type { RunEvent } from 'echelon/runtime'
import { isRecord } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { isApproval } from 'echelon/internal/agent'
import { PROBLEMS } from 'echelon/internal/model'
import type { ToolCall, ToolOutcome } from 'echelon/internal/tool'
import { reportedUsage } from 'echelon/internal/model'
import { type ConversingEnd, type ConversingRun, outcomeOf } from './conversing.ts'

type Part = LanguageModelV4StreamPart
type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>

export interface ExchangeOptions {
  /** Whether the agent's own tool calls are shown. */
  readonly showsTools: boolean
  /** Replies to what the agent asks; nothing where the caller of the model is to be asked. */
  readonly answer: ((about: JsonObject) => Json | Promise<Json>) | undefined
}

/**
 * A run as the parts of a model's stream. It may take several calls: one ends where the agent asks for
 * an approval, the next goes on with the reply.
 */
export class AgentExchange {
  readonly run: ConversingRun
  readonly #options: ExchangeOptions
  readonly #events: AsyncIterator<RunEvent, void>
  readonly #shown = new Set<string>()
  #isWhole = false
  /** The block of text that is open, and what of it is held back. */
  #text: string | undefined
  #held = ''
  #waitsFor: string | undefined
  #hasSaid = false

  constructor(run: ConversingRun, options: ExchangeOptions) {
    this.run = run
    this.#options = options
    this.#events = run[Symbol.asyncIterator]()
    // Whoever reads its events hears of a failure there, and its outcome is then asked by nobody.
    void outcomeOf(run).catch(() => undefined)
  }

  /** The request that it waits for, between two calls. */
  get waitsFor(): string | undefined {
    return this.#waitsFor
  }

  /**
   * Whether it may go ahead, and what the user says beside that.
   * @throws EchelonError INVALID_INPUT where it cannot hear: it waits on
   */
  reply(isApproved: boolean, said: string): void {
    const { run } = this
    if (said !== '' && run.hear === undefined) throw cannotHear()
    if (said !== '') run.hear?.(said)
    const request = this.#waitsFor
    this.#waitsFor = undefined
    if (request !== undefined) run.respond(request, isApproved ? 'once' : 'deny')
  }

  /**
   * Until the run ends or asks. Whoever stops reading in between, or aborts, cancels the run.
   * @param isWhole whether only the last answer is told, and not what was said on the way to it: that
   * alone is what a caller may parse
   */
  async *parts(signal: AbortSignal | undefined, isWhole: boolean): AsyncGenerator<Part, void> {
    const { run } = this
    this.#isWhole = isWhole
    // A result stands beside its call, also where the call was shown when it was to be approved.
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
      // An agent that shows nothing on its way says it now.
      if (!this.#hasSaid) yield* this.#say('answer', end.text)
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
        if (event.path === '') yield* this.#say(String(event.seq), event.delta)
        break
      case 'said':
        if (event.path === '') yield* this.#say(`said-${event.seq}`, event.text)
        break
      case 'text-drop':
        if (event.path === '') this.#drop()
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
        yield* this.#ask(event)
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

  *#say(id: string, delta: string): Generator<Part, void> {
    if (delta === '') return
    this.#hasSaid = true
    if (this.#text !== id) {
      if (this.#isWhole) this.#held = ''
      else yield* this.#closeText()
      this.#text = id
      if (!this.#isWhole) yield { type: 'text-start', id }
    }
    if (this.#isWhole) this.#held += delta
    else yield { type: 'text-delta', id, delta }
  }

  *#closeText(): Generator<Part, void> {
    const delta = this.#held
    const id = this.#text
    this.#text = undefined
    this.#held = ''
    if (id === undefined) return
    if (this.#isWhole) {
      yield { type: 'text-start', id }
      yield { type: 'text-delta', id, delta }
    }
    yield { type: 'text-end', id }
  }

  #drop(): void {
    if (this.#text === undefined) return
    if (!this.#isWhole) throw brokeOff()
    this.#text = undefined
    this.#held = ''
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

  /** With its call, also where that was begun in the call of the model before. */
  *#showResult({ path, call, outcome }: EventOf<'tool-end'>): Generator<Part, void> {
    yield* this.#showCall(path, call)
    const { result, isError } = resultOf(outcome)
    const toolCallId = this.#callId(path, call.id)
    yield { type: 'tool-result', toolCallId, toolName: call.tool, result, isError, dynamic: true }
  }

  /** Ids of models are those of one conversation, and a model of models has several. */
  #callId = (path: string, call: string): string => `${this.run.id}:${path}${call}`

  async *#ask({ path, request, about }: EventOf<'request-open'>): AsyncGenerator<Part, void> {
    const { answer } = this.#options
    if (answer !== undefined) {
      this.run.respond(request, await answer(isRecord(about) ? about : {}))
      return
    }
    if (!isApproval(about))
      throw new Error(
        `the agent asks something, and nobody can answer: ${JSON.stringify(about)}; give asLanguageModel an answer function`,
      )
    const { tool, input, call: id } = about
    yield* this.#closeText()
    yield* this.#showCall(path, { id, tool, input }, true)
    yield { type: 'tool-approval-request', approvalId: request, toolCallId: this.#callId(path, id) }
    this.#waitsFor = request
  }
}

const ASKS: LanguageModelV4FinishReason = { unified: 'tool-calls', raw: 'approval' }

/** Where there is no sum: the run's own comes with its end. */
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

/** The runtime has tried again as often as it may: whoever asks is not to do it once more. */
const failure = ({ reason, detail }: ConversingEnd): APICallError =>
  new APICallError({
    message: `the agent ended with ${reason}: ${detail ?? 'without an answer'}`,
    url: 'echelon:agent',
    requestBodyValues: {},
    isRetryable: false,
    data: { reason, detail },
  })

const cannotHear = (): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    'the agent hears nothing while it waits for an approval; send the response alone, and what is said in the call after that',
  )

const brokeOff = (): Error =>
  new Error(
    'the answer broke off after a part of it was streamed, and a stream cannot take it back; ask again',
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
