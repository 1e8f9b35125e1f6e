import type { Amounts } from '../../../core/agent/budget.ts'
import { EchelonError } from '../../../core/value/error.ts'
import type { Listener, RunEvent } from '../../../core/agent/event.ts'
import { isApproval } from '../../../core/agent/permission.ts'
import { isJsonObject, type JsonObject } from '../../../core/value/json.ts'
import type { CallTook } from '../../../core/agent/observation.ts'
import type { Clock } from '../../../core/agent/ports.ts'
import type { Recorder, RungUsage } from '../../../core/observability/run-record.ts'
import { timestampIn } from '../../../core/value/timestamp.ts'

/** The records of every turn of an agent. */
export interface TurnRecordsOptions {
  readonly agent: string
  readonly clock: Clock
  /** IANA name. */
  readonly timeZone: string
  /** The agent's definition as JSON; only its digest is kept. */
  readonly settings: object
}

/** The start of a turn. */
export interface RecordedTurn {
  /** The user's text; only its digest is kept. */
  readonly input: string
  readonly session: string | undefined
  /** As `provider/model`; undefined before one was loaded. */
  readonly model: string | undefined
  readonly resumed?: true
}

/** The parts of a run that records need. */
interface Followed {
  readonly id: string
  /** Without the spending of the run that it was forked from, which that run's record has. */
  readonly ownSpent: Amounts
  readonly result: Promise<{ readonly reason: string }>
}

const HEARD: ReadonlySet<RunEvent['type']> = new Set([
  'middleware',
  'step-end',
  'tool-end',
  'request-open',
  'request-close',
])

/**
 * Records the turns of an agent: that one began, what its tools did, what was approved, how a cascade
 * judged its answers, and the usage by model. The run of a sub-agent is not recorded here: it is on the record of the agent that
 * started it.
 */
export class TurnRecords {
  readonly listener: Listener
  readonly #records: Recorder
  readonly #options: TurnRecordsOptions
  readonly #turns = new Map<string, Turn>()

  constructor(records: Recorder, options: TurnRecordsOptions) {
    this.#records = records
    this.#options = options
    this.listener = { hear: (event, run) => this.#hear(event, run), only: HEARD }
  }

  /** Must be called as soon as the run starts, so that the start is recorded before its actions. */
  follow(run: Followed, { input, session, model, resumed }: RecordedTurn): void {
    const { agent, settings } = this.#options
    const of = { runId: run.id, taskId: session ?? run.id }
    const turn: Turn = { taskId: of.taskId, called: new Map(), asked: new Map() }
    this.#turns.set(run.id, turn)
    this.#records.record({
      ...this.#now(),
      ...of,
      type: 'run-started',
      agent,
      mode: CONVERSATION,
      models: model === undefined ? [] : [model],
      input,
      settings,
      resumed: resumed === true,
    })
    const ended = (finishReason: string): void => {
      this.#turns.delete(run.id)
      const { ownSpent: spent } = run
      this.#records.record({
        ...this.#now(),
        ...of,
        type: 'run-ended',
        agent,
        mode: CONVERSATION,
        finishReason,
        limit: /^budget:(.+)$/.exec(finishReason)?.[1] ?? null,
        verified: false,
        seconds: spent['seconds'] ?? 0,
        toolCalls: spent['tools'] ?? 0,
        actSteps: 0,
        rungs: rungsOf(turn, spent, model ?? [...turn.called.keys()][0] ?? 'unknown'),
        artifacts: [],
      })
    }
    const broken = (error: unknown): void => {
      const code = error instanceof EchelonError ? error.code : undefined
      // The process that works on it records it to its end: an end recorded here would take its place.
      if (code === 'RUN_BUSY' || code === 'SESSION_BUSY') {
        this.#turns.delete(run.id)
        this.#records.record({ ...this.#now(), type: 'run-refused', agent, code })
      } else ended(code === 'RUN_SUSPENDED' ? 'suspended' : 'failed')
    }
    void run.result.then(({ reason }) => ended(reason), broken)
  }

  #hear(event: RunEvent, runId: string): void {
    const turn = this.#turns.get(runId)
    if (turn === undefined) return
    const act = actOf(turn, event)
    if (act === undefined) return
    const { taskId } = turn
    this.#records.record({ ...this.#now(), type: 'run-acted', runId, taskId, ...act })
  }

  #now(): { readonly ts: string } {
    const { clock, timeZone } = this.#options
    return { ts: timestampIn(timeZone, clock.now()) }
  }
}

/** The mode of a turn, which is not a case to decide. */
const CONVERSATION = 'chat'

interface Turn {
  readonly taskId: string
  /** Usage of answers, by model. */
  readonly called: Map<string, Took>
  /** Tools that await approval, by request. */
  readonly asked: Map<string, string>
}

type Took = Required<Omit<RungUsage, 'tier' | 'model'>>

const NOTHING: Took = {
  llmCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
  knownCost: 0,
  unpricedCalls: 0,
  assumedCalls: 0,
}

interface Act {
  readonly actor: string
  readonly action: string
  readonly details: JsonObject
}

function actOf(turn: Turn, event: RunEvent): Act | undefined {
  if (event.type === 'tool-end') {
    const { call, outcome } = event
    const { tool, input } = call
    const failed = outcome.type === 'error' ? { error_code: outcome.code } : {}
    const details = { tool, args: input, outcome: outcome.type, ...failed }
    return { actor: 'agent', action: 'tool_called', details }
  }
  if (event.type === 'request-close') {
    const tool = turn.asked.get(event.request)
    if (tool === undefined) return undefined
    turn.asked.delete(event.request)
    return { actor: 'user', action: 'approval', details: { tool, reply: event.reply } }
  }
  if (event.type === 'request-open' && isApproval(event.about)) {
    turn.asked.set(event.request, event.about.tool)
  }
  if (event.type === 'middleware') return cascadeAct(event)
  if (event.type === 'step-end') {
    const { seen } = event
    const all = seen.type === 'together' ? seen.observations : [seen]
    for (const one of all)
      if (one.type === 'generated') for (const call of one.took ?? [one]) count(turn, call)
  }
  return undefined
}

/** The decision of a cascade about an answer, without texts that may quote the user: its evidence, and what the next model is told. */
function cascadeAct({
  middleware,
  event,
  data,
}: Extract<RunEvent, { type: 'middleware' }>): Act | undefined {
  if (middleware !== 'cascade' || !isJsonObject(data)) return undefined
  const { evidence: _, told: _told, ...details } = data
  return {
    actor: 'cascade',
    action: event === 'promoted' ? 'answer_promoted' : 'answer_taken',
    details,
  }
}

function count({ called }: Turn, { model, usage, cost, assumed }: CallTook): void {
  called.set(
    model,
    plus(called.get(model) ?? NOTHING, {
      llmCalls: 1,
      promptTokens: usage.input,
      completionTokens: usage.output,
      knownCost: cost ?? 0,
      unpricedCalls: cost === null ? 1 : 0,
      assumedCalls: assumed === undefined ? 0 : 1,
    }),
  )
}

/**
 * The usage of each model. The ledger has the totals by role; usage without an answer, such as failed
 * attempts, counts for the agent's own model.
 */
function rungsOf({ called }: Turn, spent: Amounts, model: string): readonly RungUsage[] {
  const answered = [...called.values()].reduce(plus, NOTHING)
  const own = plus(called.get(model) ?? NOTHING, less(inLedger(spent), answered))
  const rungs = new Map([[model, own], ...[...called].filter(([name]) => name !== model)])
  return [...rungs].map(([name, { assumedCalls, ...took }]) => ({
    tier: CONVERSATION,
    model: name,
    ...took,
    ...(assumedCalls > 0 && { assumedCalls }),
  }))
}

function inLedger(spent: Amounts): Took {
  const sum = (kind: string): number =>
    Object.entries(spent).reduce(
      (total, [counter, amount]) => (counter.startsWith(`${kind}.`) ? total + amount : total),
      0,
    )
  return {
    llmCalls: sum('calls'),
    promptTokens: sum('input'),
    completionTokens: sum('output'),
    knownCost: sum('money'),
    unpricedCalls: sum('unpriced'),
    assumedCalls: sum('assumed'),
  }
}

const plus = (one: Took, other: Took): Took => eachOf(one, other, (a, b) => a + b)

const less = (all: Took, part: Took): Took => eachOf(all, part, (a, b) => Math.max(0, a - b))

const eachOf = (one: Took, other: Took, of: (a: number, b: number) => number): Took => ({
  llmCalls: of(one.llmCalls, other.llmCalls),
  promptTokens: of(one.promptTokens, other.promptTokens),
  completionTokens: of(one.completionTokens, other.completionTokens),
  knownCost: of(one.knownCost, other.knownCost),
  unpricedCalls: of(one.unpricedCalls, other.unpricedCalls),
  assumedCalls: of(one.assumedCalls, other.assumedCalls),
})
