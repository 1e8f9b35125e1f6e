import { EchelonError } from '../value/error.ts'
import { isJson, isJsonObject, type Json, type JsonObject } from '../value/json.ts'
import { describeIssue } from '../schema/schema.ts'
import { refusedState, storedState } from './state-slot.ts'
import type { StateSchema, StateSlot } from './state.ts'

/**
 * Creates one step of a state's migration, typed by the old version's schema:
 * `migrate: { 1: migration(z.object({ count: z.string() }), (old) => ({ count: Number(old.count) })) }`.
 * The result is checked against the schema of the state's current version.
 * @throws EchelonError STATE_REFUSED, when it runs, for an old state that does not fit its schema
 */
export function migration<Old>(
  schema: StateSchema<Old>,
  change: (old: Old) => unknown,
): (old: JsonObject) => Json {
  return (old) => {
    const read = schema['~standard'].validate(old)
    if (read instanceof Promise) throw cannot('its schema is asynchronous; use a synchronous one')
    if (read.issues !== undefined) throw cannot(read.issues.map(describeIssue).join('; '))
    const changed = change(read.value)
    if (isJson(changed)) return changed
    throw cannot('its result is a value that JSON cannot hold; use plain values')
  }
}

const cannot = (why: string): EchelonError => new EchelonError('STATE_REFUSED', why)

/** Migrates a stored state to the current version, or returns a sentence that says what to do. */
export type Loaded =
  | { readonly ok: true; readonly state: Json }
  | { readonly ok: false; readonly reason: string }

/** Migrates a stored state step by step to the version of its slot, and checks the result. */
export function upToDate(slot: StateSlot, stored: Json, from: number): Loaded {
  const { key, version } = slot
  if (from > version) {
    return refused(
      `the stored state of ${key} is of version ${from}, and the code knows versions up to ${version}; load it with the newer code, or discard the state`,
    )
  }
  let state = stored
  for (let step = from; step < version; step++) {
    const taken = takeStep(slot, state, step)
    if (!taken.ok) return taken
    state = taken.state
  }
  const problem = slot.refusal(state)
  if (problem === undefined) return from === version ? { ok: true, state } : fitting(slot, state)
  return refused(
    from === version
      ? refusedState(key, version, problem)
      : `the state of ${key} was migrated from version ${from} to ${version} and does not fit its schema (${problem}); correct migrate[${version - 1}]`,
  )
}

function takeStep({ key, migrate }: StateSlot, state: Json, version: number): Loaded {
  const step = Object.hasOwn(migrate, version) ? migrate[version] : undefined
  if (step === undefined) {
    return refused(
      `the stored state of ${key} is of version ${version}, and no migration leads from there; add migrate[${version}], or discard the state`,
    )
  }
  if (!isJsonObject(state)) {
    return refused(
      `the state of ${key} of version ${version} is not an object, and only objects can be migrated; discard the state`,
    )
  }
  try {
    const taken: unknown = step(state)
    if (isJson(taken)) return { ok: true, state: taken }
    return refused(
      `migrate[${version}] of ${key} returned a value that JSON cannot hold; return plain values synchronously`,
    )
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return refused(
      `migrate[${version}] of ${key} failed on the stored state (${why}); correct it, or discard the state`,
    )
  }
}

/** A migrated state has the same size limit as any other, or its next change would fail. */
function fitting(slot: StateSlot, state: Json): Loaded {
  try {
    return { ok: true, state: storedState(slot, state) }
  } catch (error) {
    if (error instanceof EchelonError) return refused(error.message)
    throw error
  }
}

const refused = (reason: string): Loaded => ({ ok: false, reason })
