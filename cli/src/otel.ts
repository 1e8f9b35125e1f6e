import { type Command, InvalidArgumentError } from 'commander'
import type { TraceContext, Tracing } from '@echelon/telemetry'
import { clean } from './terminal/clean.ts'
import type { Io } from './io.ts'

/** Value of `--otel`: a URL, or true for the default one. */
export interface OtelOptions {
  readonly otel?: string | true
}

/** The option of every command that runs an agent. */
export const withOtel = (command: Command): Command =>
  command.option(
    '--otel [url]',
    'send traces and metrics to a collector, as OTLP over HTTP; default: http://localhost:4318',
    collector,
  )

/** For an agent or a decider. */
type Traced = { readonly tracing?: Tracing }

/**
 * Runs work with tracing, if enabled, and sends its spans and metrics. An unreachable collector is one
 * sentence on stderr and does not change the result.
 */
export async function withTraces<Result>(
  io: Io,
  { otel }: OtelOptions,
  work: (traced: Traced) => Promise<Result>,
): Promise<Result> {
  if (otel === undefined) return work({})
  const sender = await openSender(io.env, otel === true ? undefined : otel)
  try {
    const { openTelemetry } = await import('@echelon/telemetry')
    return await work({ tracing: await openTelemetry({ parent: parentHere(io) }) })
  } finally {
    const problem = await sender.close()
    if (problem !== undefined) io.stderr.write(`echelon: ${clean(problem)}\n`)
  }
}

/** Trace that the caller, such as a CI job, passes in the environment. */
function parentHere(io: Io): TraceContext | undefined {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = io.env
  return traceparent === undefined ? undefined : { traceparent, tracestate }
}

/** Commander takes the next word as the value, so a task after a bare `--otel` ends up here. */
function collector(address: string): string {
  const url = URL.parse(address)
  if (url !== null && /^https?:$/.test(url.protocol)) return address.replace(/\/+$/, '')
  throw new InvalidArgumentError(
    'It must be the URL of a collector, such as http://localhost:4318; for the default, put --otel last.',
  )
}

interface Sender {
  /** Sends what is left. @returns a sentence if not all of it arrived */
  close(): Promise<string | undefined>
}

/** Time limit for a collector to accept data, in milliseconds. */
const PATIENCE = 3000

/** Loaded on demand, because these packages are large. */
async function openSender(env: Io['env'], address: string | undefined): Promise<Sender> {
  const [{ context, diag, DiagLogLevel, metrics, trace }, { AsyncLocalStorageContextManager }] =
    await Promise.all([import('@opentelemetry/api'), import('@opentelemetry/context-async-hooks')])
  const problems: string[] = []
  const reporterFor = (signal: Signal): Report => {
    const place = withoutSecrets(urlOf(env, address, signal))
    return (problem) => void problems.push(`${problem} from ${place}`)
  }
  const [tracer, meter] = await Promise.all([
    spanSender(address, reporterFor('traces')),
    metricSender(address, reporterFor('metrics')),
  ])
  const note = (...said: readonly unknown[]): void => void problems.push(said.map(String).join(' '))
  const ignored = (): void => undefined
  diag.setLogger(
    { error: note, warn: note, info: ignored, debug: ignored, verbose: ignored },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(tracer)
  metrics.setGlobalMeterProvider(meter)
  return {
    async close() {
      const closing = await Promise.allSettled([tracer.shutdown(), meter.shutdown()])
      for (const api of [trace, metrics, context, diag]) api.disable()
      for (const one of closing) if (one.status === 'rejected') note(one.reason)
      return problems[0] === undefined ? undefined : unsent(problems[0])
    },
  }
}

const unsent = (problem: string): string =>
  `not all traces and metrics could be sent (${reasonIn(problem)}); --otel needs a collector that accepts OTLP over HTTP`

/** The packages log either an error with its stack as JSON, or a plain line. */
function reasonIn(problem: string): string {
  const known = /\b(?:connect|getaddrinfo) E[A-Z]+ [^\s"\\()]+|\bRequest timed out\b/.exec(problem)
  if (known !== null) return known[0]
  const [line = ''] = messageIn(problem).split('\n', 1)
  return line.slice(0, 200)
}

function messageIn(problem: string): string {
  try {
    const { message }: { readonly message?: unknown } = JSON.parse(problem)
    return typeof message === 'string' ? message : problem
  } catch {
    return problem
  }
}

/** Reports a problem of one exporter. */
type Report = (problem: string) => void

interface Exporter<Items> {
  export(items: Items, done: (result: { readonly error?: Error }) => void): void
}

/** Reports a refusal of the collector with status and address, which the packages leave out. */
function reportRefusals<Items>(exporter: Exporter<Items>, report: Report): void {
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      const { error } = result
      if (error !== undefined && 'code' in error && typeof error.code === 'number') {
        report(`${error.code} ${error.message.slice(0, 80)}`)
      }
      done(result)
    })
}

/** Removes user, password and parameters, which may be secrets. */
function withoutSecrets(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? url : `${parsed.origin}${parsed.pathname}`
}

async function spanSender(address: string | undefined, report: Report) {
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const exporter = new OTLPTraceExporter(addressed(address, 'traces'))
  reportRefusals(exporter, report)
  return new TracerProvider({
    resource: await ownResource(),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
}

async function metricSender(address: string | undefined, report: Report) {
  const [{ MeterProvider, PeriodicExportingMetricReader }, { OTLPMetricExporter }] =
    await Promise.all([
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-metrics-otlp-http'),
    ])
  const exporter = new OTLPMetricExporter(addressed(address, 'metrics'))
  reportRefusals(exporter, report)
  const readers = [new PeriodicExportingMetricReader({ exporter })]
  return new MeterProvider({ resource: await ownResource(), readers })
}

type Signal = 'traces' | 'metrics'

/** URL that a signal is sent to, from `--otel` or the environment. */
function urlOf(env: Io['env'], address: string | undefined, signal: Signal): string {
  const own = env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]
  if (address === undefined && own !== undefined && own !== '') return own
  const base = address ?? (env['OTEL_EXPORTER_OTLP_ENDPOINT'] || 'http://localhost:4318')
  return `${base.replace(/\/+$/, '')}/v1/${signal}`
}

/** Without an address the exporters read the variables of the specification, `OTEL_EXPORTER_…`. */
const addressed = (
  address: string | undefined,
  signal: Signal,
): { readonly timeoutMillis: number; readonly url?: string } => ({
  timeoutMillis: PATIENCE,
  ...(address === undefined ? {} : { url: `${address}/v1/${signal}` }),
})

/** Default resource; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` add to it. */
async function ownResource() {
  const { detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources')
  const detected = detectResources({ detectors: [envDetector] })
  return resourceFromAttributes({ 'service.name': 'echelon' }).merge(detected)
}
