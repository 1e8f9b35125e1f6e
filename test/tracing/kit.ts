import { context, metrics, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  type DataPoint,
  type ExponentialHistogram,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

/** A real SDK that collects its output. */
export class Heard {
  readonly #spans = new InMemorySpanExporter()
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  readonly #reader = new PeriodicExportingMetricReader({
    exporter: this.#metrics,
    exportIntervalMillis: 3_600_000,
  })

  constructor({ sampler }: { readonly sampler?: Sampler } = {}) {
    const spanProcessors = [new SimpleSpanProcessor({ exporter: this.#spans })]
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors, ...(sampler && { sampler }) }),
    )
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [this.#reader] }))
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  }

  get spans(): readonly ReadableSpan[] {
    return this.#spans.getFinishedSpans()
  }

  /** The only span of this name. */
  span(name: string): ReadableSpan {
    const found = this.spans.filter((span) => span.name === name)
    if (found.length === 1 && found[0] !== undefined) return found[0]
    throw new Error(`${found.length} spans are called ${name}; there are ${this.tree().join(' ')}`)
  }

  /** Names, each after as many dots as its depth. */
  tree(parent?: string): readonly string[] {
    return this.spans
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
      .toSorted((a, b) => begin(a) - begin(b))
      .flatMap((span) => [
        span.name,
        ...this.tree(span.spanContext().spanId).map((name) => `.${name}`),
      ])
  }

  /** The measurements under a name, point by point. */
  async figure(
    name: string,
  ): Promise<readonly DataPoint<number | Histogram | ExponentialHistogram>[]> {
    await this.#reader.forceFlush()
    const all = this.#metrics.getMetrics().at(-1)?.scopeMetrics ?? []
    const found = all
      .flatMap((scope) => scope.metrics)
      .find(({ descriptor }) => descriptor.name === name)
    return found?.dataPoints ?? []
  }

  /** Everything that would be exported, as text. */
  async everything(): Promise<string> {
    await this.#reader.forceFlush()
    const spans = this.spans.map(({ name, attributes, events, links, status }) => ({
      name,
      attributes,
      events,
      links,
      status,
    }))
    return JSON.stringify([
      spans,
      this.#metrics.getMetrics().map(({ scopeMetrics }) => scopeMetrics),
    ])
  }

  [Symbol.dispose](): void {
    trace.disable()
    metrics.disable()
    context.disable()
  }
}

const begin = ({ startTime: [seconds, nanos] }: ReadableSpan): number => seconds * 1e9 + nanos

export const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId
export const idOf = (span: ReadableSpan): string => span.spanContext().spanId

/** The sum of a histogram's point. */
export const sumOf = (
  point: DataPoint<number | Histogram | ExponentialHistogram> | undefined,
): number | undefined => (typeof point?.value === 'object' ? point.value.sum : point?.value)
