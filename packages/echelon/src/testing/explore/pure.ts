import { isDeepStrictEqual } from 'node:util'
import type { AgentDefinition, Moved } from '../../core/agent/agent.ts'
import { digestEffect } from '../../core/agent/effect-digest.ts'
import type { Effect, Finish } from '../../core/agent/effect.ts'
import { isRecord, type Json } from '../../core/value/json.ts'
import { Thread } from '../../core/message/thread.ts'
import { frozen } from '../contract.ts'
import { short } from './describe.ts'
import { SOUND } from './finding.ts'
import { DEEPEST } from './plain.ts'

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
  const { start, next, observe } = checked(definition)
  if (!purity) {
    return {
      load,
      start: (input, context) => attempt('start', () => start(input, context)),
      next: (state) => attempt('next', () => next(state)),
      observe: (...learned) => attempt('observe', () => observe(...learned)),
    }
  }
  return {
    load,
    start: (input, context) => twice('start', () => start(frozen(input), context), sameValue),
    next: (state) => twice('next', () => next(state), sameWish),
    observe: (state, seen, meter) =>
      twice('observe', () => observe(state, frozen(seen), meter), sameValue),
  }
}

/** The compiler sees what they give; where it was talked out of it, or is not there, this does. */
const checked = <Input extends Json, State, Result>(
  definition: AgentDefinition<Input, State, Result>,
): Pick<AgentDefinition<Input, State, Result>, 'start' | 'next' | 'observe'> => ({
  start: (input, context) => asMoved('start', definition.start(input, context)),
  next(state) {
    const asked = definition.next(state)
    mustGive('next', asked, (given) => EFFECTS.has(given['type']), 'an effect or `finish`')
    return asked
  },
  observe: (state, seen, meter) => asMoved('observe', definition.observe(state, seen, meter)),
})

function asMoved<State>(name: string, moved: Moved<State>): Moved<State> {
  mustGive(name, moved, (given) => 'state' in given, 'an object with the `state`')
  return moved
}

function mustGive(
  name: string,
  given: unknown,
  isRight: (given: Readonly<Record<string, unknown>>) => boolean,
  what: string,
): void {
  if (given instanceof Promise) {
    // It comes to nothing that anybody waits for.
    given.catch(() => undefined)
    throw new Broken(SOUND.shape, `${name} gave a promise; it may not wait for anything`)
  }
  if (isRecord(given) && isRight(given)) return
  const shown = short(JSON.stringify(given) ?? typeof given)
  throw new Broken(SOUND.shape, `${name} gave ${shown}, and must give ${what}`)
}

const EFFECT_TYPES: Readonly<Record<Effect['type'] | 'finish', true>> = {
  generate: true,
  'call-tools': true,
  permit: true,
  ask: true,
  say: true,
  recall: true,
  remember: true,
  sleep: true,
  together: true,
  finish: true,
}
const EFFECTS: ReadonlySet<unknown> = new Set(Object.keys(EFFECT_TYPES))

/** In which order a state has its parts is no matter. */
function loadsAgain<State>(load: (snapshot: unknown) => State, state: State): void {
  const stored: unknown = JSON.parse(JSON.stringify(state))
  const loaded: unknown = JSON.parse(JSON.stringify(load(structuredClone(stored))))
  if (isDeepStrictEqual(loaded, stored)) return
  throw new Broken(SOUND.loads, `stored and loaded differ: ${difference(stored, loaded)}`)
}

/** Where two values first differ, as `state.at: 1 and 2`. */
function difference(one: unknown, other: unknown, path: readonly string[] = []): string {
  if (isRecord(one) && isRecord(other) && !(one instanceof Thread)) {
    const keys = [...Object.keys(one), ...Object.keys(other)]
    const key = keys.find((name) => !sameValue(one[name], other[name]))
    if (key !== undefined) return difference(one[key], other[key], [...path, key])
  }
  const [first, second] = [one, other].map((value) =>
    value === undefined ? 'nothing' : short(JSON.stringify(value) ?? `a ${typeof value}`),
  )
  return `${path.join('.') || 'as a whole'}: ${first} and ${second}`
}

function twice<Value>(
  name: string,
  call: () => Value,
  isSame: (one: Value, other: Value) => boolean,
): Value {
  const first = frozen(attempt(name, call))
  const second = attempt(name, call)
  if (isSame(first, second)) return first
  const where = difference(first, second)
  throw new Broken(
    SOUND.pure,
    `${name} gave two values for the same arguments, which differ: ${where}`,
  )
}

const sameValue = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) && sameThreads(one, other)

/** What a thread holds is its own, and two look alike from outside: their digests tell. */
function sameThreads(one: unknown, other: unknown, depth: number = 0): boolean {
  if (one === other || depth > DEEPEST || typeof one !== 'object' || one === null) return true
  if (one instanceof Thread) return other instanceof Thread && one.digest === other.digest
  return Object.keys(one).every((key) =>
    sameThreads(Reflect.get(one, key), Reflect.get(Object(other), key), depth + 1),
  )
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
