import { isJsonArray, isJsonObject, type Json } from '../../core/value/json.ts'
import { createRedactor, DEFAULT_REDACTION } from '../../core/redaction/redaction.ts'
import { HiddenKeys } from '../../host/recording/hidden-keys.ts'

/** What comes back in place of a value: the same without what must not be on a tape. */
export type Cleaner = <Value extends Json>(value: Value) => Value

/** A pattern found in the base64 of a file is chance, and hiding it would break the file. */
const redact = createRedactor({ ...DEFAULT_REDACTION, allow: ['$fileText', '$fileBytes'] })

/**
 * Hides secrets and personal data as in every log, and beyond that the very keys that are in use:
 * a server may repeat one, in an error above all, and no pattern knows every kind. What is clean
 * stays as it is, so that a request that holds a cleaned answer is the same when it is replayed.
 */
export function cleaner(keys: readonly string[] = []): Cleaner {
  const withoutKeys = keyCleaner(new HiddenKeys(keys))
  return (value) => redactWhole(withoutKeys(value))
}

/** Hides keys alone, those that are known when it is called: all else stays as it came. */
export const keyCleaner =
  (keys: HiddenKeys): Cleaner =>
  (value) =>
    mapTexts(value, (text) => keys.hideIn(text))

/** What is hidden can lay open a pattern beside it, for which another pass is needed. */
function redactWhole<Value extends Json>(value: Value, passes = 8): Value {
  const left = redact(value)
  const isDone = passes === 1 || JSON.stringify(left) === JSON.stringify(value)
  return isDone ? left : redactWhole(left, passes - 1)
}

// The overload keeps the caller's type: what is mapped comes back in the same shape.
function mapTexts<Value extends Json>(value: Value, map: (text: string) => string): Value
function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value)
  if (isJsonArray(value)) return value.map((one) => mapTexts(one, map))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [map(name), mapTexts(one, map)]),
  )
}
