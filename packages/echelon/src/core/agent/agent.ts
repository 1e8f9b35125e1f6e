import type { Amounts } from './budget.ts'
import type { Effect, Finish } from './effect.ts'
import type { Json, JsonObject } from '../value/json.ts'
import type { Observation } from './observation.ts'
import type { Message, Thread } from '../message/thread.ts'

/**
 * Readings that come with every observation and are journalled with it: the only clock and purse
 * that a definition sees.
 */
export interface Meter {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly spent: Amounts
  readonly limits: Amounts
}

/** Something worth logging or counting. The runtime stamps it and hands it to whoever listens. */
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
  /** IANA name of the zone in which dates are meant. */
  readonly timeZone: string
  readonly limits: Amounts
  /** What was said before, in the conversation that the run is a turn of; else empty. */
  readonly history: Thread
}

/**
 * What an actor of an agent may ask for. What is not listed is refused: by the compiler where it
 * can see it (`EffectOf`), by the runtime always.
 */
export interface Actor {
  /** Roles whose models it may call. */
  readonly roles?: readonly string[]
  readonly tools?: readonly string[]
  /** Memories. */
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  /** May show text to the user. */
  readonly speaks?: boolean
  readonly asks?: boolean
  /** The counter of its tool calls; default `tools`. */
  readonly meters?: 'tools' | 'checks'
}

export type Actors = Readonly<Record<string, Actor>>

/** What of an agent's input and result a turn is. */
export interface TurnShape<Input, Result> {
  messagesOf(input: Input): readonly Message[]
  withMessages(input: Input, messages: readonly Message[]): Input
  textOf(result: Result): string
  withText(result: Result, text: string): Result
}

/**
 * An agent: pure functions over plain data. It decides (`next`) and learns (`observe`); one
 * runtime performs what it asks for. No I/O, no clock and no randomness in any of them: the
 * same calls give the same values, which is what makes a run testable, resumable and replayable.
 */
export interface AgentDefinition<Input extends Json, State, Result> {
  readonly name: string
  /** Raised when the state's shape or a decision changes. */
  readonly version: number
  readonly actors: Actors
  start(input: Input, context: StartContext): Moved<State>
  next(state: State): Effect | Finish<Result>
  observe(state: State, seen: Observation, meter: Meter): Moved<State>
  /** What a session keeps of this run, however it ended. */
  transcript?(state: State): readonly Message[]
  /** How middleware reads and changes a turn; without it there is no turn to go around. */
  readonly turns?: TurnShape<Input, Result>
  /** From a stored state: checks or migrates, or throws `EchelonError` with what to do. */
  load(snapshot: unknown): State
}
