import type { Json } from 'echelon/runtime'
import { isJsonArray, isJsonObject } from 'echelon/internal/value'

/** Fields that say where somebody lives or how to reach them. */
const PRIVATE = /(?:^|_)(?:address|street|zip|postcode|email|phone)$/iu

/** A tool's result as a model that words the answer sees it: without addresses that the answer does not name. */
export function withoutAddresses(result: Json, wording: string): Json {
  if (isJsonArray(result)) return result.map((one) => withoutAddresses(one, wording))
  if (!isJsonObject(result)) return result
  const kept = Object.entries(result).filter(
    ([name]) => !PRIVATE.test(name) || wording.includes(`{${name}}`),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutAddresses(value, wording)]))
}
