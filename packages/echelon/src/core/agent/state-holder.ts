import type { AgentDefinition } from './agent.ts'
import type { Started } from '../journal/journal.ts'
import type { Json } from '../value/json.ts'
import type { Layer } from '../extension/middleware.ts'

/** A definition whose state and result are of no concern to the holder. */
export type AnyDefinition = AgentDefinition<Json, unknown, unknown>

/**
 * What stored states belong to: an agent with its middleware. Agents that Echelon builds are of this
 * shape; `echelon state doctor --agent MODULE` takes any module whose default export is.
 */
export interface StateHolder {
  /**
   * What decides in its runs. A function, where that depends on how a run was begun; it gives
   * nothing for a run of another agent. Left out, only the states of middleware are known.
   */
  readonly definition?: AnyDefinition | ((started: Started) => AnyDefinition | undefined)
  /** Its middleware, those without state included. */
  readonly layers: readonly Layer[]
}
