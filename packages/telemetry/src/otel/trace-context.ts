import type { SpanContext } from '@opentelemetry/api'
import type { TraceContext } from 'echelon/internal/observability'
import type { Api } from './api.ts'

const VERSION_ZERO = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
/** Of later versions only the known fields are read. */
const LATER_VERSION = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
/** The longest `tracestate` that must be forwarded. */
const MAX_STATE = 512

/** The span in a header; undefined for an invalid header, as W3C Trace Context requires. */
export function readTraceContext(
  api: Api,
  { traceparent, tracestate }: TraceContext,
): SpanContext | undefined {
  const found = VERSION_ZERO.exec(traceparent) ?? LATER_VERSION.exec(traceparent)
  const [, traceId = '', spanId = '', flags = ''] = found ?? []
  const isSampled = (Number.parseInt(flags, 16) & api.TraceFlags.SAMPLED) !== 0
  const traceFlags = isSampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE
  const span: SpanContext = { traceId, spanId, traceFlags, isRemote: true }
  if (!api.isSpanContextValid(span)) return undefined
  if (tracestate === undefined || tracestate.length > MAX_STATE) return span
  return { ...span, traceState: api.createTraceState(tracestate) }
}

/** The header for a span; undefined for an invalid span. */
export function traceparentOf(api: Api, span: SpanContext): string | undefined {
  if (!api.isSpanContextValid(span)) return undefined
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0')
  return `00-${span.traceId}-${span.spanId}-${flags}`
}
