import type { AgentDefinition } from './agent.ts'
import type { Started } from '../journal/journal.ts'
import type { Json } from '../value/json.ts'
import type { Middleware } from '../extension/defined-middleware.ts'

/** A definition with any state and result. */
export type AnyDefinition = AgentDefinition<Json, unknown, unknown>

/**
 * The owner of stored states: an agent with its middleware. Agents built by Echelon have this shape;
 * `echelon state doctor --agent MODULE` takes any module whose default export has it.
 */
export interface StateHolder {
  /**
   * The definition of its runs, or a function if it depends on how a run was started. The function
   * returns `undefined` for a run of another agent. Without it, only middleware states are known.
   */
  readonly definition?: AnyDefinition | ((started: Started) => AnyDefinition | undefined)
  /** Its middleware, including middleware without state. */
  readonly middlewares: readonly Middleware[]
}
