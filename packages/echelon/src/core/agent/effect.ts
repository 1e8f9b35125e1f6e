import type { Json, JsonObject } from '../value/json.ts'
import type { Thread } from '../message/thread.ts'
import type { ToolCall } from '../tool/tool-call.ts'

/** One model call for a role, which the run binds to a model. */
export interface Generate {
  readonly type: 'generate'
  readonly actor: string
  readonly role: string
  readonly messages: Thread
  /** Names of tools offered to the model. */
  readonly tools?: readonly string[]
  /** The answer is to be JSON of this schema. */
  readonly schema?: JsonObject
  readonly maxTokens?: number
  readonly sampling?: Sampling
  /** `user` streams the text as it comes; default `nobody`. */
  readonly show?: 'user' | 'nobody'
  readonly timeoutMs?: number
  /** A conversation that a provider keeps: its own model is sent only what came after `from`. */
  readonly continues?: Continuation
}

/** Where a conversation stands that a provider keeps. */
export interface Continuation {
  /** Of the model whose provider keeps it; any other is sent everything. */
  readonly model: string
  readonly id: string
  /** Messages that the provider has. */
  readonly from: number
}

/** How a model chooses its words. A provider leaves out what a model does not take, and says so. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  /** Texts at which the answer ends. */
  readonly stop?: readonly string[]
  readonly seed?: number
}

/** Tool calls as a batch, answered in plan order. */
export interface CallTools {
  readonly type: 'call-tools'
  readonly actor: string
  readonly calls: readonly ToolCall[]
  /**
   * How many may run at the same time; default 1. One whose tool is not `parallel` waits for those
   * before it, and those after it wait for it.
   */
  readonly atOnce?: number
  /** Calls that this batch may use, retries included; what exceeds it is refused in plan order. */
  readonly most?: number
}

/**
 * Asks the rules about a call ahead of making it, so that nothing is said that they forbid. Nothing is
 * called, and nobody is asked for approval; the rules are asked again when the call is made.
 */
export interface Permit {
  readonly type: 'permit'
  readonly actor: string
  readonly call: ToolCall
}

/** A question to the user. The run waits. */
export interface Ask {
  readonly type: 'ask'
  readonly actor: string
  readonly question: string
  readonly schema?: JsonObject
  readonly expiresInMs?: number
}

/** Text to the user now. */
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
  /** Writes only over this version. */
  readonly ifVersion?: number
}

export interface Sleep {
  readonly type: 'sleep'
  readonly actor: string
  /** Milliseconds since the epoch. */
  readonly untilMs: number
}

export type SingleEffect = Generate | CallTools | Permit | Ask | Say | Recall | Remember | Sleep

/** Several effects in one step, answered in order: votes, second opinions. */
export interface Together {
  readonly type: 'together'
  readonly effects: readonly (Generate | CallTools | Recall)[]
}

/** What a definition may ask of the world. Nothing else may touch it. */
export type Effect = SingleEffect | Together

export interface Finish<Result> {
  readonly type: 'finish'
  readonly result: Result
  /** Why the run ended, in the definition's own closed vocabulary. */
  readonly reason: string
}
