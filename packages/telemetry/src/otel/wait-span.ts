import type { Attributes, Context } from '@opentelemetry/api'
import type { Reply, Span, TracedWait } from 'echelon/internal/observability'
import type { Telling } from './api.ts'
import { Followed, type Trouble, troubleOf } from './followed.ts'
import { ECHELON } from './names.ts'

interface Begun {
  readonly agent: Attributes
  readonly around: Context
}

/** A run that waits for a person: `wait {for}`. */
export class OtelWaitSpan implements Span<Reply> {
  readonly #telling: Telling
  readonly #span: Followed
  readonly #facts: Attributes

  constructor(telling: Telling, what: TracedWait, { agent, around }: Begun) {
    const attributes = { [ECHELON.waitFor]: what }
    this.#telling = telling
    this.#facts = { ...agent, ...attributes }
    const kind = telling.api.SpanKind.INTERNAL
    this.#span = new Followed(telling, { name: `wait ${what}`, kind, attributes, around })
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
    const told = this.#span.close(trouble)
    this.#telling.instruments.waitSeconds.record(seconds, { ...this.#facts, ...ended, ...told })
  }
}
