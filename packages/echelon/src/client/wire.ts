import type { Json, JsonObject } from '../core/value/json.ts'
import type { RunEvent } from '../core/agent/event.ts'

/*
 * The JSON of the server's REST API. Times are in ISO 8601, money is in US dollars. `null` means that
 * something is not there or not known.
 */

/** A file that is sent along: its content as base64, or a public address that the server fetches. */
export interface FileInput {
  readonly name?: string | undefined
  readonly media_type?: string | undefined
  readonly data?: string | undefined
  readonly url?: string | undefined
}

/** Starts a run. */
export interface RunRequest {
  readonly agent: string
  readonly input: string
  /** A conversation of your choice; the run continues it. */
  readonly session?: string | undefined
  /** Options of the agent; see `AgentView.input_schema`. */
  readonly options?: JsonObject | undefined
  /** JSON Schema of the answer. */
  readonly output?: JsonObject | undefined
  readonly files?: readonly FileInput[] | undefined
}

export const RUN_STATUSES = [
  'running',
  'waiting',
  'interrupted',
  'finished',
  'canceled',
  'failed',
  'damaged',
] as const

/** `waiting` waits for an answer or a time; `interrupted` is resumed by the next server. */
export type RunStatusView = (typeof RUN_STATUSES)[number]

/** Spending of one model in a run. */
export interface RungView {
  readonly model: string
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost: number | null
}

export const CHECKED = ['proved', 'supported', 'unsupported', 'refuted', 'unchecked'] as const

/** How a run ended. */
export interface RunEndView {
  readonly status: 'finished' | 'canceled' | 'failed'
  readonly text: string
  /** The object of an answer by a schema. */
  readonly output?: Json | undefined
  readonly reason: string
  /** A sentence for a person, if the answer is not complete. */
  readonly detail: string | null
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost: number | null
  readonly rungs: readonly RungView[]
  readonly checked: (typeof CHECKED)[number]
  readonly confidence: number | null
  readonly escalated: boolean
  /** The agent asked for something: send the next turn of the session. */
  readonly needs_input: boolean
  readonly details: JsonObject
}

export const REQUEST_KINDS = ['approval', 'question', 'client_tool'] as const

/** A request of a run that waits for an answer. */
export interface RequestView {
  readonly id: string
  readonly kind: (typeof REQUEST_KINDS)[number]
  /** The request: a tool call that needs approval, or a question with the schema of its reply. */
  readonly about: Json
  readonly asked_at: string
  readonly expires_at: string | null
}

/** A file that a run made. */
export interface ArtifactView {
  readonly name: string
  readonly media_type: string
  readonly bytes: number
  readonly sha256: string
  /** Relative to the server. */
  readonly url: string
}

/** A run in a list. */
export interface RunSummaryView {
  readonly id: string
  readonly agent: string
  /** The task, or the beginning of it; `null` if that is not known. */
  readonly asked: string | null
  readonly status: RunStatusView
  /** Why it ended; for a damaged run, what is damaged. */
  readonly reason: string | null
  readonly session: string | null
  /** Whose run it is; `null` for one that was not started by a server. */
  readonly owner: string | null
  readonly forked_from: string | null
  readonly began_at: string
  readonly changed_at: string
  readonly requests: readonly RequestView[]
}

/** A run with its end. */
export interface RunView extends RunSummaryView {
  readonly end: RunEndView | null
  readonly artifacts: readonly ArtifactView[]
}

/** A page of runs, newest first. */
export interface RunPage {
  readonly runs: readonly RunSummaryView[]
  /** Pass it as `before` to get the next page. */
  readonly next: string | null
}

export interface RunFilterQuery {
  readonly status?: RunStatusView | undefined
  readonly agent?: string | undefined
  readonly session?: string | undefined
  /** Another user, for operators: only their runs. Default, with `session`: yours. */
  readonly owner?: string | undefined
  /** Words of what was asked, in capital or small letters. */
  readonly search?: string | undefined
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

/** An event of a run, with the place by which a client resumes. */
export interface RunEventView {
  /** Its place, as the SSE id. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly event: RunEvent
}

/** An answer to a request of a run. */
export interface AnswerRequest {
  readonly request: string
  readonly reply: Json
}

/** Starts a run from a step of another one. */
export interface ForkRequest {
  /** The first step that is run again, from 0 on. */
  readonly at: number
  /** Names of tools that may act again. */
  readonly act?: readonly string[] | undefined
  /** Other models from there on, by role, as `provider/model`; `StepList.models` names the roles. */
  readonly models?: Readonly<Record<string, string>> | undefined
}

export interface SessionView {
  readonly id: string
  readonly agent: string
  readonly owner: string
  /** Number of messages. */
  readonly length: number
  readonly began_at: string
  readonly changed_at: string
}

export interface MessageView {
  readonly role: string
  /** Its text, without files and tool calls. */
  readonly text: string
  /** All of it. */
  readonly content: Json
}

export interface SessionMessages extends SessionView {
  readonly messages: readonly MessageView[]
}

/** The subject of an approval, in the words that the customer saw. Unknown fields are `null`. */
export interface ApprovalAbout {
  readonly customer: string | null
  readonly order: string | null
  /** The item that the customer named, or all items of the order. */
  readonly items: string | null
  /** The money that the confirmation names: US dollars, if it names no other currency. */
  readonly amount: number | null
  /** The question that the customer confirmed. */
  readonly confirmation: string | null
}

/** A tool call that waits for a person. */
export interface ApprovalView {
  readonly run: string
  readonly request: string
  readonly agent: string
  readonly session: string | null
  /** Whose conversation `session` is: `agent`, `owner` and `session` name one. `null` without one. */
  readonly owner: string | null
  /** Whose run it is. */
  readonly asked_by: string | null
  readonly tool: string
  readonly input: Json
  /** `null` for a call that no customer asked for. */
  readonly about: ApprovalAbout | null
  /** The reason of the rule that asks. */
  readonly why: string
  readonly choices: readonly string[]
  /** Of the call, the rule and the tool's description. */
  readonly hash: string
  readonly asked_at: string
  readonly expires_at: string | null
}

export interface ApprovalAnswer {
  readonly choice: string
  /** If given, the answer holds only for the call with this hash. */
  readonly hash?: string | undefined
}

export const AGENT_KINDS = ['decide', 'chat', 'support', 'assist', 'other'] as const

export interface AgentView {
  readonly name: string
  readonly kind: (typeof AGENT_KINDS)[number]
  readonly description: string
  /** Cheapest first. */
  readonly models: readonly string[]
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  readonly accepts: {
    readonly sessions: boolean
    readonly files: boolean
    readonly output: boolean
  }
  /** Limit of a run's cost by the agent itself. */
  readonly max_cost: number | null
  /** JSON Schema of `RunRequest` for this agent, such as for a form. */
  readonly input_schema: JsonObject
}

export const COST_GROUPS = ['day', 'agent', 'model', 'user'] as const
export type CostGroupView = (typeof COST_GROUPS)[number]

export interface CostRow {
  readonly key: string
  readonly runs: number
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost: number
  /** Runs of which no price is known; `cost` is without them. */
  readonly unpriced: number
  /** Savings of runs with several models, in US dollars; below 0 if they cost more. */
  readonly saved: number
}

/** The savings of asking smaller models first, compared with always asking the biggest one. */
export interface SavedView {
  /** US dollars; below 0 if it cost more. */
  readonly amount: number
  /** The cost of the same runs on the biggest model alone. */
  readonly otherwise: number
  /** Runs that are compared. */
  readonly runs: number
  /** Runs that are left out, since a price or a bigger model is not known. */
  readonly left_out: number
  /** The method of the estimate, in words. */
  readonly method: string
}

export interface CostReport {
  readonly by: CostGroupView
  readonly since: string
  readonly until: string
  readonly rows: readonly CostRow[]
  readonly saved: SavedView
  /** The money of your token today. */
  readonly today: {
    readonly spent: number
    readonly held: number
    readonly limit: number | null
  }
}

/** An error of the API. */
export interface ErrorView {
  readonly error: { readonly code: string; readonly message: string }
}
