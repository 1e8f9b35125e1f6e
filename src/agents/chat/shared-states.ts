import type { Json } from '../../core/json.ts'
import type { SharedStates } from '../../core/ports.ts'

/** States that all runs of one agent have in common; they live as long as it. */
export class AgentStates implements SharedStates {
  readonly #states = new Map<string, Json>()

  get(key: string): Json | undefined {
    return this.#states.get(key)
  }

  set(key: string, state: Json): void {
    this.#states.set(key, state)
  }
}
