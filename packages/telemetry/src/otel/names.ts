/**
 * Names from the semantic conventions for generative AI of November 2026, status "development":
 * https://github.com/open-telemetry/semantic-conventions-genai (docs/gen-ai). Copied here, because the
 * package marks them as incubating and may change them in any release.
 */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  outputType: 'gen_ai.output.type',
  requestModel: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  stream: 'gen_ai.request.stream',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  presencePenalty: 'gen_ai.request.presence_penalty',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  seed: 'gen_ai.request.seed',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  tokenType: 'gen_ai.token.type',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCall: 'gen_ai.tool.call.id',
  // Only if content is captured.
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
} as const

/** From the stable conventions. */
export const ERROR_TYPE = 'error.type'

/**
 * Names missing from the conventions. Budgets, finish reason and cost are proposed there
 * (semantic-conventions-genai #425, #171, #443); until they are agreed on, we use our own names.
 */
export const ECHELON = {
  run: 'echelon.run.id',
  path: 'echelon.run.path',
  status: 'echelon.run.status',
  reason: 'echelon.run.reason',
  steps: 'echelon.run.steps',
  resumed: 'echelon.run.resumed',
  /** OpenSpan by the counter, as in `echelon.budget.limit.tokens`. */
  limit: 'echelon.budget.limit.',
  spent: 'echelon.budget.spent.',
  step: 'echelon.step',
  role: 'echelon.role',
  cost: 'echelon.cost.usd',
  attempts: 'echelon.attempts',
  waitMs: 'echelon.retry.wait_ms',
  toolOutcome: 'echelon.tool.outcome',
  /** `tools`, or `checks` for the recomputations of an agent. */
  meter: 'echelon.tool.meter',
  refusedBy: 'echelon.refusal.by',
  refusedLimit: 'echelon.refusal.limit',
  verdict: 'echelon.verdict',
  metric: 'echelon.verdict.metric',
  decision: 'echelon.gate.decision',
  escalations: 'echelon.escalations',
  from: 'echelon.escalation.from',
  to: 'echelon.escalation.to',
  rung: 'echelon.rung',
  round: 'echelon.round',
  stage: 'echelon.note.stage',
  /** `approval` or `question`. */
  waitFor: 'echelon.wait.for',
  /** `answered` or `unanswered`: canceled, or too late. */
  waitOutcome: 'echelon.wait.outcome',
  middleware: 'echelon.middleware.name',
  middlewareEvent: 'echelon.middleware.event',
  message: 'echelon.error.message',
} as const

/** Events of a span. */
export const EVENTS = {
  retry: 'echelon.retry',
  refusal: 'echelon.refusal',
  verdict: 'echelon.verdict',
  gate: 'echelon.gate',
  escalation: 'echelon.escalation',
  note: 'echelon.note',
  middleware: 'echelon.middleware',
} as const

/** An instrument: its name, unit (UCUM) and, for a histogram, its bucket boundaries. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly buckets?: readonly number[]
}

const powers = (first: number, factor: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, power) => Number((first * factor ** power).toFixed(2)))

const CALL_SECONDS = powers(0.01, 2, 14)
const RUN_SECONDS = powers(0.1, 2, 13)
const COUNTS = powers(1, 2, 8)
/** Up to eleven days, because people take their time. */
const WAIT_SECONDS = powers(1, 4, 11)

export type HistogramName =
  | 'callSeconds'
  | 'firstChunkSeconds'
  | 'tokens'
  | 'runSeconds'
  | 'runModelCalls'
  | 'runToolCalls'
  | 'runSteps'
  | 'toolSeconds'
  | 'waitSeconds'

export type CounterName =
  | 'runs'
  | 'cost'
  | 'unpriced'
  | 'retries'
  | 'refusals'
  | 'verdicts'
  | 'decisions'
  | 'escalations'
  | 'middleware'

type FigureName = HistogramName | CounterName | 'cpuSeconds' | 'memory' | 'peakMemory'

/** The metrics. Buckets follow OpenTelemetry's conventions for metrics that these define. */
export const FIGURES: Readonly<Record<FigureName, Figure>> = {
  callSeconds: {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    description: 'Duration of a model call with its retries.',
    buckets: CALL_SECONDS,
  },
  firstChunkSeconds: {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    unit: 's',
    description: 'Time until the first text of a streamed answer.',
    buckets: CALL_SECONDS,
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Tokens of a model call, in and out.',
    buckets: powers(1, 4, 14),
  },
  runSeconds: {
    name: 'gen_ai.invoke_agent.duration',
    unit: 's',
    description: 'Duration of a run.',
    buckets: RUN_SECONDS,
  },
  runModelCalls: {
    name: 'gen_ai.invoke_agent.inference_calls',
    unit: '{inference_call}',
    description: 'Model calls of a run.',
    buckets: COUNTS,
  },
  runToolCalls: {
    name: 'gen_ai.invoke_agent.tool_calls',
    unit: '{tool_call}',
    description: 'Tool calls of a run.',
    buckets: COUNTS,
  },
  toolSeconds: {
    name: 'gen_ai.execute_tool.duration',
    unit: 's',
    description: 'Duration of a tool call.',
    buckets: CALL_SECONDS,
  },
  waitSeconds: {
    name: 'echelon.wait.duration',
    unit: 's',
    description: 'Time a run waited for a person.',
    buckets: WAIT_SECONDS,
  },
  runSteps: {
    name: 'echelon.run.steps',
    unit: '{step}',
    description: 'Steps of the loop in a run.',
    buckets: powers(1, 2, 11),
  },
  runs: { name: 'echelon.runs', unit: '{run}', description: 'Runs that ended, and how.' },
  cost: { name: 'echelon.cost', unit: '{USD}', description: 'Cost of model calls.' },
  unpriced: {
    name: 'echelon.calls.unpriced',
    unit: '{call}',
    description: 'Model calls of unknown cost.',
  },
  retries: {
    name: 'echelon.retries',
    unit: '{retry}',
    description: 'Retried calls of models and tools.',
  },
  refusals: {
    name: 'echelon.refusals',
    unit: '{refusal}',
    description: 'Work refused by a limit, a rule or a missing capability.',
  },
  verdicts: { name: 'echelon.verdicts', unit: '{verdict}', description: 'Answers judged.' },
  decisions: {
    name: 'echelon.gate.decisions',
    unit: '{decision}',
    description: 'Decision of the gate after a round.',
  },
  escalations: {
    name: 'echelon.escalations',
    unit: '{escalation}',
    description: 'Tasks promoted to a bigger model.',
  },
  middleware: {
    name: 'echelon.middleware.events',
    unit: '{event}',
    description: 'Events of middleware: alerts, opened breakers, fallbacks.',
  },
  cpuSeconds: {
    name: 'process.cpu.time',
    unit: 's',
    description: 'CPU time of the process, by mode.',
  },
  memory: {
    name: 'process.memory.usage',
    unit: 'By',
    description: 'Resident memory of the process.',
  },
  peakMemory: {
    name: 'echelon.process.memory.peak',
    unit: 'By',
    description: 'Peak resident memory of the process.',
  },
}
