import type { JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'

/**
 * A correction of a free-text value may name only its beginning: "sorry, 6 Main St" after "5 Main St, Boston" means
 * "6 Main St, Boston". The confirmation that follows shows the whole.
 */
export function mergedAddress(intent: Intent, before: JsonObject, params: JsonObject): JsonObject {
  const merged = Object.entries(params).map(([name, value]) => {
    const old = before[name]
    const isFree = intent.params[name]?.wholeAnswer === true
    if (!isFree || typeof value !== 'string' || typeof old !== 'string') return [name, value]
    const at = old.indexOf(',')
    // A value with a comma of its own is whole.
    return [name, at < 0 || value.includes(',') ? value : `${value}${old.slice(at)}`]
  })
  return Object.fromEntries(merged)
}
