import type { Attributes, Context } from '@opentelemetry/api'
import type { Sampling, Generated } from 'echelon/internal/agent'
import type { ModelOutcome } from 'echelon'
import type { Problem } from 'echelon/runtime'
import type { AnsweredBy, ModelSpan, TracedCall } from 'echelon/internal/observability'
import type { Telemetry } from './api.ts'
import { type Content, FINISH } from './content.ts'
import { OpenSpan, type Trouble, troubleOf, safeName } from './open-span.ts'
import { ECHELON, ERROR_TYPE, EVENTS, GEN_AI } from './names.ts'
import { modelNames } from './providers.ts'

interface SpanStart {
  readonly parentContext: Context
  readonly agent: string
  readonly content: Content | undefined
  /** Called for each call that was made, with its answer. */
  readonly onCall: (answer?: Generated) => void
}

/** A model call with its retries: `chat {model}`. */
export class OtelModelSpan implements ModelSpan {
  readonly headers: ModelSpan['headers']
  readonly #telemetry: Telemetry
  readonly #span: OpenSpan
  /** Also attributes of the metrics. */
  readonly #facts: Attributes
  readonly #content: Content | undefined
  readonly #agent: Attributes
  readonly #onCall: SpanStart['onCall']
  #answeredBy: string | undefined
  #retries = 0

  constructor(
    telemetry: Telemetry,
    call: TracedCall,
    { parentContext, agent, content, onCall }: SpanStart,
  ) {
    const { provider, model } = modelNames(call.model)
    const sends = telemetry.sendsTrace(call.model)
    this.#telemetry = telemetry
    this.#content = content
    this.#agent = { [GEN_AI.agent]: agent }
    this.#onCall = onCall
    this.#facts = {
      [GEN_AI.operation]: 'chat',
      [GEN_AI.provider]: provider,
      [GEN_AI.requestModel]: model,
    }
    this.#span = new OpenSpan(telemetry, {
      name: `chat ${model}`,
      kind: telemetry.api.SpanKind.CLIENT,
      attributes: { ...this.#facts, ...requestAttributes(call) },
      parentContext,
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
    this.#telemetry.instruments.firstChunkSeconds.record(seconds, this.#facts)
  }

  answered({ id, modelId }: AnsweredBy): void {
    // Values reported by a server are used only if they look like names.
    const [model, answer] = [safeName(modelId), safeName(id)]
    this.#answeredBy = model
    if (model !== undefined) this.#span.span.setAttribute(GEN_AI.responseModel, model)
    if (answer !== undefined) this.#span.span.setAttribute(GEN_AI.responseId, answer)
  }

  retry({ code }: Problem, waitMs: number): void {
    this.#retries++
    this.#span.span.addEvent(EVENTS.retry, { [ERROR_TYPE]: code, [ECHELON.waitMs]: waitMs })
    const errorAttributes = { ...this.#facts, ...this.#agent, [ERROR_TYPE]: code }
    this.#telemetry.instruments.retries.add(1, errorAttributes)
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
        if (attempts > 0) this.#onCall()
        if (this.#content !== undefined)
          span.setAttribute(ECHELON.message, this.#content.text(message))
        return this.#close(troubleIn(code))
      }
      case 'refused':
        span.setAttributes({
          [ECHELON.refusedBy]: outcome.by,
          [ECHELON.refusedLimit]: outcome.limit,
        })
        // A call that exceeded its time limit was made. Any other refused call was not: it has no
        // duration.
        if (outcome.limit !== 'seconds') return void this.#span.close(REFUSED)
        this.#onCall()
        return this.#close(REFUSED)
    }
  }

  fail(error: unknown): void {
    this.#close(troubleOf(error))
  }

  #generated(answer: Generated): void {
    const { usage, cost, finish } = answer
    const { instruments } = this.#telemetry
    const { span } = this.#span
    // A provider that does not count reports 0 for both; skip the metric.
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
    this.#onCall(answer)
  }

  #close(trouble: Trouble | undefined): void {
    const { seconds } = this.#span
    const errorAttributes = this.#span.close(trouble)
    this.#telemetry.instruments.callSeconds.record(seconds, {
      ...this.#factsNow(),
      ...errorAttributes,
    })
  }

  #factsNow(): Attributes {
    if (this.#answeredBy === undefined) return this.#facts
    return { ...this.#facts, [GEN_AI.responseModel]: this.#answeredBy }
  }
}

const REFUSED: Trouble = { type: 'refused', isError: false }

/** A user or a limit canceled the call, which is not an error. */
const troubleIn = (code: Problem['code']): Trouble =>
  code === 'aborted' ? { type: 'canceled', isError: false } : { type: code, isError: true }

function requestAttributes({
  role,
  seq,
  streams,
  asksJson,
  maxTokens,
  sampling,
}: TracedCall): Attributes {
  return {
    [ECHELON.role]: role,
    [ECHELON.step]: seq,
    [GEN_AI.outputType]: asksJson ? 'json' : 'text',
    ...(streams ? { [GEN_AI.stream]: true } : {}),
    ...(maxTokens === undefined ? {} : { [GEN_AI.maxTokens]: maxTokens }),
    ...(sampling === undefined ? {} : samplingAttributes(sampling)),
  }
}

function samplingAttributes(sampling: Sampling): Attributes {
  const { temperature, topP, presencePenalty, frequencyPenalty, seed } = sampling
  return {
    ...(temperature === undefined ? {} : { [GEN_AI.temperature]: temperature }),
    ...(topP === undefined ? {} : { [GEN_AI.topP]: topP }),
    ...(presencePenalty === undefined ? {} : { [GEN_AI.presencePenalty]: presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { [GEN_AI.frequencyPenalty]: frequencyPenalty }),
    ...(seed === undefined ? {} : { [GEN_AI.seed]: seed }),
  }
}
