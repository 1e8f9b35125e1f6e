import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { UnusableOperation } from './input-schema.ts'

/** Limit for one `allOf` with its references expanded. */
const MAX_PARTS = 20_000
const MAX_DEPTH = 500

/**
 * Rejects an `allOf` that would be too big. The library merges it by expanding every reference, so
 * a few lines of a document can become gigabytes. Counts the parts first.
 * @returns a check of an operation of the document; throws UnusableOperation
 */
export function allOfCheck(document: JsonObject): (operation: Json) => void {
  const sizes = new Map<string, number>()
  const sizeOf = (value: Json, depth: number): number => {
    if (typeof value !== 'object' || value === null) return 1
    if (depth > MAX_DEPTH) return MAX_PARTS
    const reference = referenceOf(value)
    if (reference === undefined) return partsOf(Object.values(value), depth)
    const known = sizes.get(reference)
    if (known !== undefined) return known
    // A recursive type is expanded once.
    sizes.set(reference, 1)
    const size = sizeOf(resolved(document, reference), depth + 1)
    sizes.set(reference, size)
    return size
  }
  const partsOf = (parts: readonly Json[], depth: number): number => {
    let sum = 1
    for (const part of parts) {
      sum += sizeOf(part, depth + 1)
      if (sum >= MAX_PARTS) return MAX_PARTS
    }
    return sum
  }
  const check = (value: Json, seen: Set<string>): void => {
    if (typeof value !== 'object' || value === null) return
    const reference = referenceOf(value)
    if (reference !== undefined) {
      if (seen.has(reference)) return
      seen.add(reference)
      if (seen.size > MAX_PARTS) throw tooMuch()
      return check(resolved(document, reference), seen)
    }
    if ('allOf' in value && sizeOf(value, 0) >= MAX_PARTS) throw tooMuch()
    for (const part of Object.values(value)) check(part, seen)
  }
  return (operation) => check(operation, new Set())
}

const tooMuch = (): UnusableOperation =>
  new UnusableOperation(`combines types (allOf) with more than ${MAX_PARTS} parts`)

const referenceOf = (value: Json): string | undefined =>
  isJsonObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined

/** Resolves a reference within the document; `null` for any other. */
function resolved(document: JsonObject, reference: string): Json {
  if (!reference.startsWith('#/')) return null
  let at: Json = document
  for (const step of reference.slice(2).split('/')) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    at = (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : elementOf(at, key)) ?? null
  }
  return at
}

const elementOf = (list: Json, key: string): Json | undefined =>
  Array.isArray(list) && /^\d{1,9}$/.test(key) ? list[Number(key)] : undefined

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
