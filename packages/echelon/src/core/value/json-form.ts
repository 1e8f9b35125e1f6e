import { isJson, type Json } from './json.ts'

/**
 * Converts any value to JSON: the result of `JSON.stringify`, and where that would throw or drop
 * information, the closest JSON form. Never throws.
 *
 * - `undefined`, a function or a symbol becomes `null`; as a field it is left out.
 * - `NaN` and the infinities become `null`, as in `JSON.stringify`.
 * - A value with `toJSON` becomes its result: a `Date` its ISO text, a `URL` its text.
 * - An instance of a class becomes its own fields.
 * - A `BigInt` becomes its decimal digits, as a string.
 * - A `Map` whose keys are strings becomes an object, any other an array of `[key, value]`; a `Set` and a
 *   typed array become arrays; other binary data `[12 bytes]`.
 * - An `Error` becomes its `name`, its `message`, its `cause` and its own fields, without the stack.
 * - A circular reference becomes `[circular]`, a value nested more than 64 levels deep `[too deep]`, and a
 *   value that throws when it is read `[unreadable]`.
 */
export function jsonForm(value: unknown): Json {
  return plainly(value) ?? new Forming().form(value, DEEPEST) ?? null
}

/** The same as for `isJson`. */
const DEEPEST = 64

/** Most values are already JSON and are returned unchanged. */
function plainly(value: unknown): Json | undefined {
  try {
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

class Forming {
  /** Open objects, to find circular references. */
  readonly #open = new Set<object>()

  /** @returns undefined for values that JSON leaves out */
  form(value: unknown, depth: number): Json | undefined {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) ? value : null
      case 'bigint':
        return value.toString()
      case 'undefined':
      case 'function':
      case 'symbol':
        return undefined
      case 'object':
        return value === null ? null : this.#object(value, depth)
    }
  }

  #object(value: object, depth: number): Json | undefined {
    if (this.#open.has(value)) return '[circular]'
    if (depth === 0) return '[too deep]'
    this.#open.add(value)
    try {
      return this.#fields(value, depth - 1)
    } catch {
      return '[unreadable]'
    } finally {
      this.#open.delete(value)
    }
  }

  /** Getters, proxies and `toJSON` may throw. */
  #fields(value: object, depth: number): Json | undefined {
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      return this.#list(Object.values(value), depth)
    }
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      const written: unknown = value.toJSON()
      // Returning itself from `toJSON` is not circular; its fields remain.
      return written === value
        ? this.#record(Object.entries(value), depth)
        : this.form(written, depth)
    }
    if (Array.isArray(value)) return this.#list(value, depth)
    if (value instanceof Map) return this.#map(value, depth)
    if (value instanceof Set) return this.#list([...value], depth)
    if (value instanceof Error) return this.#record(partsOf(value), depth)
    if (isBinary(value)) return `[${value.byteLength} bytes]`
    // `new Number(1)` is a number in JSON.
    if (isBoxed(value)) return this.form(value.valueOf(), depth)
    return this.#record(Object.entries(value), depth)
  }

  #list(items: readonly unknown[], depth: number): Json {
    // Not `map`, which skips the holes of a sparse array.
    return Array.from(items, (item) => this.form(item, depth) ?? null)
  }

  #map(map: ReadonlyMap<unknown, unknown>, depth: number): Json {
    const fields: (readonly [string, unknown])[] = []
    for (const [key, value] of map) {
      if (typeof key !== 'string') return this.#list([...map], depth)
      fields.push([key, value])
    }
    return this.#record(fields, depth)
  }

  #record(fields: readonly (readonly [string, unknown])[], depth: number): Json {
    // Not by assignment, which would set the prototype for a field named __proto__.
    return Object.fromEntries(
      fields.flatMap(([name, field]): (readonly [string, Json])[] => {
        const formed = this.form(field, depth)
        return formed === undefined ? [] : [[name, formed]]
      }),
    )
  }
}

/** The parts of an error that `Object.entries` does not return. */
const partsOf = (error: Error): readonly (readonly [string, unknown])[] => [
  ['name', error.name],
  ['message', error.message],
  ['cause', error.cause],
  ...Object.entries(error),
]

const isBinary = (value: object): value is ArrayBufferLike | DataView =>
  value instanceof DataView ||
  value instanceof ArrayBuffer ||
  (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer)

const isBoxed = (value: object): boolean => BOXED.test(Object.prototype.toString.call(value))

const BOXED = /^\[object (?:Number|String|Boolean|BigInt)\]$/
