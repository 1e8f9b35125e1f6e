import { EchelonError } from '../value/error.ts'
import { isJson, type Json } from '../value/json.ts'
import { describeIssue, toJsonSchema } from '../schema/schema.ts'
import { MOST_STATE_BYTES, type StateSlot, type StateSpec } from './state.ts'
import { utf8Bytes } from '../value/utf8.ts'

/**
 * Creates the functions that store and load a state, with its type closed over.
 * @throws EchelonError INVALID_DEFINITION for an invalid version, schema or initial state;
 * STATE_TOO_LARGE
 */
export function slotOf<State>(key: string, spec: StateSpec<State>): StateSlot {
  const { version, schema, initial, scope = 'run', migrate = {} } = spec
  if (!Number.isInteger(version) || version < 1) {
    throw invalid(key, `has version ${version}; give a whole number from 1 on`)
  }
  if (!isJson(initial))
    throw invalid(key, 'has an initial value that JSON cannot hold; use plain values')
  storedState({ key }, initial)
  const refusal = (stored: Json): string | undefined => check(key, spec, stored).refusal
  const slot = { key, version, scope, initial, migrate, refusal }
  const problem = refusal(initial)
  if (problem !== undefined)
    throw invalid(key, `has an initial value that does not fit its schema: ${problem}`)
  return Object.freeze({ ...slot, jsonSchema: toJsonSchema(schema) })
}

/**
 * Parses a stored state of the current version with its schema, defaults filled in.
 * @throws EchelonError STATE_REFUSED when it does not fit
 */
export function loadState<State>({ key }: StateSlot, spec: StateSpec<State>, stored: Json): State {
  const read = check(key, spec, stored)
  if (read.refusal === undefined) return read.value
  throw new EchelonError('STATE_REFUSED', refusedState(key, spec.version, read.refusal), {
    details: { state: key, version: spec.version },
  })
}

/** The sentence for a stored state that does not fit its own schema. */
export const refusedState = (key: string, version: number, problem: string): string =>
  `the stored state of ${key} is of version ${version} but does not fit its schema (${problem}); raise the version and add a migration, or discard the state`

/**
 * A state as it is stored.
 * @throws EchelonError STATE_TOO_LARGE above `MOST_STATE_BYTES`; INVALID_DEFINITION when JSON cannot hold it
 */
export function storedState({ key }: Pick<StateSlot, 'key'>, state: unknown): Json {
  if (!isJson(state))
    throw invalid(key, 'was set to a value that JSON cannot hold; use plain values')
  const bytes = utf8Bytes(JSON.stringify(state))
  if (bytes <= MOST_STATE_BYTES) return state
  throw new EchelonError(
    'STATE_TOO_LARGE',
    `the state of ${key} takes ${bytes} bytes; the limit is ${MOST_STATE_BYTES}: each change is journaled whole, so keep counts and signatures in it, and documents elsewhere`,
    { details: { state: key, bytes } },
  )
}

type Checked<State> =
  | { readonly refusal: undefined; readonly value: State }
  | { readonly refusal: string }

function check<State>(key: string, { schema }: StateSpec<State>, stored: Json): Checked<State> {
  const result = schema['~standard'].validate(stored)
  if (result instanceof Promise) {
    throw invalid(key, 'has an asynchronous schema; use a synchronous one')
  }
  if (result.issues !== undefined) return { refusal: result.issues.map(describeIssue).join('; ') }
  return { refusal: undefined, value: result.value }
}

const invalid = (key: string, what: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `the state of ${key} ${what}`)
