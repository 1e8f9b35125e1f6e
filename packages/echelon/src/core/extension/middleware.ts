import type { Generate } from '../agent/effect.ts'
import type { Json } from '../value/json.ts'
import type { BoundModel } from '../model/model.ts'
import type { Failed, Generated, Refused, ToolsCalled } from '../agent/observation.ts'
import type { PermitRequest, Verdict } from '../agent/permission.ts'
import type { Clock, SharedStates } from '../agent/ports.ts'
import type { StateSlot } from '../state/state.ts'
import type { Message, Thread } from '../message/thread.ts'
import type { ToolCall, ToolFacts, ToolOutcome } from '../tool/tool-call.ts'

/** A whole turn, before it begins. */
export interface Turn {
  /** The user's messages of this turn. */
  readonly messages: readonly Message[]
  /** Earlier messages of the session. */
  readonly history: Thread
}

/** The end of a whole turn. */
export interface TurnEnd {
  readonly status: 'finished' | 'canceled'
  /** The agent's reason for the end. */
  readonly reason: string
  /** The answer for the user. */
  readonly text: string
}

/**
 * A prompt in three parts, so that a filter can add messages before or after the conversation without
 * copying it. Messages that filters add are sent but not stored in the conversation.
 */
export interface Prompt {
  readonly head: readonly Message[]
  readonly thread: Thread
  readonly tail: readonly Message[]
}

/** A model call as middleware sees it, after the prompt filters. */
export interface ModelCall extends Omit<Generate, 'type' | 'messages'> {
  readonly prompt: Prompt
  /** Id of the model that the role is bound to now; empty if it is bound to none. */
  readonly modelId: string
  /**
   * The model to call: a name such as `openai/gpt-5-nano`, or the model itself. Default: the model
   * that the role is bound to at the moment of the call.
   */
  readonly model?: string | BoundModel
  /**
   * Called with each piece of text as it arrives; absent without a listener. Middleware that answers
   * without a model, such as a cache, must call it too. A call with `show: 'nobody'` and without it
   * shows no text, and does not touch text already shown.
   */
  readonly onText?: (delta: string) => void
  /**
   * Aborts the call. Default: the run's cancel and time limit. A call with its own signal continues
   * when the run is canceled; if it is in flight when the run ends, it is charged in full.
   */
  readonly signal?: AbortSignal
  /**
   * Calls tools of the run that only read, for middleware that checks an answer. The calls are permitted,
   * limited and recorded like any others, and counted as `checks`. Other tools are denied.
   */
  readonly callTools?: (calls: readonly ToolCall[]) => Promise<ToolsCalled>
}

/** A tool call as middleware sees it. */
export interface ToolRequest extends ToolCall {
  /** Aborts the call, in addition to the run's cancel and the tool's timeout. */
  readonly signal?: AbortSignal
}

/** The outcome of a model call. Failures are values: a call does not throw. */
export type ModelOutcome = Generated | Refused | Failed

/**
 * Transforms the text of one answer as it arrives. An answer that is not streamed passes as one
 * piece. The returned text is what is shown and what the agent stores.
 */
export interface TextTransform {
  text(delta: string): string
  /** Called when the answer is complete; returns text that was held back. */
  end?(): string
}

/** The context that each hook gets. */
export interface MiddlewareContext<State> {
  /** The current state; it is never changed in place. */
  readonly state: Immutable<State>
  /**
   * Computes the next state from the current one. It can be destructured.
   * @throws EchelonError STATE_TOO_LARGE above 4 KB as JSON, INVALID_DEFINITION for values that JSON
   * cannot hold; the state then does not change
   */
  readonly update: (change: (state: Immutable<State>) => Immutable<State>) => void
  /** Emits a `middleware` event of the run. It can be destructured. */
  readonly emit: (event: string, data?: Json) => void
  /** The run that the hook works for. */
  readonly run: MiddlewareRun
}

/** A deeply readonly type. */
export type Immutable<Value> = Value extends (...args: never[]) => unknown
  ? Value
  : { readonly [Key in keyof Value]: Immutable<Value[Key]> }

/** The run as middleware sees it; one object for all hooks of the run. */
export interface MiddlewareRun {
  readonly runId: string
  /** Name of the agent. */
  readonly agent: string
  /** The session that the run is a turn of; `undefined` outside of one. */
  readonly session: string | undefined
  /** The session that the run works for: its own or its parent's. */
  readonly forSession: string | undefined
  /** `RunOptions.caller` of the run. */
  readonly caller: string | undefined
  /** The container of services that was given to the builder. */
  readonly container: unknown
  /** Returns a tool of the run by name; `undefined` if it has none of that name. */
  tool(name: string): ToolFacts | undefined
  readonly clock: Clock
  /** Aborts when the run is canceled. */
  readonly signal: AbortSignal
  /** Milliseconds left of the run's time; infinite without a limit. */
  readonly msLeft: number
  /** Returns whether the budget (calls, tokens and money) allows another call of this role. */
  mayCall(role: string): boolean
  /** Returns a number in [0, 1), from the run's seed. */
  random(): number
  /** Waits `ms` milliseconds, or until the run is canceled. */
  pause(ms: number): Promise<void>
  /** Emits a `middleware` event. */
  tell(middleware: string, event: string, data: Json): void
  /** The context of each middleware in this run, by key; created on its first hook call. */
  readonly contexts: Map<string, object>
  /** Returns the stored value of a state; `undefined` for a new one. */
  savedState(key: string): Json | undefined
  /** Called for each opened state of the scopes `run` and `session`, in order to record it. */
  opened(cell: StateCell): void
  /** Stores the states of the scope `shared`. */
  readonly shared: SharedStates
}

/** An open state with its type erased. */
export interface StateCell {
  readonly slot: StateSlot
  /** Whether it changed since it was last recorded. */
  dirty: boolean
  /** Returns the value to record. */
  save(): Json
}

/** Parts of the runtime that a middleware can replace. */
export type Replaceable = 'retry'

/**
 * The hooks of a middleware, all optional. The middleware registered first is outermost. `next` of
 * `generate` and `tool` may be called several times, each call metered on its own; in `turn`,
 * `prompt` and `permit` a second call is refused. Each hook must return the result of `next` or a
 * replacement.
 */
export interface MiddlewareHooks<State> {
  /**
   * Wraps a whole turn. On resume it runs again from its beginning, around the rest of the turn. Its
   * changes to the user's messages then have no effect, since those are already recorded.
   */
  readonly turn?: (
    turn: Turn,
    next: (turn: Turn) => Promise<TurnEnd>,
    context: MiddlewareContext<State>,
  ) => Promise<TurnEnd>
  /** Changes the prompt that is sent to the model. Not run again on replay. */
  readonly prompt?: (
    prompt: Prompt,
    next: (prompt: Prompt) => Promise<Prompt>,
    context: MiddlewareContext<State>,
  ) => Promise<Prompt>
  /** Wraps a model call. */
  readonly generate?: (
    call: ModelCall,
    next: (call: ModelCall) => Promise<ModelOutcome>,
    context: MiddlewareContext<State>,
  ) => Promise<ModelOutcome>
  /** Called for each answer; returns a transform for the answer's text. */
  readonly stream?: (context: MiddlewareContext<State>) => TextTransform
  /** Decides whether a turn or a tool call may run, and which tools are offered. */
  readonly permit?: (
    request: PermitRequest,
    next: (request: PermitRequest) => Promise<Verdict>,
    context: MiddlewareContext<State>,
  ) => Promise<Verdict>
  /** Wraps a tool call that has been permitted. */
  readonly tool?: (
    call: ToolRequest,
    next: (call: ToolRequest) => Promise<ToolOutcome>,
    context: MiddlewareContext<State>,
  ) => Promise<ToolOutcome>
}

/** A hook with the type of its state erased; chains are composed of links. */
export type Link<Request, Answer> = (
  request: Request,
  next: (request: Request) => Answer,
  run: MiddlewareRun,
) => Answer

/** All links of one hook, composed into one function. */
export type Chain<Request, Answer> = Link<Request, Answer>

/** The composed middleware of an agent. Hooks without any link are absent and cost nothing. */
export interface Pipeline {
  /** The states, in the order of their middleware. */
  readonly slots: readonly StateSlot[]
  readonly replaces: ReadonlySet<Replaceable>
  readonly turn?: Chain<Turn, Promise<TurnEnd>>
  readonly prompt?: Chain<Prompt, Promise<Prompt>>
  /** Read again for each model call: it may exist only during a switch of models. */
  readonly generate?: Chain<ModelCall, Promise<ModelOutcome>> | undefined
  readonly streams: readonly ((run: MiddlewareRun) => TextTransform)[]
  readonly permit?: Chain<PermitRequest, Promise<Verdict>>
  readonly tool?: Chain<ToolRequest, Promise<ToolOutcome>>
}
