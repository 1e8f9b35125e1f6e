import { EchelonError } from '../../core/error.ts'
import { isJson, isJsonObject, type JsonObject } from '../../core/json.ts'

/** What is plain data anyway, as the type that says so. */
export function plain(value: object): JsonObject {
  if (isJson(value) && isJsonObject(value)) return value
  throw new EchelonError('INVALID_DEFINITION', 'this is no plain data, and cannot be kept')
}
