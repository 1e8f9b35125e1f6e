import type * as OpenTelemetryApi from '@opentelemetry/api'
import type { Instruments } from './instruments.ts'

/** The loaded package. */
export type Api = typeof OpenTelemetryApi

/** The shared means of reporting spans and metrics. */
export interface Telemetry {
  readonly api: Api
  readonly tracer: OpenTelemetryApi.Tracer
  readonly instruments: Instruments
  /** Undefined if content is not captured. */
  readonly content: ContentLimits | undefined
  /** Parent of runs that have no other parent. */
  readonly parent: OpenTelemetryApi.SpanContext | undefined
  /** Whether requests to this model carry the trace context. */
  sendsTrace(model: string): boolean
}

export interface ContentLimits {
  /** Characters of one text. */
  readonly mostText: number
  /** Number of messages, from the end of a prompt. */
  readonly mostMessages: number
}
