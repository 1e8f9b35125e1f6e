import { z } from 'zod'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Artifact, ArtifactStore } from '../../packages/echelon/src/core/tool/artifact.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Json, JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import type { BoundModel, Price } from '../../packages/echelon/src/core/model/model.ts'
import { seededIds } from '../../packages/echelon/src/core/value/random.ts'
import type { Tracing } from '../../packages/echelon/src/core/observability/tracing.ts'
import type { Recorder } from '../../packages/echelon/src/core/observability/run-record.ts'
import {
  defineTool,
  type Tool,
  ToolError,
  type ToolOutcome,
} from '../../packages/echelon/src/core/tool/tool.ts'
import type { AnswerGate } from '../../packages/echelon/src/agents/decide/answers/answer-gate.ts'
import { dateInWords } from '../../packages/echelon/src/agents/decide/case/date-in-words.ts'
import { Decider } from '../../packages/echelon/src/agents/decide/decider.ts'
import { type Policy, policyFor } from '../../packages/echelon/src/agents/decide/settings/modes.ts'
import {
  completeSettings,
  type Mode,
  MODES,
  type PartialSettings,
} from '../../packages/echelon/src/agents/decide/settings/settings.ts'
import {
  type Evidence,
  type Loop,
  RULES,
  type Task,
} from '../../packages/echelon/src/agents/decide/state.ts'
import {
  asBound,
  type ScriptedAnswer,
  type ScriptedModel,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import type { StandardClaim } from '../../packages/echelon/src/agents/decide/verifiers/standard.ts'
import { VERIFIERS } from './verifiers.ts'

// ---- model output ----

/** An action as a model writes it. */
export interface PlannedAction {
  readonly tool: string
  readonly args: JsonObject
}

/** A completion that holds a plan, in the form on the wire. */
export const planOf = (...actions: readonly PlannedAction[]): string =>
  JSON.stringify({ actions: actions.map(({ tool, args }): Json => ({ tool, args })), cannot: null })

export const calc = (expr: string): PlannedAction => ({ tool: 'calculator', args: { expr } })

export const date = (query: string): PlannedAction => ({ tool: 'calendar', args: { query } })

/** The plan for a question about the last `n` closes, their average and a plot. */
export const stockPlan = (n = 30, ticker = 'AAPL'): string =>
  planOf(
    { tool: 'data_fetch_stock', args: { ticker, n } },
    { tool: 'numeric_analysis', args: { series: '$1.series' } },
    { tool: 'plotter', args: { series: '$1.series', ma7: '$2.ma7' } },
  )

export const DECLINED = '{"actions":null,"cannot":"it is beyond me"}'

// ---- tasks with a known solution ----

export const MATH_TASK = 'What is 15 * 23?'
export const DATE_TASK = 'What day of the week is September 8, 2025?'
export const STOCK_TASK =
  'Show me last 30 days closing price for AAPL and plot it with 7-day moving average'

// ---- tools without side effects ----

const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}

function compute(expr: string): number {
  const [, a, operator, b] = /^(-?[\d.]+) *([-+*/]) *(-?[\d.]+)$/.exec(expr.trim()) ?? []
  const value = OPERATIONS[operator ?? '']?.(Number(a), Number(b)) ?? Number(expr)
  if (Number.isFinite(value)) return value
  throw new ToolError('INVALID_ARGS', `${expr} is not arithmetic`)
}

const calculator = defineTool({
  name: 'calculator',
  description: 'Computes.',
  input: z.strictObject({ expr: z.string() }),
  run: ({ expr }) => ({ value: String(compute(expr)), kind: 'data' }),
})

const calendar = defineTool({
  name: 'calendar',
  description: 'Finds a date.',
  input: z.strictObject({ query: z.string(), today: z.string().optional() }),
  run({ query }) {
    const [, day] = /(?:September |2025-09-)(\d+)/.exec(query) ?? []
    if (day === undefined) throw new ToolError('INVALID_ARGS', `${query} names no date`)
    return { date_str: dateInWords(`2025-09-${day.padStart(2, '0')}`), kind: 'text' }
  },
})

const ROW = z.strictObject({ date: z.string(), close: z.number() })

/** `n` days of prices that rise by half a dollar, the first on August 1, 2025. */
export const risingPrices = (n: number): { date: string; close: number }[] =>
  Array.from({ length: n }, (_, day) => ({
    date: new Date(Date.UTC(2025, 7, 1 + day)).toISOString().slice(0, 10),
    close: 100 + day / 2,
  }))

/** The average of seven days, null for the first six, and the mean of all. */
export function analyze(closes: readonly number[]): { ma7: (number | null)[]; mean: number } {
  const mean = (some: readonly number[]): number =>
    some.reduce((sum, one) => sum + one, 0) / some.length
  const ma7 = closes.map((_, day) => (day < 6 ? null : mean(closes.slice(day - 6, day + 1))))
  return { ma7, mean: mean(closes) }
}

const fetchStock = defineTool({
  name: 'data_fetch_stock',
  description: 'Fetches prices.',
  input: z.strictObject({ ticker: z.string(), n: z.int() }),
  run({ ticker, n }) {
    if (ticker !== 'AAPL') throw new ToolError('INVALID_ARGS', `there are no prices of ${ticker}`)
    return { series: risingPrices(n), kind: 'data' }
  },
})

const analysis = defineTool({
  name: 'numeric_analysis',
  description: 'Averages prices.',
  input: z.strictObject({ series: z.array(ROW) }),
  run({ series }) {
    const { ma7, mean } = analyze(series.map(({ close }) => close))
    return { ma7, stats: { mean }, kind: 'data' }
  },
})

const plotter = defineTool({
  name: 'plotter',
  description: 'Plots prices.',
  input: z.strictObject({ series: z.array(ROW), ma7: z.array(z.number().nullable()).optional() }),
  async run(_, { artifacts }) {
    const { path } = await artifacts.write('plot.png', new Uint8Array([137, 80, 78, 71]))
    return { image_path: path, kind: 'file' }
  },
})

/** Stand-ins for the built-in tools, with their names, arguments and results. */
export const TOOLS: readonly Tool[] = [calculator, calendar, fetchStock, analysis, plotter]

/** The same tools with some of them replaced by name. */
export const toolsWith = (...others: readonly Tool[]): readonly Tool[] => [
  ...TOOLS.filter(({ name }) => !others.some((other) => other.name === name)),
  ...others,
]

/** Stores nothing, and reports every file as a drawn image. */
export const artifacts: ArtifactStore = {
  write: (name, { length }) => Promise.resolve(pngArtifact({ name, bytes: length })),
}

export const pngArtifact = (facts: Partial<Artifact> = {}): Artifact => ({
  name: 'plot.png',
  path: `/artifacts/${facts.name ?? 'plot.png'}`,
  mediaType: 'image/png',
  bytes: 4,
  sha256: 'ab12',
  image: { width: 640, height: 480, ink: 0.1 },
  ...facts,
})

// ---- a scripted decider ----

export interface Scripts {
  readonly small?: readonly ScriptedAnswer[]
  readonly big?: readonly ScriptedAnswer[]
  readonly settings?: PartialSettings
  readonly tools?: readonly Tool[]
  readonly journal?: Journal
  readonly clock?: SetClock
  readonly price?: Price
  readonly tracing?: Tracing
  readonly records?: Recorder
  readonly gate?: AnswerGate
  /** Answers of the model that the gate asks as `opinion`. */
  readonly opinion?: readonly ScriptedAnswer[]
}

export interface Scripted {
  readonly decider: Decider
  readonly small: ScriptedModel
  readonly big: ScriptedModel
  readonly opinion: ScriptedModel
  readonly clock: SetClock
}

/** A decider with a fixed clock, whose models give exactly their scripted answers. */
export function scripted(scripts: Scripts = {}): Scripted {
  const { clock = new SetClock(), settings, journal, records, tracing, price = () => 0 } = scripts
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve))
  const small = scriptedModel(scripts.small ?? [], { modelId: 'small', sleep })
  const big = scriptedModel(scripts.big ?? [], { modelId: 'big', sleep })
  const opinion = scriptedModel(scripts.opinion ?? [], { modelId: 'opinion', sleep })
  const bound: Readonly<Record<string, BoundModel>> = {
    'offline/opinion': asBound(opinion, 'scripted/opinion', price),
    'offline/small': asBound(small, 'scripted/small', price),
    'offline/big': asBound(big, 'scripted/big', price),
  }
  const decider = new Decider({
    settings: completeSettings({
      ...settings,
      models: { small_model: 'offline/small', big_model: 'offline/big', ...settings?.models },
    }),
    tools: scripts.tools ?? TOOLS,
    verifiers: VERIFIERS,
    resolveModel(name) {
      // A resumed case names the models that were bound.
      const model = bound[name] ?? Object.values(bound).find(({ id }) => id === name)
      if (model !== undefined) return Promise.resolve(model)
      return Promise.reject(new EchelonError('UNKNOWN_MODEL', `there is no model ${name}`))
    },
    services: {
      artifacts,
      clock,
      ids: seededIds(7),
      timeZone: 'Asia/Bangkok',
      retry: { retries: 2, baseMs: 0, factor: 2, jitter: 0 },
      ...(journal === undefined ? {} : { journal }),
    },
    ...(records === undefined ? {} : { records }),
    ...(tracing === undefined ? {} : { tracing }),
    ...(scripts.gate && { gate: scripts.gate }),
  })
  return { decider, small, big, opinion, clock }
}

/** The text of the last user message of a call, which is the planner's prompt. */
export function toldTo({ prompt }: LanguageModelV4CallOptions): string {
  const message = prompt.findLast(({ role }) => role === 'user')
  if (message?.role !== 'user') return ''
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

// ---- the agent's own values ----

export const policyOf = (
  settings: PartialSettings = {},
  mode: Mode = MODES[0],
  ask: AnswerGate['ask'] = {},
): Policy => policyFor(completeSettings(settings), mode, ask)

export const taskOf = (task: Partial<Task> = {}): Task => ({
  input: MATH_TASK,
  expectedTools: [],
  goldAnswer: null,
  seed: null,
  today: '2025-09-08',
  timeZone: 'UTC',
  runId: 'run',
  unchecked: 'answer',
  rules: RULES,
  ...task,
})

const CLAIM: StandardClaim = {
  kind: 'math',
  expressions: ['15 * 23'],
  quantities: ['15', '23'],
  why: 'as written',
}

export const loopOf = (loop: Partial<Loop> = {}): Loop => ({
  task: taskOf(),
  claim: CLAIM,
  rung: 0,
  rounds: 0,
  actSteps: 0,
  reprompt: null,
  best: 0,
  stalled: 0,
  evidence: [],
  failure: null,
  answer: null,
  checked: 'not_checked',
  ...loop,
})

export const evidenceOf = (tool: string, input: Json, outcome: ToolOutcome): Evidence => ({
  at: 0,
  rung: 0,
  round: 0,
  call: { id: `0.0.${tool}`, tool, input },
  outcome,
})

export const okOf = (value: Json): ToolOutcome => ({ type: 'ok', value })
