import type { Attributes, Context } from '@opentelemetry/api'
import type { ToolErrorCode, ToolOutcome } from 'echelon/internal/tool'
import type { TracedRun, TracedTool, ToolSpan } from 'echelon/internal/observability'
import type { Telemetry } from './api.ts'
import type { Content } from './content.ts'
import { OpenSpan, type Trouble, troubleOf, safeName } from './open-span.ts'
import { ECHELON, ERROR_TYPE, EVENTS, GEN_AI } from './names.ts'

interface SpanStart {
  readonly run: TracedRun
  readonly parentContext: Context
  readonly content: Content | undefined
  /** Called for each call that was made. */
  readonly onCall: () => void
}

/** A tool call with its retries and the middleware around it: `execute_tool {tool}`. */
export class OtelToolSpan implements ToolSpan {
  readonly #telemetry: Telemetry
  readonly #span: OpenSpan
  readonly #facts: Attributes
  readonly #content: Content | undefined
  readonly #run: TracedRun
  readonly #onCall: SpanStart['onCall']
  #retries = 0

  constructor(
    telemetry: Telemetry,
    { call, facts, meter }: TracedTool,
    { run, parentContext, content, onCall }: SpanStart,
  ) {
    // A name invented by the model is free text, not a tool name.
    const name = facts?.name ?? '_OTHER'
    this.#telemetry = telemetry
    this.#content = content
    this.#run = run
    this.#onCall = onCall
    this.#facts = { [GEN_AI.tool]: name, [GEN_AI.toolType]: 'function', [GEN_AI.agent]: run.agent }
    this.#span = new OpenSpan(telemetry, {
      name: `execute_tool ${name}`,
      kind: telemetry.api.SpanKind.INTERNAL,
      attributes: {
        [GEN_AI.operation]: 'execute_tool',
        [GEN_AI.tool]: name,
        [GEN_AI.toolType]: 'function',
        [GEN_AI.toolCall]: safeName(call.id) ?? '_OTHER',
        [ECHELON.meter]: meter,
      },
      parentContext,
    })
    const { span } = this.#span
    if (content !== undefined && span.isRecording())
      span.setAttribute(GEN_AI.toolArguments, content.value(call.input))
  }

  get traceparent(): string | undefined {
    return this.#span.traceparent
  }

  within<Value>(work: () => Value): Value {
    return this.#span.within(work)
  }

  retry(code: ToolErrorCode, waitMs: number): void {
    this.#retries++
    this.#span.span.addEvent(EVENTS.retry, { [ERROR_TYPE]: code, [ECHELON.waitMs]: waitMs })
    this.#telemetry.instruments.retries.add(1, { ...this.#facts, [ERROR_TYPE]: code })
  }

  end(outcome: ToolOutcome): void {
    const { span } = this.#span
    span.setAttributes({
      [ECHELON.toolOutcome]: outcome.type,
      [ECHELON.attempts]: this.#retries + 1,
    })
    if (this.#content !== undefined && span.isRecording())
      span.setAttribute(GEN_AI.toolResult, this.#content.value(resultOf(outcome)))
    // A call that exceeded its time limit was made. Any other refused call was not: it has no duration.
    if (outcome.type === 'denied' || (outcome.type === 'refused' && outcome.limit !== 'seconds'))
      return void this.#span.close(troubleIn(outcome))
    this.#onCall()
    // A canceled call surfaces as an error of the tool.
    const isCut = outcome.type === 'error' && this.#run.isCanceled()
    this.#close(isCut ? CANCELED : troubleIn(outcome))
  }

  fail(error: unknown): void {
    this.#close(troubleOf(error))
  }

  #close(trouble: Trouble | undefined): void {
    const { seconds } = this.#span
    const errorAttributes = this.#span.close(trouble)
    this.#telemetry.instruments.toolSeconds.record(seconds, { ...this.#facts, ...errorAttributes })
  }
}

const CANCELED: Trouble = { type: 'canceled', isError: false }

/** A call stopped by a rule or a limit did not fail. */
function troubleIn(outcome: ToolOutcome): Trouble | undefined {
  switch (outcome.type) {
    case 'ok':
      return undefined
    case 'error':
      return { type: outcome.code, isError: true }
    case 'unknown':
      return { type: 'unknown', isError: true }
    case 'denied':
    case 'refused':
      return { type: outcome.type, isError: false }
  }
}

function resultOf(outcome: ToolOutcome): unknown {
  switch (outcome.type) {
    case 'ok':
      return outcome.value
    case 'error':
    case 'unknown':
      return outcome.message
    case 'denied':
      return outcome.reason
    case 'refused':
      return outcome.limit
  }
}
