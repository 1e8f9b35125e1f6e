import { isJsonArray, isJsonObject, type Json } from '../../../core/value/json.ts'
import type { ToolOutcome } from '../../../core/tool/tool.ts'

/** `"$1.series"` in an argument means field `series` of the result of action 1 in the same plan. */
const REFERENCE = /^\$([1-9]\d*)\.([A-Za-z_]\w*)$/

/** The pattern as a JSON Schema string. */
export const REFERENCE_PATTERN: string = REFERENCE.source

/** The highest action number whose result the arguments use; 0 for none. */
export function lastNeeded(args: Json): number {
  if (typeof args === 'string') return Number(REFERENCE.exec(args)?.[1] ?? 0)
  if (isJsonArray(args))
    return args.reduce<number>((most, one) => Math.max(most, lastNeeded(one)), 0)
  return isJsonObject(args) ? lastNeeded(Object.values(args)) : 0
}

export type Bound =
  | { readonly ok: true; readonly args: Json }
  | { readonly ok: false; readonly message: string }

/** The arguments with each reference resolved, or the reference that cannot be. */
export function bindReferences(args: Json, results: readonly ToolOutcome[]): Bound {
  let missing: string | undefined
  const bind = (value: Json): Json => {
    if (typeof value === 'string') {
      const found = lookUp(value, results)
      if (found === undefined) missing ??= value
      return found ?? null
    }
    if (isJsonArray(value)) return value.map(bind)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, bind(inner)]))
  }
  const bound = bind(args)
  if (missing === undefined) return { ok: true, args: bound }
  return { ok: false, message: `${missing} is not there: that action failed or has no such field` }
}

/** A plain string as is, or the value it refers to; undefined if that is missing. */
function lookUp(text: string, results: readonly ToolOutcome[]): Json | undefined {
  const [, number, field] = REFERENCE.exec(text) ?? []
  if (number === undefined || field === undefined) return text
  const outcome = results[Number(number) - 1]
  if (outcome?.type !== 'ok' || !isJsonObject(outcome.value)) return undefined
  return Object.hasOwn(outcome.value, field) ? outcome.value[field] : undefined
}
