import {
  type Json,
  type JsonObject,
  isJsonArray,
  isJsonObject,
} from '../../../../packages/echelon/src/core/value/json.ts'
import { floatText } from '../python/text.ts'
import { type Dict, isDict, type PyValue } from '../python/value.ts'

/** Keys for numbers that plain JSON would lose: `250.0`, and ints beyond 2^53. */
const FLOAT = '$float'
const INT = '$int'

/** The arguments of a call as a router carries them; `fromPlain` reads them back without loss. */
export const toPlainObject = (dict: Dict): JsonObject =>
  Object.fromEntries([...dict].map(([key, value]) => [key, toPlain(value)]))

function toPlain(value: PyValue): Json {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : { [INT]: String(value) }
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) && !Number.isInteger(value)
      ? value
      : { [FLOAT]: floatText(value) }
  }
  if (Array.isArray(value)) return value.map(toPlain)
  return isDict(value) ? toPlainObject(value) : value
}

export const fromPlainObject = (object: JsonObject): Dict =>
  new Map(Object.entries(object).map(([key, value]) => [key, fromPlain(value)]))

function fromPlain(value: Json): PyValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (isJsonArray(value)) return value.map(fromPlain)
  if (!isJsonObject(value)) return value
  const { [FLOAT]: float, [INT]: int } = value
  if (typeof float === 'string') return Number(float)
  return typeof int === 'string' ? BigInt(int) : fromPlainObject(value)
}
