import { EchelonError, isJson, isRecord, utf8Bytes } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'

/** Limits of a bag, whether filled or restored. */
const MAX_VALUES = 256
const MAX_BYTES = 1024 * 1024

/** Values stored with a session: plain JSON by name. The agent does not read them. */
export class AgentSessionStateBag {
  readonly #values: Map<string, Json>

  constructor(values: ReadonlyMap<string, Json> = new Map()) {
    this.#values = new Map(values)
  }

  get count(): number {
    return this.#values.size
  }

  /** Undefined if there is no value of that name. */
  tryGetValue(key: string): Json | undefined {
    return this.#values.get(key)
  }

  /** @throws EchelonError INVALID_INPUT if there is no value of that name */
  getValue(key: string): Json {
    const value = this.#values.get(key)
    if (value === undefined)
      throw invalid(`the session's state bag has no ${key}; set it first, or use tryGetValue`)
    return value
  }

  /** @throws EchelonError INVALID_INPUT for a value that is not JSON, or beyond a limit */
  setValue(key: string, value: Json): void {
    const values = new Map(this.#values).set(key, value)
    const problem = problemOf(values)
    if (problem !== undefined) throw invalid(problem)
    this.#values.set(key, value)
  }

  /** @returns whether the value existed */
  tryRemoveValue(key: string): boolean {
    return this.#values.delete(key)
  }

  /** All values as plain JSON. */
  serialize(): JsonObject {
    return Object.fromEntries(this.#values)
  }

  /**
   * Restores the result of `serialize`, checking every part.
   * @throws EchelonError STATE_REFUSED
   */
  static deserialize(stored: unknown): AgentSessionStateBag {
    if (!isRecord(stored)) throw refused('the state bag of the session is not a JSON object')
    const values = new Map<string, Json>()
    for (const [key, value] of Object.entries(stored)) {
      if (!isJson(value)) throw refused(`the value ${key} of the session is not JSON`)
      values.set(key, value)
    }
    const problem = problemOf(values)
    if (problem !== undefined) throw refused(problem)
    return new AgentSessionStateBag(values)
  }
}

function problemOf(values: ReadonlyMap<string, Json>): string | undefined {
  if (values.size > MAX_VALUES) return `a state bag holds at most ${MAX_VALUES} values`
  let bytes = 0
  for (const [key, value] of values) {
    if (!isJson(value)) return `the value ${key} is not JSON; use plain values`
    bytes += utf8Bytes(key) + utf8Bytes(JSON.stringify(value))
  }
  return bytes > MAX_BYTES ? `a state bag takes at most ${MAX_BYTES} bytes as JSON` : undefined
}

const invalid = (problem: string): EchelonError => new EchelonError('INVALID_INPUT', problem)
const refused = (problem: string): EchelonError => new EchelonError('STATE_REFUSED', problem)
