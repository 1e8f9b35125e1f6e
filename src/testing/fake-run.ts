import type { Json, JsonObject } from '../core/json.ts'
import type { MiddlewareHost, StateCell } from '../core/middleware.ts'
import type { Clock } from '../core/ports.ts'

/**
 * A run as middleware sees it, that does nothing else: it holds states, and remembers what it was
 * told. A hook is called with it alone.
 */
export class FakeRun implements MiddlewareHost {
  tool(): undefined {
    return undefined
  }
  readonly runId = 'run'
  readonly session = undefined
  readonly caller = undefined
  readonly container = undefined
  readonly clock: Clock = { now: () => 0, after: () => () => undefined }
  readonly signal: MiddlewareHost['signal'] = new AbortController().signal
  readonly msLeft: number = Infinity
  readonly contexts: MiddlewareHost['contexts'] = new Map()
  readonly told: [middleware: string, event: string, data: Json][] = []
  readonly cells: StateCell[] = []
  readonly shared: MiddlewareHost['shared']
  readonly #saved: JsonObject

  /**
   * @param saved what is on record, by key
   * @param shared states that it has in common with other runs
   */
  constructor(saved: JsonObject = {}, shared: Map<string, Json> = new Map()) {
    this.#saved = saved
    this.shared = {
      get: (key) => shared.get(key),
      set: (key, state) => void shared.set(key, state),
    }
  }

  random = (): number => 0.5
  pause = async (): Promise<void> => undefined
  tell = (middleware: string, event: string, data: Json): void =>
    void this.told.push([middleware, event, data])
  savedState = (key: string): Json | undefined => this.#saved[key]
  opened = (cell: StateCell): void => void this.cells.push(cell)
}
