import type { Attributes, Context } from '@opentelemetry/api'
import type { Sampling } from 'echelon/internal/agent'
import type { ModelOutcome } from 'echelon'
import type { Generated } from 'echelon/internal/agent'
import type { Problem } from 'echelon/runtime'
import type { AnsweredBy, ModelSpan, TracedCall } from 'echelon/internal/observability'
import type { Telling } from './api.ts'
import { type Content, FINISH } from './content.ts'
import { Followed, type Trouble, troubleOf, wordOf } from './followed.ts'
import { ECHELON, ERROR_TYPE, EVENTS, GEN_AI } from './names.ts'
import { modelNames } from './providers.ts'

interface Begun {
  readonly around: Context
  readonly agent: string
  readonly content: Content | undefined
  /** Hears of each call that was made, and of its answer. */
  readonly onMade: (answer?: Generated) => void
}

/** A model call with its retries: `chat {model}`. */
export class OtelModelSpan implements ModelSpan {
  readonly headers: ModelSpan['headers']
  readonly #telling: Telling
  readonly #span: Followed
  /** Of the figures, too. */
  readonly #facts: Attributes
  readonly #content: Content | undefined
  readonly #agent: Attributes
  readonly #onMade: Begun['onMade']
  #answeredBy: string | undefined
  #retries = 0

  constructor(telling: Telling, call: TracedCall, { around, agent, content, onMade }: Begun) {
    const { provider, model } = modelNames(call.model)
    const sends = telling.sendsTrace(call.model)
    this.#telling = telling
    this.#content = content
    this.#agent = { [GEN_AI.agent]: agent }
    this.#onMade = onMade
    this.#facts = {
      [GEN_AI.operation]: 'chat',
      [GEN_AI.provider]: provider,
      [GEN_AI.requestModel]: model,
    }
    this.#span = new Followed(telling, {
      name: `chat ${model}`,
      kind: telling.api.SpanKind.CLIENT,
      attributes: { ...this.#facts, ...asked(call) },
      around,
    })
    const { span, traceparent } = this.#span
    if (content !== undefined && span.isRecording())
      span.setAttribute(GEN_AI.inputMessages, content.prompt(call.messages()))
    if (traceparent !== undefined && sends) this.headers = { traceparent }
  }

  get traceparent(): string | undefined {
    return this.#span.traceparent
  }

  within<Value>(work: () => Value): Value {
    return this.#span.within(work)
  }

  spoke(): void {
    const { seconds, span } = this.#span
    span.setAttribute(GEN_AI.timeToFirstChunk, seconds)
    this.#telling.instruments.firstChunkSeconds.record(seconds, this.#facts)
  }

  answered({ id, modelId }: AnsweredBy): void {
    // What a server says of itself is a name, or is left out.
    const [model, answer] = [wordOf(modelId), wordOf(id)]
    this.#answeredBy = model
    if (model !== undefined) this.#span.span.setAttribute(GEN_AI.responseModel, model)
    if (answer !== undefined) this.#span.span.setAttribute(GEN_AI.responseId, answer)
  }

  retry({ code }: Problem, waitMs: number): void {
    this.#retries++
    this.#span.span.addEvent(EVENTS.retry, { [ERROR_TYPE]: code, [ECHELON.waitMs]: waitMs })
    const told = { ...this.#facts, ...this.#agent, [ERROR_TYPE]: code }
    this.#telling.instruments.retries.add(1, told)
  }

  end(outcome: ModelOutcome): void {
    const { span } = this.#span
    span.setAttribute(ECHELON.attempts, this.#retries + 1)
    switch (outcome.type) {
      case 'generated':
        this.#generated(outcome)
        return this.#close(undefined)
      case 'failed': {
        const { code, message, attempts } = outcome.error
        if (attempts > 0) this.#onMade()
        if (this.#content !== undefined)
          span.setAttribute(ECHELON.message, this.#content.text(message))
        return this.#close(troubleIn(code))
      }
      case 'refused':
        span.setAttributes({
          [ECHELON.refusedBy]: outcome.by,
          [ECHELON.refusedLimit]: outcome.limit,
        })
        // Time is what a call that was made ran out of. Any other was never made: it has no duration.
        if (outcome.limit !== 'seconds') return void this.#span.close(REFUSED)
        this.#onMade()
        return this.#close(REFUSED)
    }
  }

  fail(error: unknown): void {
    this.#close(troubleOf(error))
  }

  #generated(answer: Generated): void {
    const { usage, cost, finish } = answer
    const { instruments } = this.#telling
    const { span } = this.#span
    // A provider that does not count says 0 of both: nobody knows, and no figure says so.
    const isCounted = usage.input > 0 || usage.output > 0
    span.setAttributes({
      ...(isCounted ? { [GEN_AI.inputTokens]: usage.input } : {}),
      ...(isCounted ? { [GEN_AI.outputTokens]: usage.output } : {}),
      [GEN_AI.finishReasons]: [FINISH[finish]],
      ...(cost === null ? {} : { [ECHELON.cost]: cost }),
    })
    if (this.#content !== undefined && span.isRecording())
      span.setAttribute(GEN_AI.outputMessages, this.#content.answer(answer))
    const facts = this.#factsNow()
    if (isCounted) {
      instruments.tokens.record(usage.input, { ...facts, [GEN_AI.tokenType]: 'input' })
      instruments.tokens.record(usage.output, { ...facts, [GEN_AI.tokenType]: 'output' })
    }
    const byAgent = { ...facts, ...this.#agent }
    if (cost === null) instruments.unpriced.add(1, byAgent)
    else instruments.cost.add(cost, byAgent)
    this.#onMade(answer)
  }

  #close(trouble: Trouble | undefined): void {
    const { seconds } = this.#span
    const told = this.#span.close(trouble)
    this.#telling.instruments.callSeconds.record(seconds, { ...this.#factsNow(), ...told })
  }

  #factsNow(): Attributes {
    if (this.#answeredBy === undefined) return this.#facts
    return { ...this.#facts, [GEN_AI.responseModel]: this.#answeredBy }
  }
}

const REFUSED: Trouble = { type: 'refused', isError: false }

/** Giving a call up is what a user or a limit wants, and no error. */
const troubleIn = (code: Problem['code']): Trouble =>
  code === 'aborted' ? { type: 'canceled', isError: false } : { type: code, isError: true }

function asked({ role, seq, streams, asksJson, maxTokens, sampling }: TracedCall): Attributes {
  return {
    [ECHELON.role]: role,
    [ECHELON.step]: seq,
    [GEN_AI.outputType]: asksJson ? 'json' : 'text',
    ...(streams ? { [GEN_AI.stream]: true } : {}),
    ...(maxTokens === undefined ? {} : { [GEN_AI.maxTokens]: maxTokens }),
    ...(sampling === undefined ? {} : sampled(sampling)),
  }
}

function sampled(sampling: Sampling): Attributes {
  const { temperature, topP, presencePenalty, frequencyPenalty, seed } = sampling
  return {
    ...(temperature === undefined ? {} : { [GEN_AI.temperature]: temperature }),
    ...(topP === undefined ? {} : { [GEN_AI.topP]: topP }),
    ...(presencePenalty === undefined ? {} : { [GEN_AI.presencePenalty]: presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { [GEN_AI.frequencyPenalty]: frequencyPenalty }),
    ...(seed === undefined ? {} : { [GEN_AI.seed]: seed }),
  }
}
