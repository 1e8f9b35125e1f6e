import type { Meter, Moved } from './agent.ts'
import type { Effect, Finish } from './effect.ts'
import { EchelonError } from '../value/error.ts'
import type { Observation } from './observation.ts'

/** The observations that answer an effect when nothing goes wrong. */
interface Answers {
  generate: 'generated'
  'call-tools': 'tools-called'
  permit: 'permitted'
  ask: 'answered' | 'unanswered'
  say: 'said'
  recall: 'recalled'
  remember: 'remembered'
  sleep: 'woke'
  together: 'together'
}

type Seen<Type extends Observation['type']> = Extract<Observation, { type: Type }>

type Handler<Here, State, Type extends Observation['type']> = (
  here: Here,
  seen: Seen<Type>,
  meter: Meter,
) => Moved<State>

type Handlers<Here, State, Must extends Observation['type']> = {
  readonly [Type in Must]: Handler<Here, State, Type>
} & {
  readonly [Type in Exclude<Observation['type'], Must>]?: Handler<Here, State, Type>
}

type Doing<Here, State, May extends Effect> = {
  [Asked in May['type']]: {
    readonly effect: Asked
    do(here: Here): Extract<May, { type: Asked }>
  } & Handlers<Here, State, Answers[Asked]>
}[May['type']]

type Phase<Here, State, Result, May extends Effect> =
  | Doing<Here, State, May>
  | { finish(here: Here): Finish<Result> }

/** One row for each phase of the state diagram. The compiler checks that none is missing. */
export type Phases<State extends { readonly phase: string }, Result, May extends Effect> = {
  readonly [Name in State['phase']]: Phase<State & { readonly phase: Name }, State, Result, May>
}

/** A row with the type of its state erased. */
type ErasedPhase<State, Result> = {
  readonly finish?: (here: State) => Finish<Result>
  readonly do?: (here: State) => Effect
} & {
  readonly [Type in Observation['type']]?: (
    here: State,
    seen: Observation,
    meter: Meter,
  ) => Moved<State>
}
type ErasedPhases<State, Result> = Readonly<Record<string, ErasedPhase<State, Result>>>

/**
 * Builds a definition from its state diagram: the row of a phase names its effect and has a handler
 * for each observation. `otherwise` handles observations that the row does not name. Keep state that
 * phases share under one key; spreading it copies the old phase's fields, unnoticed by the compiler.
 */
export function byPhase<State extends { readonly phase: string }, Result, May extends Effect>(
  phases: Phases<State, Result, May>,
  otherwise: (state: State, seen: Observation, meter: Meter) => Moved<State>,
): {
  next(state: State): Effect | Finish<Result>
  observe(state: State, seen: Observation, meter: Meter): Moved<State>
} {
  const rows = erase<State, Result>(phases)
  const row = (state: State): ErasedPhase<State, Result> => {
    const found = Object.hasOwn(rows, state.phase) ? rows[state.phase] : undefined
    if (found === undefined) throw missing(`there is no phase ${state.phase}`)
    return found
  }
  return {
    next(state) {
      const here = row(state)
      const asked = here.finish?.(state) ?? here.do?.(state)
      if (asked === undefined) throw missing(`phase ${state.phase} has neither do nor finish`)
      return asked
    },
    observe: (state, seen, meter) => (row(state)[seen.type] ?? otherwise)(state, seen, meter),
  }
}

const missing = (message: string): EchelonError => new EchelonError('INVALID_DEFINITION', message)

// Erases the state types of the rows. `Phases` has checked each row against its own state; rows of
// different states have no common type, so an overload replaces a cast.
function erase<State, Result>(phases: object): ErasedPhases<State, Result>
function erase(phases: object): object {
  return phases
}
