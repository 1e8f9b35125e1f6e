import { EchelonError } from 'echelon/internal/value'
import type { TraceContext, Tracing } from 'echelon/internal/observability'

export interface OpenTelemetryOptions {
  /**
   * Whether content is exported, redacted and truncated: prompts, answers, tool arguments and results,
   * error messages. Default false: only names and numbers.
   */
  readonly captureContent?: boolean
  /** Characters per captured text; of a message, at most 50 parts are captured. Default 4000. */
  readonly mostText?: number
  /** Number of messages captured from the end of a prompt; 0 for none. Default 20. */
  readonly mostMessages?: number
  /**
   * Whether requests to a model carry `traceparent`: for all models, or by `provider/model`. Default
   * true: the header holds random numbers and reveals only that calls belong together.
   */
  readonly sendTraceparent?: boolean | ((model: string) => boolean)
  /**
   * Parent span of the whole program, such as a CI job passes in `TRACEPARENT`. Used for runs without a
   * caller's header and without an active span. An invalid one is ignored. Default: none.
   */
  readonly parent?: TraceContext | undefined
}

/**
 * Reports runs as spans and metrics through `@opentelemetry/api`, following its conventions for
 * generative AI. Pass it to an agent or a decider as `tracing`. It exports nothing itself: the SDK that
 * the program registers does, at any time; without one, a run costs one lookup.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export async function openTelemetry(options: OpenTelemetryOptions = {}): Promise<Tracing> {
  checkOptions(options)
  const api = await import('@opentelemetry/api')
  const { OtelTracing } = await import('./otel-tracing.ts')
  return new OtelTracing(api, options)
}

/** A string, as from a config file, could switch on an unwanted export. */
function checkOptions({
  captureContent = false,
  mostText = 0,
  mostMessages = 0,
}: OpenTelemetryOptions): void {
  if (typeof captureContent !== 'boolean')
    throw wrong(`captureContent cannot be ${String(captureContent)}; give true or false`)
  for (const [name, value] of Object.entries({ mostText, mostMessages })) {
    if (!Number.isInteger(value) || value < 0)
      throw wrong(`${name} cannot be ${String(value)}; give a whole number of at least 0`)
  }
}

const wrong = (what: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `openTelemetry: ${what}`)
