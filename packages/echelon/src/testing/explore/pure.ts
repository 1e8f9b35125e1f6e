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

/** A general rule that a call of a definition broke. */
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
 * The functions of a definition with runtime checks: a throw breaks a rule, and with `purity` every
 * result is frozen and each function is called twice and must return the same.
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
    start: (input, context) =>
      checkedTwice('start', () => start(frozen(input), context), sameValue),
    next: (state) => checkedTwice('next', () => next(state), sameWish),
    observe: (state, seen, meter) =>
      checkedTwice('observe', () => observe(state, frozen(seen), meter), sameValue),
  }
}

/** Checks what the compiler would check, for definitions that bypass it or are JavaScript. */
const checked = <Input extends Json, State, Result>(
  definition: AgentDefinition<Input, State, Result>,
): Pick<AgentDefinition<Input, State, Result>, 'start' | 'next' | 'observe'> => ({
  start: (input, context) => checkedMove('start', definition.start(input, context)),
  next(state) {
    const asked = definition.next(state)
    mustReturn('next', asked, (given) => EFFECTS.has(given['type']), 'an effect or `finish`')
    return asked
  },
  observe: (state, seen, meter) => checkedMove('observe', definition.observe(state, seen, meter)),
})

function checkedMove<State>(name: string, moved: Moved<State>): Moved<State> {
  mustReturn(name, moved, (given) => 'state' in given, 'an object with the `state`')
  return moved
}

function mustReturn(
  name: string,
  given: unknown,
  isRight: (given: Readonly<Record<string, unknown>>) => boolean,
  what: string,
): void {
  if (given instanceof Promise) {
    // The promise's result is not used.
    given.catch(() => undefined)
    throw new Broken(SOUND.shape, `${name} returned a promise; it must be synchronous`)
  }
  if (isRecord(given) && isRight(given)) return
  const shown = short(JSON.stringify(given) ?? typeof given)
  throw new Broken(SOUND.shape, `${name} returned ${shown}, but must return ${what}`)
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

/** The order of a state's fields does not matter. */
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

function checkedTwice<Value>(
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
    `${name} returned two values for the same arguments, which differ: ${where}`,
  )
}

const sameValue = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) && sameThreads(one, other)

/** A thread's content is private and two look equal from outside, so their digests are compared. */
function sameThreads(one: unknown, other: unknown, depth: number = 0): boolean {
  if (one === other || depth > DEEPEST || typeof one !== 'object' || one === null) return true
  if (one instanceof Thread) return other instanceof Thread && one.digest === other.digest
  return Object.keys(one).every((key) =>
    sameThreads(Reflect.get(one, key), Reflect.get(Object(other), key), depth + 1),
  )
}

/** A prompt is compared by its digest, since a conversation may be long. */
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

/** V8's wording. */
const isWriteToFrozen = (error: unknown): boolean =>
  error instanceof TypeError &&
  /read only property|not extensible|Cannot (?:delete|redefine) property/.test(error.message)
