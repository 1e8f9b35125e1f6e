import { isJsonArray, isJsonObject, type Json } from './json.ts'

/**
 * The one way to write a JSON value, so that equal values have equal hashes: no blanks, and fields
 * in the order of their names' UTF-16 units, as RFC 8785 (JCS) has it. A field that holds
 * `undefined` is left out.
 */
export function canonicalJson(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`
}
