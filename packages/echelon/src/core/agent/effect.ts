import type { Json, JsonObject } from '../value/json.ts'
import type { Thread } from '../message/thread.ts'
import type { ToolCall } from '../tool/tool-call.ts'

/** A model call for a role. The run binds the role to a model. */
export interface Generate {
  readonly type: 'generate'
  readonly actor: string
  readonly role: string
  readonly messages: Thread
  /** Names of tools offered to the model. */
  readonly tools?: readonly string[]
  /** JSON Schema that the answer must match. */
  readonly schema?: JsonObject
  readonly maxTokens?: number
  readonly sampling?: Sampling
  /** `user` streams the text to the user as it arrives; default `nobody`, which shows nothing. */
  readonly show?: 'user' | 'nobody'
  readonly timeoutMs?: number
  /** A conversation stored by a provider: its model is sent only the messages after `from`. */
  readonly continues?: Continuation
}

/** A conversation stored by a provider, and how much of it the provider has. */
export interface Continuation {
  /** The model whose provider stores it; any other model is sent everything. */
  readonly model: string
  readonly id: string
  /** Number of messages that the provider has. */
  readonly from: number
}

/** Sampling settings. A provider omits those that the model does not support, with a warning. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  /** Stop sequences. */
  readonly stop?: readonly string[]
  readonly seed?: number
}

/** A batch of tool calls. Outcomes come in plan order. */
export interface CallTools {
  readonly type: 'call-tools'
  readonly actor: string
  readonly calls: readonly ToolCall[]
  /**
   * Maximum number of calls that run at the same time; default 1. A call of a tool that is not
   * `parallel` waits for the calls before it, and the calls after it wait for it.
   */
  readonly atOnce?: number
  /** Maximum calls of this batch, retries included; further calls are refused in plan order. */
  readonly most?: number
}

/**
 * Checks the rules for a call before making it, so that the agent does not announce a forbidden
 * call. It calls no tool and asks for no approval. The rules are checked again when the call is made.
 */
export interface Permit {
  readonly type: 'permit'
  readonly actor: string
  readonly call: ToolCall
}

/** A question to the user. The run waits for the reply. */
export interface Ask {
  readonly type: 'ask'
  readonly actor: string
  readonly question: string
  readonly schema?: JsonObject
  readonly expiresInMs?: number
}

/** Shows text to the user. */
export interface Say {
  readonly type: 'say'
  readonly actor: string
  readonly text: string
}

export interface Recall {
  readonly type: 'recall'
  readonly actor: string
  readonly memory: string
  readonly query?: Json
}

export interface Remember {
  readonly type: 'remember'
  readonly actor: string
  readonly memory: string
  readonly value: Json
  /** Writes only if the memory has this version. */
  readonly ifVersion?: number
}

export interface Sleep {
  readonly type: 'sleep'
  readonly actor: string
  /** Milliseconds since the epoch. */
  readonly untilMs: number
}

export type SingleEffect = Generate | CallTools | Permit | Ask | Say | Recall | Remember | Sleep

/** Several effects in one step, such as votes or second opinions. Observations come in their order. */
export interface Together {
  readonly type: 'together'
  readonly effects: readonly (Generate | CallTools | Recall)[]
}

/** An action that a definition asks the runtime to perform. Definitions do no other I/O. */
export type Effect = SingleEffect | Together

export interface Finish<Result> {
  readonly type: 'finish'
  readonly result: Result
  /** Why the run ended, in the definition's own closed vocabulary. */
  readonly reason: string
}
