import { EchelonError } from 'echelon/internal/value'
import type { TraceContext, Tracing } from 'echelon/internal/observability'

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
 * @throws EchelonError INVALID_CONFIG for an option that
 *   cannot work
 */
export async function openTelemetry(options: OpenTelemetryOptions = {}): Promise<Tracing> {
  checkOptions(options)
  const api = await import('@opentelemetry/api')
  const { OtelTracing } = await import('./otel-tracing.ts')
  return new OtelTracing(api, options)
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
