import type { Meter, SpanContext } from '@opentelemetry/api'
import type { RunSpan, TracedRun, Tracing } from 'echelon/internal/observability'
import type { Api, ContentLimits, Telemetry } from './api.ts'
import { instrumentsOf } from './instruments.ts'
import type { OpenTelemetryOptions } from './open-telemetry.ts'
import { OtelRunSpan } from './run-span.ts'
import { readTraceContext } from './trace-context.ts'

/** Instrumentation scope, by which an SDK identifies our spans. */
const SCOPE = 'echelon'

/** Traces runs as spans and metrics of `@opentelemetry/api`. */
export class OtelTracing implements Tracing {
  readonly #api: Api
  readonly #content: ContentLimits | undefined
  readonly #sendsTrace: Telemetry['sendsTrace']
  readonly #parent: SpanContext | undefined

  constructor(
    api: Api,
    {
      captureContent = false,
      mostText = 4000,
      mostMessages = 20,
      sendTraceparent = true,
      parent,
    }: OpenTelemetryOptions,
  ) {
    this.#api = api
    if (captureContent) this.#content = { mostText, mostMessages }
    this.#sendsTrace =
      typeof sendTraceparent === 'function' ? sendTraceparent : () => sendTraceparent
    this.#parent = parent && readTraceContext(api, parent)
  }

  begin(run: TracedRun): RunSpan | undefined {
    const api = this.#api
    const meter = api.metrics.getMeter(SCOPE)
    if (!this.#isEnabled(meter)) return undefined
    return new OtelRunSpan(
      {
        api,
        tracer: api.trace.getTracer(SCOPE),
        instruments: instrumentsOf(meter),
        content: this.#content,
        parent: this.#parent,
        sendsTrace: this.#sendsTrace,
      },
      run,
    )
  }

  /**
   * Without an SDK the package returns no-ops. Checked each time, because an SDK may be registered
   * later.
   */
  #isEnabled(meter: Meter): boolean {
    const api = this.#api
    if (meter !== api.createNoopMeter()) return true
    const provider = api.trace.getTracerProvider()
    if (!(provider instanceof api.ProxyTracerProvider)) return true
    return provider.getDelegateTracer(SCOPE) !== undefined
  }
}
