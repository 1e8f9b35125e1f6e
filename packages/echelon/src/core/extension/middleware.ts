import type { Generate } from '../agent/effect.ts'
import type { Json } from '../value/json.ts'
import type { BoundModel } from '../model/model.ts'
import type { Failed, Generated, Refused } from '../agent/observation.ts'
import type { PermitRequest, Verdict } from '../agent/permission.ts'
import type { Clock, SharedStates } from '../agent/ports.ts'
import type { StateSlot, StateSpec } from '../state/state.ts'
import type { Message, Thread } from '../message/thread.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolCall, ToolFacts, ToolOutcome } from '../tool/tool-call.ts'

/** A whole turn, before it begins. */
export interface Turn {
  /** What the user says in this turn. */
  readonly messages: readonly Message[]
  /** What was said before. */
  readonly history: Thread
}

/** A whole turn, when it is over. */
export interface TurnEnd {
  readonly status: 'finished' | 'canceled'
  /** Why it ended, in the agent's words. */
  readonly reason: string
  /** What the user reads as the answer. */
  readonly text: string
}

/**
 * What a model is asked, in three parts, so that a filter adds before or after a conversation
 * without copying it. What filters add is sent and never kept: the conversation stays as it was.
 */
export interface Prompt {
  readonly head: readonly Message[]
  readonly thread: Thread
  readonly tail: readonly Message[]
}

/** One model call as middleware sees it, filters of the prompt behind it. */
export interface ModelCall extends Omit<Generate, 'type' | 'messages'> {
  readonly prompt: Prompt
  /** The model that the role is bound to at the moment of the call; empty when it is bound to none. */
  readonly modelId: string
  /**
   * Which model is to answer: a name such as `openai/gpt-5-nano`, or the model itself. Without one
   * it is the model that the role is bound to at the moment of the call.
   */
  readonly model?: string | BoundModel
  /**
   * Hears each piece of text as it comes, when somebody watches; an answer that comes from
   * elsewhere than a model, such as a cache, speaks through it too.
   */
  readonly onText?: (delta: string) => void
  /**
   * What gives the call up. Default: the run's cancel and its time. A call with a signal of its own
   * goes on when the run is canceled; what is under way when the run ends is charged in full.
   */
  readonly signal?: AbortSignal
}

/** One tool call as middleware sees it. */
export interface ToolRequest extends ToolCall {
  /** Gives the call up, besides the run's cancel and the tool's own time limit. */
  readonly signal?: AbortSignal
}

/** What came of a model call. It is always a value: a call never throws. */
export type ModelOutcome = Generated | Refused | Failed

/**
 * Changes the text of one answer as it comes. An answer that does not stream passes as one piece.
 * What it returns is what is shown and what the agent keeps.
 */
export interface TextTransform {
  text(delta: string): string
  /** When the answer is complete: what was held back. */
  end?(): string
}

/** What a hook may use besides what it is given. */
export interface MiddlewareContext<State> {
  /** The state as it is now; it never changes in place. */
  readonly state: Immutable<State>
  /**
   * The next state from the present one; may be taken out of the context and called alone.
   * @throws EchelonError STATE_TOO_LARGE above 4 KB as JSON, INVALID_DEFINITION for what JSON cannot
   * hold; the state stays as it was
   */
  readonly update: (change: (state: Immutable<State>) => Immutable<State>) => void
  /** Tells whoever watches the run; may be taken out of the context and called alone. */
  readonly emit: (event: string, data?: Json) => void
  /** The run that the hook works for. */
  readonly run: MiddlewareHost
}

/** A value that cannot be changed in place, however deep. */
export type Immutable<Value> = Value extends (...args: never[]) => unknown
  ? Value
  : { readonly [Key in keyof Value]: Immutable<Value[Key]> }

/** The run as middleware sees it. One object for all hooks of a run. */
export interface MiddlewareHost {
  readonly runId: string
  /** The name of the agent that runs. */
  readonly agent: string
  /** The conversation that the run is a turn of; nothing outside of one. */
  readonly session: string | undefined
  /** The conversation that the run works for: its own, or that of the run which began it. */
  readonly forSession: string | undefined
  /** On whose behalf the run works, in the words of whoever began it. */
  readonly caller: string | undefined
  /** What the builder was given as its container of services. */
  readonly container: unknown
  /** A tool of the run by its name; nothing for one that it does not have. */
  tool(name: string): ToolFacts | undefined
  readonly clock: Clock
  /** Aborts when the run is canceled. */
  readonly signal: AbortSignal
  /** Milliseconds of the run's time that are left; infinite without a limit. */
  readonly msLeft: number
  /** Whether the budget has room for another call of this role: calls, tokens and money. */
  mayCall(role: string): boolean
  /** In [0, 1), from the run's seed. */
  random(): number
  /** Waits so many milliseconds, or until the run is canceled. */
  pause(ms: number): Promise<void>
  /** Tells whoever watches of something that middleware did. */
  tell(middleware: string, event: string, data: Json): void
  /** What each middleware uses in this run, by its key; made when a hook is first called. */
  readonly contexts: Map<string, object>
  /** What the run began with, or has on record, for a state; nothing for one that is new. */
  savedState(key: string): Json | undefined
  /** Hears of each state of the scopes `run` and `session` that is opened, so as to record it. */
  opened(cell: StateCell): void
  /** Where states of the scope `shared` live. */
  readonly shared: SharedStates
}

/** An open state, once its type does not matter. */
export interface StateCell {
  readonly slot: StateSlot
  /** Whether it changed since it was last put on record. */
  dirty: boolean
  /** What is put on record. */
  save(): Json
}

/** Parts of the runtime that a middleware takes the place of. */
export type Replaceable = 'retry'

/**
 * What middleware is: any of six hooks, and a state. First registered is outermost. `next` of
 * `generate` and `tool` may be called again, each call metered on its own; in `turn`, `prompt` and
 * `permit` a second call is refused. Each hook returns what its `next` returned, or something in
 * its place: forgetting it does not compile.
 */
export interface MiddlewareHooks<State> {
  /**
   * Around a whole turn. It runs again, from its beginning, around the rest of a turn that is resumed;
   * what it then makes of what the user says changes nothing, since that is on record.
   */
  readonly turn?: (
    turn: Turn,
    next: (turn: Turn) => Promise<TurnEnd>,
    context: MiddlewareContext<State>,
  ) => Promise<TurnEnd>
  /** What is sent to the model. Not run again on replay. */
  readonly prompt?: (
    prompt: Prompt,
    next: (prompt: Prompt) => Promise<Prompt>,
    context: MiddlewareContext<State>,
  ) => Promise<Prompt>
  /** Around one model call. */
  readonly generate?: (
    call: ModelCall,
    next: (call: ModelCall) => Promise<ModelOutcome>,
    context: MiddlewareContext<State>,
  ) => Promise<ModelOutcome>
  /** Called for each answer; what it gives transforms the answer's text. */
  readonly stream?: (context: MiddlewareContext<State>) => TextTransform
  /** Whether a turn or a tool call may go ahead. */
  readonly permit?: (
    request: PermitRequest,
    next: (request: PermitRequest) => Promise<Verdict>,
    context: MiddlewareContext<State>,
  ) => Promise<Verdict>
  /** Around one tool call, its permission behind it. */
  readonly tool?: (
    call: ToolRequest,
    next: (call: ToolRequest) => Promise<ToolOutcome>,
    context: MiddlewareContext<State>,
  ) => Promise<ToolOutcome>
}

export interface MiddlewareSpec<Name extends string, State> extends MiddlewareHooks<State> {
  /** What its state is called: `state.middleware.<name>`. */
  readonly name: Name
  /**
   * Who wrote it. With the name it is the key under which state is kept, so that two middlewares of
   * the same name never read each other's. Default `app`.
   */
  readonly namespace?: string
  readonly state?: StateSpec<State>
  /** What of the runtime it takes the place of, so that nothing is done twice. */
  readonly replaces?: readonly Replaceable[]
  /** Tools that it brings: the agent has them as it has its own. */
  readonly tools?: readonly Tool[]
  /**
   * Where text comes from that it adds to prompts, if from outside, such as `documents`: it frames it
   * with `framed` of `core/untrusted-text`, and agents ask before they act upon it.
   */
  readonly origin?: string
}

/** A hook once the type of its state is closed over: what a chain is composed of. */
export type Link<Request, Answer> = (
  request: Request,
  next: (request: Request) => Answer,
  host: MiddlewareHost,
) => Answer

/** A middleware as an agent holds it. `Name` and `State` are for the types of its state alone. */
export interface Layer<Name extends string = string, State = unknown> {
  readonly name: Name
  /** Namespace and name. */
  readonly key: string
  /** Nothing for a middleware without state. */
  readonly slot: StateSlot | undefined
  /** The state as it stands in a run. */
  readonly read?: (host: MiddlewareHost) => Immutable<State>
  readonly replaces: readonly Replaceable[]
  /** What it brings; absent where it brings none. */
  readonly tools?: readonly Tool[]
  /** Of untrusted text that it adds to prompts; absent where it adds none. */
  readonly origin?: string
  readonly turn?: Link<Turn, Promise<TurnEnd>>
  readonly prompt?: Link<Prompt, Promise<Prompt>>
  readonly generate?: Link<ModelCall, Promise<ModelOutcome>>
  readonly stream?: (host: MiddlewareHost) => TextTransform
  readonly permit?: Link<PermitRequest, Promise<Verdict>>
  readonly tool?: Link<ToolRequest, Promise<ToolOutcome>>
}

/** All links of one hook as one function, composed once; `end` is what they surround. */
export type Chain<Request, Answer> = Link<Request, Answer>

/** The middleware of an agent, composed. A hook that nobody has is absent, and costs nothing. */
export interface Pipeline {
  readonly layers: readonly Layer[]
  /** The states, in the order of their layers. */
  readonly slots: readonly StateSlot[]
  readonly replaces: ReadonlySet<Replaceable>
  readonly turn?: Chain<Turn, Promise<TurnEnd>>
  readonly prompt?: Chain<Prompt, Promise<Prompt>>
  /** Read anew at each model call: it may stand for the time of a switch alone. */
  readonly generate?: Chain<ModelCall, Promise<ModelOutcome>> | undefined
  readonly streams: readonly ((host: MiddlewareHost) => TextTransform)[]
  readonly permit?: Chain<PermitRequest, Promise<Verdict>>
  readonly tool?: Chain<ToolRequest, Promise<ToolOutcome>>
}
