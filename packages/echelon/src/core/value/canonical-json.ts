import { isJsonArray, isJsonObject, type Json } from './json.ts'

/**
 * Serializes JSON in one canonical way, so that equal values have equal hashes: no blanks, and fields
 * ordered by their names' UTF-16 units, as in RFC 8785 (JCS). A field that holds `undefined` is left
 * out.
 */
export function canonicalJson(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`
}
