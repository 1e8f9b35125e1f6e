import type { Json } from '../../core/value/json.ts'
import type { MiddlewareRun } from '../../core/extension/middleware.ts'
import type { SharedStates } from '../../core/agent/ports.ts'
import type { ToolFacts } from '../../core/tool/tool-call.ts'

/**
 * The run as a shadowed policy sees it: it can read the run's states, and its own writes are neither
 * recorded nor shared.
 */
export class ShadowRun implements MiddlewareRun {
  readonly contexts: Map<string, object> = new Map()
  readonly shared: SharedStates
  readonly #run: MiddlewareRun

  constructor(run: MiddlewareRun) {
    this.#run = run
    this.shared = overlay(run.shared)
  }

  get runId(): string {
    return this.#run.runId
  }
  get agent(): string {
    return this.#run.agent
  }
  get session(): string | undefined {
    return this.#run.session
  }
  get forSession(): string | undefined {
    return this.#run.forSession
  }
  get caller(): string | undefined {
    return this.#run.caller
  }
  get container(): unknown {
    return this.#run.container
  }
  get clock(): MiddlewareRun['clock'] {
    return this.#run.clock
  }
  get signal(): AbortSignal {
    return this.#run.signal
  }
  get msLeft(): number {
    return this.#run.msLeft
  }
  mayCall(role: string): boolean {
    return this.#run.mayCall(role)
  }

  tool(name: string): ToolFacts | undefined {
    return this.#run.tool(name)
  }
  /** Separate random numbers: drawing from the run's would change those that follow. */
  random(): number {
    return 0.5
  }
  pause(ms: number): Promise<void> {
    return this.#run.pause(ms)
  }
  savedState(key: string): Json | undefined {
    return this.#run.savedState(key)
  }
  tell(): void {}
  opened(): void {}
}

function overlay(shared: SharedStates): SharedStates {
  const own = new Map<string, Json>()
  return {
    get: (key) => (own.has(key) ? own.get(key) : shared.get(key)),
    set: (key, state) => void own.set(key, state),
  }
}
