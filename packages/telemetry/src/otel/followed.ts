import { EchelonError } from 'echelon/internal/value'
import type { Attributes, Context, Link, Span, SpanKind } from '@opentelemetry/api'
import type { Telling } from './api.ts'
import { ERROR_TYPE } from './names.ts'
import { traceparentOf } from './trace-context.ts'

interface Begun {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
  /** What it is a part of. */
  readonly around: Context
  readonly links?: Link[]
}

/** How work ended that did not succeed; a cancel is no error. */
export interface Trouble {
  readonly type: string
  readonly isError: boolean
}

/** A span under way, and when it began. */
export class Followed {
  readonly telling: Telling
  readonly span: Span
  /** What works within it has it as its active span. */
  readonly context: Context
  readonly #began = performance.now()

  constructor(telling: Telling, { name, around, ...options }: Begun) {
    const { api, tracer } = telling
    this.telling = telling
    this.span = tracer.startSpan(name, options, around)
    this.context = api.trace.setSpan(around, this.span)
  }

  get traceparent(): string | undefined {
    return traceparentOf(this.telling.api, this.span.spanContext())
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000
  }

  within<Value>(work: () => Value): Value {
    return this.telling.api.context.with(this.context, work)
  }

  /** Ends it. @returns what a figure tells of the trouble */
  close(trouble: Trouble | undefined): Attributes {
    const { span, telling } = this
    const told = trouble === undefined ? NOTHING : { [ERROR_TYPE]: trouble.type }
    span.setAttributes(told)
    if (trouble?.isError === true) span.setStatus({ code: telling.api.SpanStatusCode.ERROR })
    span.end()
    return told
  }
}

const NOTHING: Attributes = {}

/** What was thrown, by its code or its name: its message may hold anything. */
export function troubleOf(error: unknown): Trouble {
  if (isSuspension(error)) return SUSPENDED
  const type = error instanceof Error ? ('code' in error ? error.code : error.name) : undefined
  return { type: wordOf(type) ?? '_OTHER', isError: true }
}

/** A run that waits lets go of its process: nothing has failed, and it goes on elsewhere. */
export const isSuspension = (error: unknown): boolean =>
  error instanceof EchelonError && error.code === 'RUN_SUSPENDED'

const SUSPENDED: Trouble = { type: 'suspended', isError: false }

/** A name out of a closed or short list; nothing for what could be anybody's text. */
export const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.:/@-]{1,96}$/.test(value) ? value : undefined
