import type { ApprovalAbout, IntentView, KeptIntent } from 'echelon/client'
import type { AnyDefinition, Json, JsonObject, Message, RunEvent, Started } from 'echelon/runtime'

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
  /** The user's message. */
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

/** The server's context of a turn. */
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
  /** The verdict on the answer; `unchecked` without one. */
  readonly checked: 'proved' | 'supported' | 'unsupported' | 'refuted' | 'unchecked'
  /** Probability that the answer is right, 0 to 1; `null` without a score. */
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

/** Something of a conversation that an agent does only if a person allows it. */
export interface Review {
  readonly id: string
  /** The run in which it was asked for. */
  readonly run: string
  readonly tool: string
  readonly input: JsonObject
  /** The call as its customer understands it; `null` if the agent does not describe it. */
  readonly about: ApprovalAbout | null
  /** ISO 8601; `null` if it is not known. */
  readonly since: string | null
}

/** Work that waits for a person between two turns, with no run that asks for it. */
export interface Reviews {
  /** @param session the conversation, by its stored id */
  waiting(session: string): Promise<readonly Review[]>
  decide(session: string, decision: ReviewDecision): Promise<ServedRun>
}

export interface ReviewDecision {
  /** Of the review. */
  readonly id: string
  readonly approved: boolean
  /** The operator who decides. */
  readonly by: string
}

/** The intents of an assistant's users. Only a user changes theirs. */
export interface IntentKeeper {
  read(user: string): Promise<KeptIntent>
  /**
   * @param ifVersion writes only if the intent has this version
   * @throws EchelonError INVALID_INPUT for an intent that cannot be used
   */
  write(
    user: string,
    intent: IntentView,
    ifVersion: number | undefined,
  ): Promise<KeptIntent | 'conflict'>
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
  /** The kinds of input that it accepts. `sessions` means that it keeps conversations. */
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
  /**
   * Prefix of the ids of its conversations in the store, for an agent that keeps them beside those of its turns.
   * Default: no prefix.
   */
  readonly keptUnder?: string
  /** Absent if it works by no intent. */
  readonly intents?: IntentKeeper
  /** Absent if its conversations have nothing that waits between turns. */
  readonly reviews?: Reviews
  /**
   * The definition that decided in a recorded run, for those who look into it: its pure functions alone are called.
   * Absent if the agent has none.
   * @throws EchelonError JOURNAL_MISMATCH for a run of other code
   */
  definitionOf?(started: Started): AnyDefinition | undefined | Promise<AnyDefinition | undefined>
}

export interface ForkTurn {
  /** The id of the new run. */
  readonly as: string
  /** The first step that is run again, from 0 on. */
  readonly at: number
  /** Names of tools that may act again; others answer from the record. */
  readonly act?: readonly string[]
  /** Other models from there on, by role. */
  readonly models?: Readonly<Record<string, string>>
}
