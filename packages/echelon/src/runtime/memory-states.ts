import type { Json } from '../core/value/json.ts'
import type { SharedStates } from '../core/agent/ports.ts'

/** Shared states of one process. */
export class MemoryStates implements SharedStates {
  readonly #states = new Map<string, Json>()
  get(key: string): Json | undefined {
    return this.#states.get(key)
  }
  set(key: string, state: Json): void {
    this.#states.set(key, state)
  }
}
