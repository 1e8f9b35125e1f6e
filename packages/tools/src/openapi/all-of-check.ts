import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { UnusableOperation } from './input-schema.ts'

/** Of one `allOf`, all that it refers to written out. */
const MOST_PARTS = 20_000
const MOST_DEPTH = 500

/**
 * Types under `allOf` are merged, for which the library writes out what they refer to: some lines of
 * a document can become gigabytes. Counts before it begins.
 * @returns a check of an operation, as the document has it; throws UnusableOperation
 */
export function allOfCheck(document: JsonObject): (operation: Json) => void {
  const sizes = new Map<string, number>()
  const sizeOf = (value: Json, depth: number): number => {
    if (typeof value !== 'object' || value === null) return 1
    if (depth > MOST_DEPTH) return MOST_PARTS
    const reference = referenceOf(value)
    if (reference === undefined) return partsOf(Object.values(value), depth)
    const known = sizes.get(reference)
    if (known !== undefined) return known
    // What refers to itself is written out once.
    sizes.set(reference, 1)
    const size = sizeOf(resolved(document, reference), depth + 1)
    sizes.set(reference, size)
    return size
  }
  const partsOf = (parts: readonly Json[], depth: number): number => {
    let sum = 1
    for (const part of parts) {
      sum += sizeOf(part, depth + 1)
      if (sum >= MOST_PARTS) return MOST_PARTS
    }
    return sum
  }
  const check = (value: Json, seen: Set<string>): void => {
    if (typeof value !== 'object' || value === null) return
    const reference = referenceOf(value)
    if (reference !== undefined) {
      if (seen.has(reference)) return
      seen.add(reference)
      if (seen.size > MOST_PARTS) throw tooMuch()
      return check(resolved(document, reference), seen)
    }
    if ('allOf' in value && sizeOf(value, 0) >= MOST_PARTS) throw tooMuch()
    for (const part of Object.values(value)) check(part, seen)
  }
  return (operation) => check(operation, new Set())
}

const tooMuch = (): UnusableOperation =>
  new UnusableOperation(`combines types (allOf) of more than ${MOST_PARTS} parts`)

const referenceOf = (value: Json): string | undefined =>
  isJsonObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined

/** What a reference within the document leads to; nothing for any other. */
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
