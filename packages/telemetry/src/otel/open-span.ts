import { EchelonError } from 'echelon/internal/value'
import type { Attributes, Context, Link, Span, SpanKind } from '@opentelemetry/api'
import type { Telemetry } from './api.ts'
import { ERROR_TYPE } from './names.ts'
import { traceparentOf } from './trace-context.ts'

interface SpanStart {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
  /** The parent context. */
  readonly parentContext: Context
  readonly links?: Link[]
}

/** How failed work ended; a cancel is not an error. */
export interface Trouble {
  readonly type: string
  readonly isError: boolean
}

/** An open span and its start time. */
export class OpenSpan {
  readonly telemetry: Telemetry
  readonly span: Span
  /** Context in which the span is the active one. */
  readonly context: Context
  readonly #began = performance.now()

  constructor(telemetry: Telemetry, { name, parentContext, ...options }: SpanStart) {
    const { api, tracer } = telemetry
    this.telemetry = telemetry
    this.span = tracer.startSpan(name, options, parentContext)
    this.context = api.trace.setSpan(parentContext, this.span)
  }

  get traceparent(): string | undefined {
    return traceparentOf(this.telemetry.api, this.span.spanContext())
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000
  }

  within<Value>(work: () => Value): Value {
    return this.telemetry.api.context.with(this.context, work)
  }

  /** Ends the span. @returns the attributes of the trouble, for metrics */
  close(trouble: Trouble | undefined): Attributes {
    const { span, telemetry } = this
    const attributes = trouble === undefined ? NO_ATTRIBUTES : { [ERROR_TYPE]: trouble.type }
    span.setAttributes(attributes)
    if (trouble?.isError === true) span.setStatus({ code: telemetry.api.SpanStatusCode.ERROR })
    span.end()
    return attributes
  }
}

const NO_ATTRIBUTES: Attributes = {}

/** The code or name of a thrown error; its message can hold anything. */
export function troubleOf(error: unknown): Trouble {
  if (isSuspension(error)) return SUSPENDED
  const type = error instanceof Error ? ('code' in error ? error.code : error.name) : undefined
  return { type: safeName(type) ?? '_OTHER', isError: true }
}

/** A waiting run leaves its process: it did not fail, and continues elsewhere. */
export const isSuspension = (error: unknown): boolean =>
  error instanceof EchelonError && error.code === 'RUN_SUSPENDED'

const SUSPENDED: Trouble = { type: 'suspended', isError: false }

/** A value from a closed or short list of names; undefined for what could be user text. */
export const safeName = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.:/@-]{1,96}$/.test(value) ? value : undefined
