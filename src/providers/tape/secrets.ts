import { isJsonArray, isJsonObject, type Json } from '../../core/json.ts'
import { createRedactor, DEFAULT_REDACTION, redactText } from '../../core/redaction.ts'

/** Takes out of what is written to a tape what must not be on it. */
export interface Cleaner {
  json<Value extends Json>(value: Value): Value
  text(text: string): string
}

/** A pattern found in the base64 of a file is chance, and hiding it would break the file. */
const redact = createRedactor({ ...DEFAULT_REDACTION, allow: ['$fileText', '$fileBytes'] })

/** Shorter ones, such as `ollama`, are words that servers ignore and texts hold. */
const SHORTEST_KEY = 8

/**
 * Hides secrets and personal data as in every log, and beyond that the very keys that are in use:
 * a server may repeat one, in an error above all, and no pattern knows every kind.
 */
export function cleaner(keys: readonly string[] = []): Cleaner {
  const hidden = keys.map((key) => key.trim()).filter((key) => key.length >= SHORTEST_KEY)
  const withoutKeys = (text: string): string =>
    hidden.reduce((left, key) => left.replaceAll(key, '[redacted:key]'), text)
  return {
    json: (value) => redact(hidden.length === 0 ? value : mapTexts(value, withoutKeys)),
    text: (text) => redactText(withoutKeys(text)),
  }
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
