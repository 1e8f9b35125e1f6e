import { isJsonArray, isJsonObject, isRecord, type Json } from '../../core/value/json.ts'

/** Formats the content of a file in a prompt or an answer, given as bytes or base64. */
export type FileForm = (content: Uint8Array | string) => Json

const inFull: FileForm = (content: Uint8Array | string) =>
  typeof content === 'string'
    ? { $fileText: content }
    : { $fileBytes: Buffer.from(content).toString('base64') }

/**
 * Converts a value of the model interface to JSON. Values without a JSON form (dates, URLs, bytes,
 * errors) become an object with one field whose name begins with `$`. Undefined fields are omitted,
 * and nesting beyond depth 64 is cut. Of an error, the fields that callers act on are kept: the
 * server's response, with its body, but neither the request nor other headers.
 */
export function toJson(value: unknown, file: FileForm = inFull, depth = 64): Json {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null || depth === 0) return null
  const inner = (one: unknown): Json => toJson(one, file, depth - 1)
  if (Array.isArray(value)) return value.map(inner)
  if (value instanceof Date) return { $date: dateText(value) }
  if (value instanceof URL) return { $url: value.href }
  if (value instanceof Uint8Array) return file(value)
  if (value instanceof Error) return { $error: fieldsOf(inner, relevantFields(value)) }
  const content = contentOf(value)
  return content === undefined ? fieldsOf(inner, value) : { type: 'data', data: file(content) }
}

const dateText = (date: Date): string => (Number.isNaN(date.getTime()) ? '' : date.toISOString())

/** Reverses `toJson`. */
export function fromJson(value: Json): unknown {
  if (isJsonArray(value)) return value.map(fromJson)
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value)
  const [name = '', inner = null] = fields.length === 1 ? (fields[0] ?? []) : []
  if (name === '$error') return Object.assign(new Error(), fromJson(inner))
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined
  if (form !== undefined && typeof inner === 'string') return form(inner)
  return Object.fromEntries(fields.map(([key, one]) => [unescaped(key), fromJson(one)]))
}

const FORMS: Readonly<Record<string, (text: string) => unknown>> = {
  $date: (text) => new Date(text),
  // Redaction can make a URL invalid.
  $url: (text) => URL.parse(text) ?? text,
  $fileText: (text) => text,
  $fileBytes: (text) => new Uint8Array(Buffer.from(text, 'base64')),
}

function fieldsOf(inner: (one: unknown) => Json, value: object): Json {
  const kept = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(kept.map(([name, one]) => [escaped(name), inner(one)]))
}

/** Fields that start like our own markers get one more `$`. */
const escaped = (name: string): string => (OWN_NAME.test(name) ? `$${name}` : name)
const unescaped = (name: string): string => (OWN_NAME.test(name) ? name.slice(1) : name)

const OWN_NAME = /^\$+(?:date|url|fileText|fileBytes|error)$/

/** The content of a file part. */
function contentOf(value: object): Uint8Array | string | undefined {
  if (!isRecord(value) || value['type'] !== 'data') return undefined
  const { data } = value
  return typeof data === 'string' || data instanceof Uint8Array ? data : undefined
}

/**
 * The provider's message and retry time, which tell a rate limit from a bad key. Other headers and
 * the request inside the error are left out.
 */
function relevantFields(error: Error): object {
  const fields = recordOf(error)
  const { data, details, error: inner, response } = fields
  return {
    name: error.name,
    message: error.message,
    ...some(fields, ['statusCode', 'isRetryable', 'code', 'type', 'responseBody']),
    ...nested(
      'responseHeaders',
      some(fields['responseHeaders'], ['retry-after', 'retry-after-ms']),
    ),
    data,
    details,
    error: inner,
    response,
    ...nested('cause', some(fields['cause'], ['code'])),
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : {}

function some(value: unknown, names: readonly string[]): object {
  const fields = recordOf(value)
  const kept = names.filter((name) => ['string', 'number', 'boolean'].includes(typeof fields[name]))
  return Object.fromEntries(kept.map((name) => [name, fields[name]]))
}

const nested = (name: string, fields: object): object =>
  Object.keys(fields).length === 0 ? {} : { [name]: fields }
