import { isJsonArray, isJsonObject, type Json } from '../../core/value/json.ts'
import { createRedactor, DEFAULT_REDACTION } from '../../core/redaction/redaction.ts'
import { HiddenKeys } from '../../platform/recording/hidden-keys.ts'

/** Returns the value without the parts that must not be on a tape. */
export type Cleaner = <Value extends Json>(value: Value) => Value

/** A match in a file's base64 is a coincidence, and redacting it would break the file. */
const redact = createRedactor({ ...DEFAULT_REDACTION, allow: ['$fileText', '$fileBytes'] })

/**
 * Hides secrets and personal data as in logs, and also the keys in use: a server may repeat one,
 * especially in an error, and patterns do not cover every kind of key. Clean values are unchanged,
 * so a request that contains a cleaned answer is the same in a replay.
 */
export function cleaner(keys: readonly string[] = []): Cleaner {
  const withoutKeys = keyCleaner(new HiddenKeys(keys))
  return (value) => redactWhole(withoutKeys(value))
}

/** Hides only keys, those known at the time of the call. */
export const keyCleaner =
  (keys: HiddenKeys): Cleaner =>
  (value) =>
    mapTexts(value, (text) => keys.hideIn(text))

/** Hiding a value can expose a pattern next to it, so redaction repeats. */
function redactWhole<Value extends Json>(value: Value, passes = 8): Value {
  const left = redact(value)
  const isDone = passes === 1 || JSON.stringify(left) === JSON.stringify(value)
  return isDone ? left : redactWhole(left, passes - 1)
}

// The overload keeps the caller's type, since mapping keeps the shape.
function mapTexts<Value extends Json>(value: Value, map: (text: string) => string): Value
function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value)
  if (isJsonArray(value)) return value.map((one) => mapTexts(one, map))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [map(name), mapTexts(one, map)]),
  )
}
