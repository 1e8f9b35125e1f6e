import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'

/**
 * Encodes query values that look encoded, such as `50%25`. The library leaves those as they are,
 * although they are meant literally.
 */
export const literalQuery = (query: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, literal(value)]))

function literal(value: Json): Json {
  if (typeof value === 'string') return looksEncoded(value) ? encodeURIComponent(value) : value
  if (Array.isArray(value)) return value.map(literal)
  return isJsonObject(value) ? literalQuery(value) : value
}

function looksEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== text
  } catch {
    return false
  }
}
