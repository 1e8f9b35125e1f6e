import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Json, JsonObject } from '../value/json.ts'

/**
 * The lifetime of a state: one run, one session, or as long as the middleware object and across all its
 * runs. `run` and `session` are journaled with the entry that changed them; `shared` never is.
 */
export type StateScope = 'run' | 'session' | 'shared'

/** A Standard Schema that checks synchronously and prints itself as JSON Schema. */
export interface StateSchema<State> {
  readonly '~standard': StandardSchemaV1.Props<unknown, State> &
    StandardJSONSchemaV1.Props<unknown, State>
}

/** The definition of a state: its schema, its initial value, and its migrations. */
export interface StateSpec<State> {
  /** Raised when a property is removed or renamed, or a type changes; not for a new optional property. */
  readonly version: number
  readonly schema: StateSchema<State>
  readonly initial: State
  /** Default `run`. */
  readonly scope?: StateScope
  /** By the old version: turns a state of that version into one of the next. */
  readonly migrate?: Migrations
}

export type Migrations = Readonly<Record<number, (old: JsonObject) => Json>>

/** The maximum JSON size of a state in bytes: each change is journaled whole. */
export const MOST_STATE_BYTES = 4096

/** A state whose type is closed over: the functions that store and load it. */
export interface StateSlot {
  /** Namespace and name: `echelon/circuitBreaker`. */
  readonly key: string
  readonly version: number
  readonly scope: StateScope
  readonly initial: Json
  /** One line that describes the problem with a stored state of this version; undefined when it fits. */
  refusal(stored: Json): string | undefined
  /** The shape, as JSON Schema draft 7. */
  readonly jsonSchema: JsonObject
  readonly migrate: Migrations
}

/** The version of the container itself. */
export const CONTAINER_VERSION = 1

/** States as they are stored, with what is needed to load them into other code. */
export interface StateContainer {
  readonly states: JsonObject
  /** Sorted keys of all states, comma-separated; `null` in states stored before there were signatures. */
  readonly schemaSignature: string | null
  readonly schemaVersion: typeof CONTAINER_VERSION
  /** By key. */
  readonly stateVersions: Readonly<Record<string, number>> | null
}
