import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { LiveRun } from '../runs/live-run.ts'
import { promptly } from './prompt-read.ts'

/** A figure that another package measures when the metrics are read. */
export interface Figure {
  /** In the words of Prometheus, such as `echelon_queue_depth`. */
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  readonly read: () => Promise<readonly FigureValue[]>
}

export interface FigureValue {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Gauges that are measured when the metrics are read. */
export interface Gauges {
  readonly working: () => number
  readonly streams: () => number
  readonly requests: () => Promise<number>
  readonly more: readonly Figure[]
}

/** Below the 10 seconds after which Prometheus gives a scrape up. A gauge that takes longer is left out. */
const GAUGE_MS = 5000

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60]

/** The metrics of a server, for Prometheus. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #runs: Counter<'agent' | 'status'>
  readonly #tokens: Counter<'agent' | 'model' | 'direction'>
  readonly #cost: Counter<'agent' | 'model'>
  readonly #escalations: Counter<'agent'>
  readonly #durations: Histogram<'method' | 'route' | 'status'>

  constructor({ working, streams, requests, more }: Gauges) {
    const registers = [this.#registry]
    const counter = <Label extends string>(
      name: string,
      help: string,
      labelNames: readonly Label[],
    ): Counter<Label> => new Counter({ name, help, labelNames: [...labelNames], registers })
    this.#runs = counter('echelon_runs_total', 'Ended runs', ['agent', 'status'])
    this.#tokens = counter('echelon_tokens_total', 'Tokens of models', [
      'agent',
      'model',
      'direction',
    ])
    this.#cost = counter('echelon_cost_usd_total', 'Known cost in US dollars', ['agent', 'model'])
    this.#escalations = counter('echelon_escalations_total', 'Runs that asked a bigger model', [
      'agent',
    ])
    this.#durations = new Histogram({
      name: 'echelon_http_request_duration_seconds',
      help: 'Time until a response begins',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    })
    gauge(registers, 'echelon_runs_working', 'Runs at work in this process', working)
    gauge(registers, 'echelon_open_streams', 'Clients that follow a run', streams)
    gauge(registers, 'echelon_waiting_requests', 'Requests that wait for an answer', requests)
    for (const figure of more) labeledGauge(registers, figure)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** A gauge that cannot be read, as while the database is away, has no value. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }

  ended({ agent: { name: agent } }: LiveRun, end: TurnEnd | undefined): void {
    if (end === undefined) return
    this.#runs.inc({ agent, status: end.status })
    if (end.escalated) this.#escalations.inc({ agent })
    for (const { model, input, output, cost } of end.rungs) {
      this.#tokens.inc({ agent, model, direction: 'input' }, input)
      this.#tokens.inc({ agent, model, direction: 'output' }, output)
      if (cost !== null) this.#cost.inc({ agent, model }, cost)
    }
  }

  /** Measures requests, by the route and not by the address, so that labels stay few. */
  readonly watch: MiddlewareHandler = async (c, next) => {
    const began = performance.now()
    await next()
    const labels = { method: c.req.method, route: routePath(c, -1), status: c.res.status }
    this.#durations.observe(labels, (performance.now() - began) / 1000)
  }
}

function labeledGauge(registers: Registry[], { name, help, labels, read }: Figure): void {
  const values = promptly(read, GAUGE_MS)
  void new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers,
    async collect() {
      const now = await values().catch(() => [])
      this.reset()
      // Without labels, a reset is a zero.
      if (now.length === 0 && labels.length === 0) this.remove()
      for (const { labels: its, value } of now) this.set({ ...its }, value)
    },
  })
}

const gauge = (
  registers: Registry[],
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void =>
  labeledGauge(registers, {
    name,
    help,
    labels: [],
    read: async () => [{ labels: {}, value: await read() }],
  })
