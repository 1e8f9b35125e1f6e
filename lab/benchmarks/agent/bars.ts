/** Upper limit of a figure. Bars are never moved: a missed one is reported as missed. */
export interface Bar {
  readonly what: string
  readonly unit: 'µs' | 'ns' | 'ms' | 'B' | 'MB' | 'times' | 'modules'
  /** Absent for figures that are only reported. */
  readonly most?: number
  /** `ai`: `most` is a share of the peer's figure in the same process; otherwise it is in the unit. */
  readonly of?: 'ai'
}

export type BarName =
  | 'turn'
  | 'step'
  | 'tools'
  | 'delta'
  | 'delta-web'
  | 'history'
  | 'given'
  | 'given-long'
  | 'growth'
  | 'bytes'
  | 'agent-heap'
  | 'session-heap'
  | 'import'
  | 'import-foreign'
  | 'crowd'
  | 'crowd-memory'
  | 'middleware'
  | 'filter'
  | 'tracing'
  | 'switch'
  | 'state-read'
  | 'state-update'
  | 'state-update-eight'
  | 'state-first-read'
  | 'schema-check'
  | 'build'
  | 'discovery'
  | 'provider-heap'
  | 'middleware-heap'
  | 'filter-heap'

export const BARS: Readonly<Record<BarName, Bar>> = {
  turn: { what: 'one turn', unit: 'µs', most: 0.05, of: 'ai' },
  step: { what: 'a step of a ten-tool loop', unit: 'µs', most: 0.06, of: 'ai' },
  tools: { what: 'eight tools of 5 ms at once', unit: 'ms', most: 5.3 },
  delta: { what: "a stream's delta, out of the event iterator", unit: 'µs', most: 0.5 },
  'delta-web': { what: 'the same, the model streaming through a web stream', unit: 'µs' },
  history: { what: 'a turn on 1,000 earlier messages', unit: 'µs', most: 0.05, of: 'ai' },
  given: { what: 'a turn given 1,000 messages to check', unit: 'µs', most: 0.3, of: 'ai' },
  'given-long': { what: 'a turn given 4,000 messages', unit: 'µs', most: 0.3, of: 'ai' },
  growth: { what: '200-step loop, steps 180-200 against 1-20', unit: 'times', most: 1.1 },
  bytes: { what: 'journal bytes at 100 steps against 50', unit: 'times', most: 2.1 },
  'agent-heap': { what: 'heap of an agent', unit: 'B', most: 300 },
  'session-heap': { what: 'heap of an idle session', unit: 'B', most: 1024 },
  import: { what: "import 'echelon'", unit: 'ms', most: 20 },
  'import-foreign': {
    what: "schema library, providers, SDK loaded by import 'echelon'",
    unit: 'modules',
    most: 0,
  },
  crowd: { what: '1,000 runs at once, three steps, 1 ms model', unit: 'ms', most: 0.25, of: 'ai' },
  'crowd-memory': { what: 'peak memory of these', unit: 'MB', most: 120 },
  middleware: { what: 'an empty middleware, per call', unit: 'µs', most: 1 },
  filter: { what: 'a filter of the prompt, per call', unit: 'µs', most: 2 },
  tracing: { what: 'tracing that no SDK hears, per run', unit: 'µs', most: 1 },
  switch: { what: 'provider switch, once loaded', unit: 'µs', most: 50 },
  'state-read': { what: 'state read', unit: 'ns', most: 20 },
  'state-update': { what: 'state update', unit: 'ns', most: 30 },
  'state-update-eight': { what: 'state update, with eight states in turn', unit: 'ns' },
  'state-first-read': { what: 'first read after a checkpoint', unit: 'ns', most: 150 },
  'schema-check': { what: 'schema check on resume', unit: 'µs', most: 5 },
  build: { what: 'agent build', unit: 'µs', most: 100 },
  discovery: { what: 'provider discovery', unit: 'ms', most: 5 },
  'provider-heap': { what: 'heap of a provider', unit: 'B', most: 1024 },
  'middleware-heap': { what: 'heap of a middleware', unit: 'B', most: 100 },
  'filter-heap': { what: 'heap of a filter', unit: 'B', most: 200 },
}

/** Measurement for one bar, in its unit. */
export interface Measured {
  readonly bar: BarName
  readonly echelon: number
  readonly ai?: number
  readonly bare?: number
  /** Medians of the ratios of each round. */
  readonly toAi?: number
  readonly toBare?: number
  readonly note?: string
}

/** Value to compare with the bar: the ratio to the peer, or the figure itself. */
export function isMet({ most, of }: Bar, { echelon, toAi }: Measured): boolean | undefined {
  const found = of === 'ai' ? toAi : echelon
  return most === undefined || found === undefined ? undefined : found <= most
}
