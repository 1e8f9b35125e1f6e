import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Json, JsonObject } from '../value/json.ts'

/**
 * How long a state lives: one run, one conversation, or as long as whoever holds it and across all
 * runs. `run` and `session` are journalled with the entry that changed them; `shared` never is.
 */
export type StateScope = 'run' | 'session' | 'shared'

/** A Standard Schema that checks at once, not after a wait, and prints itself as JSON Schema. */
export interface StateSchema<State> {
  readonly '~standard': StandardSchemaV1.Props<unknown, State> &
    StandardJSONSchemaV1.Props<unknown, State>
}

/** What a state is: its shape, where it begins, and how an older one becomes one of now. */
export interface StateSpec<State> {
  /** Raised when a property is removed or renamed, or a type changes; not for one more that may be absent. */
  readonly version: number
  readonly schema: StateSchema<State>
  readonly initial: State
  /** Default `run`. */
  readonly scope?: StateScope
  /** By the version it comes from: what a state of that version is in the next one. */
  readonly migrate?: Migrations
}

export type Migrations = Readonly<Record<number, (old: JsonObject) => Json>>

/** The most that one state may take as JSON, in bytes: each change is journalled whole. */
export const MOST_STATE_BYTES = 4096

/** A state once its type does not matter: what is needed to keep and to load it. */
export interface StateSlot {
  /** Namespace and name: `echelon/circuitBreaker`. */
  readonly key: string
  readonly version: number
  readonly scope: StateScope
  readonly initial: Json
  /** One line that says what is wrong with a stored state of this version; nothing when it fits. */
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
  /** Sorted keys of all states, with commas; `null` in what was stored before there was one. */
  readonly schemaSignature: string | null
  readonly schemaVersion: typeof CONTAINER_VERSION
  /** By key. */
  readonly stateVersions: Readonly<Record<string, number>> | null
}
