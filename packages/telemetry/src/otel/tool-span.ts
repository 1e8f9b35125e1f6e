import type { Attributes, Context } from '@opentelemetry/api'
import type { ToolErrorCode, ToolOutcome } from 'echelon/internal/tool'
import type { TracedRun, TracedTool, ToolSpan } from 'echelon/internal/observability'
import type { Telling } from './api.ts'
import type { Content } from './content.ts'
import { Followed, type Trouble, troubleOf, wordOf } from './followed.ts'
import { ECHELON, ERROR_TYPE, EVENTS, GEN_AI } from './names.ts'

interface Begun {
  readonly run: TracedRun
  readonly around: Context
  readonly content: Content | undefined
  /** Hears of each call that was made. */
  readonly onMade: () => void
}

/** A tool call with its retries and the middleware around it: `execute_tool {tool}`. */
export class OtelToolSpan implements ToolSpan {
  readonly #telling: Telling
  readonly #span: Followed
  readonly #facts: Attributes
  readonly #content: Content | undefined
  readonly #run: TracedRun
  readonly #onMade: Begun['onMade']
  #retries = 0

  constructor(
    telling: Telling,
    { call, facts, meter }: TracedTool,
    { run, around, content, onMade }: Begun,
  ) {
    // A name that the model made up is its text, and no tool.
    const name = facts?.name ?? '_OTHER'
    this.#telling = telling
    this.#content = content
    this.#run = run
    this.#onMade = onMade
    this.#facts = { [GEN_AI.tool]: name, [GEN_AI.toolType]: 'function', [GEN_AI.agent]: run.agent }
    this.#span = new Followed(telling, {
      name: `execute_tool ${name}`,
      kind: telling.api.SpanKind.INTERNAL,
      attributes: {
        [GEN_AI.operation]: 'execute_tool',
        [GEN_AI.tool]: name,
        [GEN_AI.toolType]: 'function',
        [GEN_AI.toolCall]: wordOf(call.id) ?? '_OTHER',
        [ECHELON.meter]: meter,
      },
      around,
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
    this.#telling.instruments.retries.add(1, { ...this.#facts, [ERROR_TYPE]: code })
  }

  end(outcome: ToolOutcome): void {
    const { span } = this.#span
    span.setAttributes({
      [ECHELON.toolOutcome]: outcome.type,
      [ECHELON.attempts]: this.#retries + 1,
    })
    if (this.#content !== undefined && span.isRecording())
      span.setAttribute(GEN_AI.toolResult, this.#content.value(resultOf(outcome)))
    // Time is what a call that was made ran out of. Any other was never made: it has no duration.
    if (outcome.type === 'denied' || (outcome.type === 'refused' && outcome.limit !== 'seconds'))
      return void this.#span.close(troubleIn(outcome))
    this.#onMade()
    // What a cancel cuts short comes as an error of the tool.
    const isCut = outcome.type === 'error' && this.#run.isCanceled()
    this.#close(isCut ? CANCELED : troubleIn(outcome))
  }

  fail(error: unknown): void {
    this.#close(troubleOf(error))
  }

  #close(trouble: Trouble | undefined): void {
    const { seconds } = this.#span
    const told = this.#span.close(trouble)
    this.#telling.instruments.toolSeconds.record(seconds, { ...this.#facts, ...told })
  }
}

const CANCELED: Trouble = { type: 'canceled', isError: false }

/** What a rule or a limit stood against did not fail. */
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
