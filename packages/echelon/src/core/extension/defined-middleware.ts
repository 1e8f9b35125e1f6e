import type { PermitRequest, Verdict } from '../agent/permission.ts'
import type { StateSlot, StateSpec } from '../state/state.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolOutcome } from '../tool/tool-call.ts'
import type {
  Immutable,
  Link,
  MiddlewareHooks,
  MiddlewareRun,
  ModelCall,
  ModelOutcome,
  Prompt,
  Replaceable,
  TextTransform,
  ToolRequest,
  Turn,
  TurnEnd,
} from './middleware.ts'

/** The definition of a middleware for `defineMiddleware`: its hooks, and their settings. */
export interface MiddlewareSpec<Name extends string, State> extends MiddlewareHooks<State> {
  /** Name, under which its state is available as `state.middleware.<name>`. */
  readonly name: Name
  /**
   * Name of the author. Namespace and name are the key of its stored state, so that two middlewares
   * of the same name do not share it. Default `app`.
   */
  readonly namespace?: string
  readonly state?: StateSpec<State>
  /** Parts of the runtime that it replaces, so that nothing is done twice. */
  readonly replaces?: readonly Replaceable[]
  /** Tools that it adds to the agent. */
  readonly tools?: readonly Tool[]
  /**
   * External source of text that it adds to prompts, such as `documents`. It must frame that text
   * with `framed` of `core/untrusted-text`; agents ask before they act on it.
   */
  readonly origin?: string
}

/** A middleware as an agent holds it. `Name` and `State` only type its state. */
export interface Middleware<Name extends string = string, State = unknown> {
  readonly name: Name
  /** Namespace and name. */
  readonly key: string
  /** `undefined` for a middleware without state. */
  readonly slot: StateSlot | undefined
  /** Returns its current state in a run. */
  readonly read?: (run: MiddlewareRun) => Immutable<State>
  readonly replaces: readonly Replaceable[]
  /** Tools that it adds; absent if none. */
  readonly tools?: readonly Tool[]
  /** Source of untrusted text that it adds to prompts; absent if none. */
  readonly origin?: string
  readonly turn?: Link<Turn, Promise<TurnEnd>>
  readonly prompt?: Link<Prompt, Promise<Prompt>>
  readonly generate?: Link<ModelCall, Promise<ModelOutcome>>
  readonly stream?: (run: MiddlewareRun) => TextTransform
  readonly permit?: Link<PermitRequest, Promise<Verdict>>
  readonly tool?: Link<ToolRequest, Promise<ToolOutcome>>
}
