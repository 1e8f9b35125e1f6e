import { isJsonArray, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import { fold, wholeValue } from './slots.ts'

/** Allowed sources of a value: the customer's words, and tool results. */
export interface Grounds {
  /** Only the customer's texts: the agent's words do not prove what was meant. */
  readonly said: readonly string[]
  readonly results: readonly Json[]
}

/** Valid parameters, and the names of invalid ones, which count as missing. */
export interface Grounded {
  readonly params: JsonObject
  readonly refused: readonly string[]
}

/**
 * Filters parameters that a model extracted: keeps those that the intent knows, that match their pattern, and that
 * the customer stated or a tool returned; each normalized.
 */
export function grounded(intent: Intent, params: JsonObject, grounds: Grounds): Grounded {
  const known = [...intent.requiredParams, ...intent.optionalParams]
  const sources = [...grounds.said, ...grounds.results.flatMap(textsOf)].map(fold)
  const kept: [string, Json][] = []
  const refused: string[] = []
  for (const [param, value] of Object.entries(params)) {
    const held = known.includes(param) ? heldValue(value, { intent, param, sources }) : null
    if (held === null) refused.push(param)
    else kept.push([param, held])
  }
  return { params: Object.fromEntries(kept), refused }
}

interface Place {
  readonly intent: Intent
  readonly param: string
  readonly sources: readonly string[]
}

/** The normalized value; `null` if it is not supported. */
function heldValue(value: Json, { intent, param, sources }: Place): Json | null {
  const spec = intent.params[param]
  if (typeof value !== 'string') {
    const texts = textsOf(value)
    const fits =
      spec === undefined || (typeof value === 'number' && wholeValue(String(value), spec) !== null)
    return fits && texts.length > 0 && texts.every((text) => occurs(text, sources)) ? value : null
  }
  const formed = wholeValue(value, spec)
  if (formed === null) return null
  // A value of a closed list is stated by its words, which rarely equal its name.
  const names = [value, formed, ...(spec?.values[formed] ?? [])]
  const isSaid = names.some((name) => occurs(name, sources))
  return isSaid || (spec?.wholeAnswer === true && isWithName(formed, sources)) ? formed : null
}

/** Whether one text holds an address and, elsewhere in it, the name that stands before it: both were stated. */
function isWithName(value: string, sources: readonly string[]): boolean {
  const [, name = '', address = ''] = /^([^\d,]{3,60}), (\d.+)$/u.exec(value) ?? []
  return (
    name !== '' && sources.some((source) => occurs(name, [source]) && occurs(address, [source]))
  )
}

/** A hyphen continues a word or number; a period continues only a number, and otherwise ends the sentence. */
const ENDS_WITHIN = /(?:[\p{L}\p{N}][-_]?|\p{N}\.)$/u
/** Signs that change the number that follows. */
const SIGN = /(?:^|[^\p{L}\p{N}])[-+.,]$/u
const BEGINS_WITHIN = /^(?:[-_]?[\p{L}\p{N}]|\.\p{N})/u

/** Whether a source holds it, not as part of a longer word or number. */
function occurs(value: string, sources: readonly string[]): boolean {
  const wanted = fold(value)
  return wanted !== '' && sources.some((source) => standsIn(source, wanted))
}

function standsIn(source: string, wanted: string): boolean {
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + 1)) {
    const before = source.slice(Math.max(0, at - 2), at)
    const after = source.slice(at + wanted.length, at + wanted.length + 2)
    const isSigned = /^\p{N}/u.test(wanted) && SIGN.test(before)
    if (!isSigned && !ENDS_WITHIN.test(before) && !BEGINS_WITHIN.test(after)) return true
  }
  return false
}

/** The texts and numbers in a value, at any depth. */
function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (isJsonArray(value)) return value.flatMap(textsOf)
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : []
}
