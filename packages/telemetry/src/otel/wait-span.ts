import type { Attributes, Context } from '@opentelemetry/api'
import type { Reply, Span, TracedWait } from 'echelon/internal/observability'
import type { Telemetry } from './api.ts'
import { OpenSpan, type Trouble, troubleOf } from './open-span.ts'
import { ECHELON } from './names.ts'

interface SpanStart {
  readonly agent: Attributes
  readonly parentContext: Context
}

/** The time a run waits for a person: `wait {for}`. */
export class OtelWaitSpan implements Span<Reply> {
  readonly #telemetry: Telemetry
  readonly #span: OpenSpan
  readonly #facts: Attributes

  constructor(telemetry: Telemetry, what: TracedWait, { agent, parentContext }: SpanStart) {
    const attributes = { [ECHELON.waitFor]: what }
    this.#telemetry = telemetry
    this.#facts = { ...agent, ...attributes }
    const kind = telemetry.api.SpanKind.INTERNAL
    this.#span = new OpenSpan(telemetry, { name: `wait ${what}`, kind, attributes, parentContext })
  }

  get traceparent(): string | undefined {
    return this.#span.traceparent
  }

  within<Value>(work: () => Value): Value {
    return this.#span.within(work)
  }

  end(outcome: Reply): void {
    this.#close({ [ECHELON.waitOutcome]: outcome })
  }

  fail(error: unknown): void {
    this.#close({}, troubleOf(error))
  }

  #close(ended: Attributes, trouble?: Trouble): void {
    const { seconds, span } = this.#span
    span.setAttributes(ended)
    const errorAttributes = this.#span.close(trouble)
    this.#telemetry.instruments.waitSeconds.record(seconds, {
      ...this.#facts,
      ...ended,
      ...errorAttributes,
    })
  }
}
