import type { Meter, SpanContext } from '@opentelemetry/api'
import { EchelonError } from '../../core/error.ts'
import { optionalPackage } from '../../core/optional-package.ts'
import type { RunSpan, TraceContext, TracedRun, Tracing } from '../../core/tracing.ts'
import type { Api, ContentLimits, Telling } from './api.ts'
import { instrumentsOf } from './instruments.ts'
import { OtelRunSpan } from './run-span.ts'
import { readTraceContext } from './trace-context.ts'

export interface OpenTelemetryOptions {
  /**
   * Whether what is said is exported, redacted and cut: prompts, answers, arguments and results of
   * tools, messages of errors. Default false: names and figures alone.
   */
  readonly captureContent?: boolean
  /** Characters of one text of captured content; of a message at most 50 parts are told. Default 4000. */
  readonly mostText?: number
  /** The last messages of a prompt that are captured; 0 for none. Default 20. */
  readonly mostMessages?: number
  /**
   * Whether requests to a model carry `traceparent`: of all, or by `provider/model`. Default true: it
   * is random numbers, and says nothing but that calls belong together.
   */
  readonly sendTraceparent?: boolean | ((model: string) => boolean)
  /**
   * What the whole program is a part of, as a CI job hands it on in `TRACEPARENT`: of runs that have
   * no caller's header and no active span around them. One that is not valid is ignored. Default: none.
   */
  readonly parent?: TraceContext | undefined
}

/**
 * Spans and figures of runs through `@opentelemetry/api`, by its conventions for generative AI: give
 * it to an agent or a decider as `tracing`. It exports nothing itself: it is heard by the SDK that the
 * program has registered, whenever it does; where there is none, a run costs one look for it.
 * @throws EchelonError MISSING_PACKAGE without `@opentelemetry/api`; INVALID_CONFIG for an option that
 *   cannot work
 */
export async function openTelemetry(options: OpenTelemetryOptions = {}): Promise<Tracing> {
  checkOptions(options)
  const api = await optionalPackage('@opentelemetry/api@1', () => import('@opentelemetry/api'))
  return new OpenTelemetry(api, options)
}

/** Configuration that was read as text would export what nobody wants exported. */
function checkOptions({
  captureContent = false,
  mostText = 0,
  mostMessages = 0,
}: OpenTelemetryOptions): void {
  if (typeof captureContent !== 'boolean')
    throw wrong(`captureContent cannot be ${String(captureContent)}; give true or false`)
  for (const [name, value] of Object.entries({ mostText, mostMessages })) {
    if (!Number.isInteger(value) || value < 0)
      throw wrong(`${name} cannot be ${String(value)}; give a whole number from 0 on`)
  }
}

const wrong = (what: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `openTelemetry: ${what}`)

/** The instrumentation's name, by which an SDK tells its spans from those of others. */
const SCOPE = 'echelon'

class OpenTelemetry implements Tracing {
  readonly #api: Api
  readonly #content: ContentLimits | undefined
  readonly #sendsTrace: Telling['sendsTrace']
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
    if (!this.#isHeard(meter)) return undefined
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

  /** Without an SDK the package gives what does nothing; it is asked anew, for one may come. */
  #isHeard(meter: Meter): boolean {
    const api = this.#api
    if (meter !== api.createNoopMeter()) return true
    const provider = api.trace.getTracerProvider()
    if (!(provider instanceof api.ProxyTracerProvider)) return true
    return provider.getDelegateTracer(SCOPE) !== undefined
  }
}
