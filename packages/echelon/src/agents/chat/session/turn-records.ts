import type { Amounts } from '../../../core/agent/budget.ts'
import { EchelonError } from '../../../core/value/error.ts'
import type { Listener, RunEvent } from '../../../core/agent/event.ts'
import { isApproval } from '../../../core/agent/permission.ts'
import type { JsonObject } from '../../../core/value/json.ts'
import type { Generated } from '../../../core/agent/observation.ts'
import type { Clock } from '../../../core/agent/ports.ts'
import type { Recorder, RungUsage } from '../../../core/observability/run-record.ts'
import { timestampIn } from '../../../core/value/timestamp.ts'

/** What is on record of every turn of an agent. */
export interface TurnRecordsOptions {
  readonly agent: string
  readonly clock: Clock
  /** IANA name. */
  readonly timeZone: string
  /** What the agent goes by, as JSON can hold it: a digest of it is kept. */
  readonly settings: object
}

/** A turn as it begins. */
export interface RecordedTurn {
  /** The user's text; a digest of it is kept. */
  readonly input: string
  readonly session: string | undefined
  /** As `provider/model`; nothing before one was loaded. */
  readonly model: string | undefined
  readonly resumed?: true
}

/** What is needed of a run. */
interface Followed {
  readonly id: string
  /** Without what the run had spent that it was forked from: that is on the record of the other. */
  readonly ownSpent: Amounts
  readonly result: Promise<{ readonly reason: string }>
}

const HEARD: ReadonlySet<RunEvent['type']> = new Set([
  'step-end',
  'tool-end',
  'request-open',
  'request-close',
])

/**
 * Tells whoever keeps records of the turns of an agent: that one began, what its tools did, what was
 * approved, and what it took, by model. Of a run in which the agent is a sub-agent nothing is told:
 * it is on the record of the agent that began it.
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

  /** Must be called as soon as the run is begun: it is on record before what it does. */
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
      // Whoever works on it has it on record to its end: an end told here would take that one's place.
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

/** The mode of what is no case to be proved. */
const CONVERSATION = 'chat'

interface Turn {
  readonly taskId: string
  /** What answers took, by model. */
  readonly called: Map<string, Took>
  /** Tools that wait to be approved, by request. */
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
  if (event.type === 'step-end') {
    const { seen } = event
    const all = seen.type === 'together' ? seen.observations : [seen]
    for (const one of all) if (one.type === 'generated') count(turn, one)
  }
  return undefined
}

function count({ called }: Turn, { model, usage, cost, assumed }: Generated): void {
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
 * What each model took. The ledger has the whole, by role; what no answer accounts for, such as
 * attempts that failed, is the agent's own model's.
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
