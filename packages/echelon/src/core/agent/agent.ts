import type { Amounts } from './budget.ts'
import type { Effect, Finish } from './effect.ts'
import type { Json, JsonObject } from '../value/json.ts'
import type { Observation } from './observation.ts'
import type { Message, Thread } from '../message/thread.ts'

/**
 * Time and spending at an observation, journaled with it. A definition has no other access to
 * the clock or the budget.
 */
export interface Meter {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly spent: Amounts
  readonly limits: Amounts
}

/** Something worth logging or counting. The runtime adds an id and a time and emits it as an event. */
export interface Note {
  readonly stage: string
  readonly data: JsonObject
}

export interface Moved<State> {
  readonly state: State
  readonly notes?: readonly Note[]
}

export interface StartContext {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly seed: number
  readonly runId: string
  /** IANA name of the time zone in which dates are read. */
  readonly timeZone: string
  readonly limits: Amounts
  /** Earlier messages of the session; empty for a run outside of one. */
  readonly history: Thread
}

/**
 * The capabilities of one actor of an agent. Anything not listed is rejected by the compiler where
 * the types show it (`EffectOf`), and always by the runtime.
 */
export interface Actor {
  /** Roles whose models the actor may call. */
  readonly roles?: readonly string[]
  readonly tools?: readonly string[]
  /** Names of memories that it may read. */
  readonly reads?: readonly string[]
  /** Names of memories that it may write. */
  readonly writes?: readonly string[]
  /** May show text to the user. */
  readonly speaks?: boolean
  /** May ask the user questions. */
  readonly asks?: boolean
  /** The budget counter for its tool calls; default `tools`. */
  readonly meters?: 'tools' | 'checks'
}

export type Actors = Readonly<Record<string, Actor>>

/** Reads and replaces the messages of an agent's input and the text of its result. */
export interface TurnShape<Input, Result> {
  messagesOf(input: Input): readonly Message[]
  withMessages(input: Input, messages: readonly Message[]): Input
  textOf(result: Result): string
  withText(result: Result, text: string): Result
}

/**
 * An agent as pure functions over plain data: `next` decides, `observe` updates the state, and the
 * runtime performs the effects. The functions use no I/O, clock or randomness. The same calls
 * therefore return the same values, which makes a run testable, resumable and replayable.
 */
export interface AgentDefinition<Input extends Json, State, Result> {
  readonly name: string
  /** Raise it when the state's shape or a decision changes. */
  readonly version: number
  readonly actors: Actors
  start(input: Input, context: StartContext): Moved<State>
  next(state: State): Effect | Finish<Result>
  observe(state: State, seen: Observation, meter: Meter): Moved<State>
  /** The messages that a session keeps of this run, however the run ended. */
  transcript?(state: State): readonly Message[]
  /** Lets middleware read and change a turn. Without it, turn middleware does not run. */
  readonly turns?: TurnShape<Input, Result>
  /** Checks or migrates a stored state; throws an `EchelonError` that says what to do. */
  load(snapshot: unknown): State
}
