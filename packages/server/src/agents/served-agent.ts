import type { Json, JsonObject, Message, RunEvent } from 'echelon/runtime'

/** A tool that the client executes. The run waits for its result. */
export interface ClientTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: JsonObject
}

/** A file that the user sends along. */
export interface TurnFile {
  readonly name: string | null
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** The input of a turn, in the terms of no protocol. */
export interface TurnInput {
  /** What the user says now. */
  readonly text: string
  /**
   * Earlier messages that a stateless client sends along, oldest first, without the last one. Only
   * agents with `accepts.history` get any.
   */
  readonly history?: readonly Message[]
  /** Only agents with `accepts.files` get any. */
  readonly files?: readonly TurnFile[]
  /** Only agents with `accepts.tools` get any. */
  readonly tools?: readonly ClientTool[]
  /** JSON Schema of the answer. Only agents with `accepts.output` get one. */
  readonly output?: JsonObject
  /** The agent's own options; see `ServedAgent.options`. */
  readonly options?: JsonObject
}

/** What the server knows of a turn besides its input. */
export interface TurnContext {
  /** The id of the run. Ignored by an agent that derives its own. */
  readonly runId: string
  /** The conversation, by its stored id; absent for a turn of its own. */
  readonly session?: string
  /** The user of the server that it works for. */
  readonly caller: string
  /** US dollars that the turn may cost at most, besides the agent's own limit; absent for no further limit. */
  readonly maxCost?: number
  /** Stored with the run where the agent allows it. */
  readonly made: Json
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}

/** Spending of one model in a turn. */
export interface RungUsage {
  readonly model: string
  readonly calls: number
  readonly input: number
  readonly output: number
  /** US dollars; `null` when a price is unknown. */
  readonly cost: number | null
}

/** How a turn ended, for every agent alike. */
export interface TurnEnd {
  readonly status: 'finished' | 'canceled' | 'failed'
  /** The answer; empty if there is none. */
  readonly text: string
  /** The object of an answer by a schema. */
  readonly output?: Json
  /** Why it ended, in the agent's words, such as `stop`, `success` or `budget:money`. */
  readonly reason: string
  /** A sentence for a person, if the answer is not complete. */
  readonly detail: string | null
  /** Tokens of all models. */
  readonly usage: { readonly input: number; readonly output: number }
  /** US dollars; `null` when a price is unknown. */
  readonly cost: number | null
  /** By model, cheapest first; empty if the agent does not tell. */
  readonly rungs: readonly RungUsage[]
  /** What the verification says of the answer; `unchecked` without one. */
  readonly checked: 'proved' | 'supported' | 'unsupported' | 'refuted' | 'unchecked'
  /** How likely the answer is right, 0 to 1; `null` without a score. */
  readonly confidence: number | null
  /** Whether a bigger model was asked after a smaller one. */
  readonly escalated: boolean
  /** Whether the agent asked the user for something, so that the conversation continues. */
  readonly needsInput: boolean
  /** Details of this kind of agent, for its own views. JSON. */
  readonly details: JsonObject
}

/** A turn in progress. It listens to its events from the moment it is made; they are read once. */
export interface ServedRun extends AsyncIterable<RunEvent> {
  readonly id: string
  /** Resolves even if a model failed. Rejects if the run was suspended (RUN_SUSPENDED) or the program has a bug. */
  readonly outcome: Promise<TurnEnd>
  cancel(): void
  /** @throws EchelonError UNKNOWN_REQUEST, or INVALID_INPUT for an invalid reply; the run keeps waiting */
  respond(request: string, reply: Json): void
  /** Suspends it as soon as nothing is lost; absent if the agent can't. */
  suspend?(): void
}

/** An agent as the server sees it. A new kind of agent is served by implementing this. */
export interface ServedAgent {
  /** In addresses: letters, digits, `-` and `_`. */
  readonly name: string
  /** The name of its runs in the store. */
  readonly definition: string
  readonly kind: 'decide' | 'chat' | 'support' | 'assist' | 'other'
  /** One sentence: what it does. */
  readonly description: string
  /** Models as `provider/model`, cheapest first; empty if it does not tell. */
  readonly models: readonly string[]
  /** Tools of its own, by name and description, for cards and lists. */
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  /** What it takes of a turn's input. `sessions` means that it keeps conversations. */
  readonly accepts: {
    readonly sessions: boolean
    readonly history: boolean
    readonly files: boolean
    readonly tools: boolean
    readonly output: boolean
    /** Whether it keeps to `TurnContext.maxCost`. Default false. */
    readonly maxCost?: boolean
  }
  /** JSON Schema of `TurnInput.options`. */
  readonly options: JsonObject
  /**
   * The most that a turn may cost by its own limit, in US dollars; `null` without one. A turn with
   * `maxCost` stays below both.
   */
  readonly maxCost: number | null
  /** Whether its runs need files of this machine, so that no worker can perform them. Default false. */
  readonly needsThisMachine?: boolean
  /** Whether other processes perform its runs, and this one follows them. Default false. */
  readonly isElsewhere?: boolean
  /**
   * Starts a turn.
   * @throws EchelonError INVALID_INPUT, SESSION_BUSY, RUN_BUSY, INVALID_CONFIG, or the errors of loading a model
   */
  start(input: TurnInput, context: TurnContext): Promise<ServedRun>
  /** Resumes a run of the store; absent if the agent can't. `session` is the id that the run is a turn of. */
  resume?(runId: string, session: string | null): Promise<ServedRun>
  /** Reads how a run of the store ended. Default: the outcome of `resume`. */
  endOf?(runId: string, session: string | null): Promise<TurnEnd | undefined>
  /**
   * Starts a run from a step of another one; absent if the agent can't.
   * @throws EchelonError INVALID_INPUT for a step that was never reached
   */
  fork?(runId: string, options: ForkTurn): Promise<ServedRun>
}

export interface ForkTurn {
  /** The id of the new run. */
  readonly as: string
  /** The first step that is run again, from 0 on. */
  readonly at: number
  /** Names of tools that may act again; others answer from the record. */
  readonly act?: readonly string[]
}
