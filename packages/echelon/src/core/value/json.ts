/** A JSON value. Everything that is journaled, shown or sent is one. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const isJsonArray = (value: Json | undefined): value is readonly Json[] =>
  Array.isArray(value)

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an unknown value is a plain object: the first check on anything parsed or thrown. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether a value survives a round trip through JSON: finite numbers, plain objects, no cycles.
 * Keys that hold `undefined` are allowed, since `JSON.stringify` leaves them out.
 */
export function isJson(value: unknown, depth = 64): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (depth === 0 || typeof value !== 'object') return false
  // Not `every`, which skips the holes of a sparse array.
  if (Array.isArray(value)) return Array.from(value).every((item) => isJson(item, depth - 1))
  if (!isPlain(value)) return false
  return Object.values(value).every((item) => item === undefined || isJson(item, depth - 1))
}

/**
 * Copies a value like a round trip through JSON, without keys that hold `undefined`.
 * @returns `undefined` for values that `isJson` rejects
 */
export function copyJson(value: unknown, depth = 64): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (depth === 0) return undefined
  if (Array.isArray(value)) {
    const copies: Json[] = []
    // Not `map`, which skips the holes of a sparse array.
    for (const item of value) {
      const copy = copyJson(item, depth - 1)
      if (copy === undefined) return undefined
      copies.push(copy)
    }
    return copies
  }
  return isRecord(value) && isPlain(value) ? copyFields(value, depth) : undefined
}

/** Whether an object is not an instance of a class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function copyFields(fields: Readonly<Record<string, unknown>>, depth: number): Json | undefined {
  const copies: Record<string, Json> = {}
  for (const key of Object.keys(fields)) {
    const item = fields[key]
    if (item === undefined) continue
    const copy = copyJson(item, depth - 1)
    if (copy === undefined) return undefined
    if (key === '__proto__') setOwn(copies, key, copy)
    else copies[key] = copy
  }
  return copies
}

/** An assignment to `__proto__` would set the prototype instead. */
const setOwn = (fields: Record<string, Json>, key: string, value: Json): void => {
  Object.defineProperty(fields, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}

/** Deep equality, ignoring the order of keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (isJsonArray(a) && isJsonArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  )
}
