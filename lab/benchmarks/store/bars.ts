/** Upper limit of a figure of the store. Bars are never moved: a missed one is reported as missed. */
export interface StoreBar {
  readonly what: string
  readonly unit: 'µs' | 'ms' | 'B' | 'x'
  /** Absent for figures that are only reported. */
  readonly most?: number
}

export type StoreBarName =
  | 'step'
  | 'postgres'
  | 'postgres-bare'
  | 'growth'
  | 'growth-payload'
  | 'open'
  | 'open-new'
  | 'resume'
  | 'resume-warm'
  | 'agent'
  | 'agent-bytes'

export const STORE_BARS: Readonly<Record<StoreBarName, StoreBar>> = {
  step: { what: 'a durable step against a bare insert of its bytes', unit: 'x', most: 1.5 },
  postgres: { what: 'a durable step in PostgreSQL against one in a file', unit: 'x' },
  'postgres-bare': { what: 'the same against a bare insert of its bytes', unit: 'x' },
  growth: { what: 'bytes written by a step, around 1,000 against around 10', unit: 'x', most: 1.1 },
  'growth-payload': { what: 'the same, of the entries as JSON', unit: 'x', most: 1.1 },
  open: { what: 'opening the file, in a new process', unit: 'ms', most: 10 },
  'open-new': { what: 'making it', unit: 'ms' },
  resume: { what: 'resuming a run of 1,000 steps, in a new process', unit: 'ms', most: 30 },
  'resume-warm': { what: 'the same, in a process that has done it', unit: 'ms' },
  agent: { what: 'a step of an agent, of 1,000, all in', unit: 'µs' },
  'agent-bytes': { what: 'bytes written by a step, of 1,000', unit: 'B' },
}

/** Measurement for one bar, in its unit. */
export interface StoreMeasured {
  readonly bar: StoreBarName
  readonly found: number
  /** The same for LangGraph with its SqliteSaver. */
  readonly langgraph?: number
  readonly note?: string
}

export const isStoreBar = (name: string): name is StoreBarName => Object.hasOwn(STORE_BARS, name)
