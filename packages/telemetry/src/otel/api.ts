import type * as OpenTelemetryApi from '@opentelemetry/api'
import type { Instruments } from './instruments.ts'

/** The package, once it is loaded. */
export type Api = typeof OpenTelemetryApi

/** What spans and figures are told with. */
export interface Telling {
  readonly api: Api
  readonly tracer: OpenTelemetryApi.Tracer
  readonly instruments: Instruments
  /** Nothing where no content is told. */
  readonly content: ContentLimits | undefined
  /** What runs are a part of that nobody else says anything of. */
  readonly parent: OpenTelemetryApi.SpanContext | undefined
  /** Whether a model's provider is told where in the trace its call stands. */
  sendsTrace(model: string): boolean
}

export interface ContentLimits {
  /** Characters of one text. */
  readonly mostText: number
  /** The last messages of a prompt. */
  readonly mostMessages: number
}
