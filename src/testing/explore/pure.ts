import { isDeepStrictEqual } from 'node:util'
import type { AgentDefinition } from '../../core/agent.ts'
import { digestEffect } from '../../core/effect-digest.ts'
import type { Effect, Finish } from '../../core/effect.ts'
import type { Json } from '../../core/json.ts'
import { frozen } from '../contract.ts'
import { SOUND } from './finding.ts'

/** A rule for all definitions that one call broke. */
export class Broken extends Error {
  readonly rule: string
  constructor(rule: string, message: string) {
    super(message)
    this.rule = rule
  }
}

interface Functions<Input extends Json, State, Result> extends Pick<
  AgentDefinition<Input, State, Result>,
  'start' | 'next' | 'observe'
> {
  /** Stores a state and loads it. */
  load(state: State): void
}

/**
 * The functions of a definition, held to their word: what they throw is a broken rule, and with
 * `purity` every value that they give is frozen, and each is called twice and must give the same.
 */
export function heldToItsWord<Input extends Json, State, Result>(
  definition: AgentDefinition<Input, State, Result>,
  purity: boolean,
): Functions<Input, State, Result> {
  const load = (state: State): void =>
    attempt('load', () => loadsAgain((snapshot) => definition.load(snapshot), state))
  if (!purity) {
    return {
      load,
      start: (input, context) => attempt('start', () => definition.start(input, context)),
      next: (state) => attempt('next', () => definition.next(state)),
      observe: (...learned) => attempt('observe', () => definition.observe(...learned)),
    }
  }
  return {
    load,
    start: (input, context) =>
      twice('start', () => definition.start(frozen(input), context), isDeepStrictEqual),
    next: (state) => twice('next', () => definition.next(state), sameWish),
    observe: (state, seen, meter) =>
      twice('observe', () => definition.observe(state, frozen(seen), meter), isDeepStrictEqual),
  }
}

function loadsAgain<State>(load: (snapshot: unknown) => State, state: State): void {
  const stored = JSON.stringify(state)
  const loaded = JSON.stringify(load(JSON.parse(stored)))
  if (loaded !== stored) throw new Broken(SOUND.loads, `stored was ${stored}, loaded is ${loaded}`)
}

function twice<Value>(
  name: string,
  call: () => Value,
  isSame: (one: Value, other: Value) => boolean,
): Value {
  const first = frozen(attempt(name, call))
  if (isSame(first, attempt(name, call))) return first
  throw new Broken(SOUND.pure, `${name} gave two different values for the same arguments`)
}

/** Of a prompt its digest counts: a conversation may be long. */
function sameWish(one: Effect | Finish<unknown>, other: Effect | Finish<unknown>): boolean {
  if (one.type === 'finish' || other.type === 'finish') return isDeepStrictEqual(one, other)
  return digestEffect(one) === digestEffect(other)
}

function attempt<Value>(name: string, call: () => Value): Value {
  try {
    return call()
  } catch (error) {
    if (error instanceof Broken) throw error
    const message = error instanceof Error ? error.message : String(error)
    const rule = isWriteToFrozen(error) ? SOUND.unchanged : SOUND.total
    throw new Broken(rule, `${name}: ${message}`)
  }
}

/** In the words of V8. */
const isWriteToFrozen = (error: unknown): boolean =>
  error instanceof TypeError &&
  /read only property|not extensible|Cannot (?:delete|redefine) property/.test(error.message)
