import type { Attributes, Context } from '@opentelemetry/api'
import type { Sampling } from '../../core/effect.ts'
import type { ModelOutcome } from '../../core/middleware.ts'
import type { Generated } from '../../core/observation.ts'
import type { Problem } from '../../core/problem.ts'
import type { AnsweredBy, ModelSpan, TracedCall } from '../../core/tracing.ts'
import type { Telling } from './api.ts'
import { type Content, FINISH } from './content.ts'
import { Followed, type Trouble, troubleOf, wordOf } from './followed.ts'
import { ECHELON, ERROR_TYPE, EVENTS, GEN_AI } from './names.ts'
import { modelNames } from './providers.ts'

interface Begun {
  readonly around: Context
  readonly content: Content | undefined
  /** Hears of each answer. */
  readonly onAnswer: (answer: Generated) => void
}

/** A model call with its retries: `chat {model}`. */
export class OtelModelSpan implements ModelSpan {
  readonly headers: ModelSpan['headers']
  readonly #telling: Telling
  readonly #span: Followed
  /** Of the figures, too. */
  readonly #facts: Attributes
  readonly #content: Content | undefined
  readonly #onAnswer: Begun['onAnswer']
  #answeredBy: string | undefined
  #retries = 0

  constructor(telling: Telling, call: TracedCall, { around, content, onAnswer }: Begun) {
    const { provider, model } = modelNames(call.model)
    const sends = telling.sendsTrace(call.model)
    this.#telling = telling
    this.#content = content
    this.#onAnswer = onAnswer
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
    this.#telling.instruments.retries.add(1, { ...this.#facts, [ERROR_TYPE]: code })
  }

  end(outcome: ModelOutcome): void {
    const { span } = this.#span
    span.setAttribute(ECHELON.attempts, this.#retries + 1)
    switch (outcome.type) {
      case 'generated':
        this.#generated(outcome)
        return this.#close(undefined)
      case 'failed': {
        const { code, message } = outcome.error
        if (this.#content !== undefined)
          span.setAttribute(ECHELON.message, this.#content.text(message))
        return this.#close(troubleIn(code))
      }
      case 'refused':
        // It was never made: no duration of a call, and no error of the provider.
        span.setAttributes({
          [ECHELON.refusedBy]: outcome.by,
          [ECHELON.refusedLimit]: outcome.limit,
        })
        this.#span.close({ type: 'refused', isError: false })
    }
  }

  fail(error: unknown): void {
    this.#close(troubleOf(error))
  }

  #generated(answer: Generated): void {
    const { usage, cost, finish } = answer
    const { instruments } = this.#telling
    const { span } = this.#span
    span.setAttributes({
      [GEN_AI.inputTokens]: usage.input,
      [GEN_AI.outputTokens]: usage.output,
      [GEN_AI.finishReasons]: [FINISH[finish]],
      ...(cost === null ? {} : { [ECHELON.cost]: cost }),
    })
    if (this.#content !== undefined && span.isRecording())
      span.setAttribute(GEN_AI.outputMessages, this.#content.answer(answer))
    const facts = this.#factsNow()
    instruments.tokens.record(usage.input, { ...facts, [GEN_AI.tokenType]: 'input' })
    instruments.tokens.record(usage.output, { ...facts, [GEN_AI.tokenType]: 'output' })
    if (cost === null) instruments.unpriced.add(1, facts)
    else instruments.cost.add(cost, facts)
    this.#onAnswer(answer)
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
