import { EchelonError } from 'echelon/internal/value'
import { isJson, isRecord } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { utf8Bytes } from 'echelon/internal/value'

/** What a bag may hold, whoever filled it. */
const MOST_VALUES = 256
const MOST_BYTES = 1024 * 1024

/** Values that belong to a session and are stored with it: plain JSON by name. The agent does not read them. */
export class AgentSessionStateBag {
  readonly #values: Map<string, Json>

  constructor(values: ReadonlyMap<string, Json> = new Map()) {
    this.#values = new Map(values)
  }

  get count(): number {
    return this.#values.size
  }

  /** Nothing where there is no value of that name. */
  tryGetValue(key: string): Json | undefined {
    return this.#values.get(key)
  }

  /** @throws EchelonError INVALID_INPUT where there is no value of that name */
  getValue(key: string): Json {
    const value = this.#values.get(key)
    if (value === undefined)
      throw invalid(`the session's state bag holds no ${key}; set it first, or use tryGetValue`)
    return value
  }

  /** @throws EchelonError INVALID_INPUT for what JSON cannot hold, or what is too much */
  setValue(key: string, value: Json): void {
    const values = new Map(this.#values).set(key, value)
    const problem = problemOf(values)
    if (problem !== undefined) throw invalid(problem)
    this.#values.set(key, value)
  }

  /** @returns whether there was one */
  tryRemoveValue(key: string): boolean {
    return this.#values.delete(key)
  }

  /** All of it as plain JSON. */
  serialize(): JsonObject {
    return Object.fromEntries(this.#values)
  }

  /**
   * What `serialize` returned, every part of it checked.
   * @throws EchelonError STATE_REFUSED
   */
  static deserialize(stored: unknown): AgentSessionStateBag {
    if (!isRecord(stored)) throw refused('the state bag of the session is no JSON object')
    const values = new Map<string, Json>()
    for (const [key, value] of Object.entries(stored)) {
      if (!isJson(value)) throw refused(`the value ${key} of the session is no JSON`)
      values.set(key, value)
    }
    const problem = problemOf(values)
    if (problem !== undefined) throw refused(problem)
    return new AgentSessionStateBag(values)
  }
}

function problemOf(values: ReadonlyMap<string, Json>): string | undefined {
  if (values.size > MOST_VALUES) return `a state bag holds at most ${MOST_VALUES} values`
  let bytes = 0
  for (const [key, value] of values) {
    if (!isJson(value)) return `the value ${key} is no JSON; use plain values`
    bytes += utf8Bytes(key) + utf8Bytes(JSON.stringify(value))
  }
  return bytes > MOST_BYTES ? `a state bag takes at most ${MOST_BYTES} bytes as JSON` : undefined
}

const invalid = (problem: string): EchelonError => new EchelonError('INVALID_INPUT', problem)
const refused = (problem: string): EchelonError => new EchelonError('STATE_REFUSED', problem)
