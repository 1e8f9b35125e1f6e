import { EchelonError } from '../value/error.ts'
import { isJson, type Json } from '../value/json.ts'
import { describeIssue, toJsonSchema } from '../schema/schema.ts'
import { MOST_STATE_BYTES, type StateSlot, type StateSpec } from './state.ts'
import { utf8Bytes } from '../value/utf8.ts'

/**
 * What is needed to keep a state and to load it, its type closed over.
 * @throws EchelonError INVALID_DEFINITION for a version, a schema or an initial state that cannot work;
 * STATE_TOO_LARGE
 */
export function slotOf<State>(key: string, spec: StateSpec<State>): StateSlot {
  const { version, schema, initial, scope = 'run', migrate = {} } = spec
  if (!Number.isInteger(version) || version < 1) {
    throw invalid(key, `has version ${version}; give a whole number from 1 on`)
  }
  if (!isJson(initial)) throw invalid(key, 'begins with what JSON cannot hold; use plain values')
  storedState({ key }, initial)
  const refusal = (stored: Json): string | undefined => check(key, spec, stored).refusal
  const slot = { key, version, scope, initial, migrate, refusal }
  const problem = refusal(initial)
  if (problem !== undefined) throw invalid(key, `begins with what its schema refuses: ${problem}`)
  return Object.freeze({ ...slot, jsonSchema: toJsonSchema(schema) })
}

/**
 * A stored state of the present version as its schema reads it, defaults filled in.
 * @throws EchelonError STATE_REFUSED when it does not fit
 */
export function loadState<State>({ key }: StateSlot, spec: StateSpec<State>, stored: Json): State {
  const read = check(key, spec, stored)
  if (read.refusal === undefined) return read.value
  throw new EchelonError('STATE_REFUSED', refusedState(key, spec.version, read.refusal), {
    details: { state: key, version: spec.version },
  })
}

/** The sentence for a stored state that its own schema refuses. */
export const refusedState = (key: string, version: number, problem: string): string =>
  `the stored state of ${key} is of version ${version} but does not fit its schema (${problem}); raise the version and add a migration, or discard the state`

/**
 * A state as it is stored.
 * @throws EchelonError STATE_TOO_LARGE above `MOST_STATE_BYTES`; INVALID_DEFINITION when JSON cannot hold it
 */
export function storedState({ key }: Pick<StateSlot, 'key'>, state: unknown): Json {
  if (!isJson(state)) throw invalid(key, 'was given what JSON cannot hold; use plain values')
  const bytes = utf8Bytes(JSON.stringify(state))
  if (bytes <= MOST_STATE_BYTES) return state
  throw new EchelonError(
    'STATE_TOO_LARGE',
    `the state of ${key} takes ${bytes} bytes, and may take ${MOST_STATE_BYTES}: each change is journalled whole, so keep counts and signatures in it, and documents elsewhere`,
    { details: { state: key, bytes } },
  )
}

type Checked<State> =
  | { readonly refusal: undefined; readonly value: State }
  | { readonly refusal: string }

function check<State>(key: string, { schema }: StateSpec<State>, stored: Json): Checked<State> {
  const result = schema['~standard'].validate(stored)
  if (result instanceof Promise) {
    throw invalid(key, 'has a schema that waits; use one that checks at once')
  }
  if (result.issues !== undefined) return { refusal: result.issues.map(describeIssue).join('; ') }
  return { refusal: undefined, value: result.value }
}

const invalid = (key: string, what: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `the state of ${key} ${what}`)
