import { EchelonError, isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { readGivenText } from 'echelon/internal/platform'

/** More orders than this belong in a database. */
const MOST_BYTES = 256 * 1024 * 1024

/** Records by id. */
export type Records = Readonly<Record<string, JsonObject>>

/**
 * Reads a JSON file; undefined if it does not exist.
 * @throws EchelonError INVALID_INPUT with the broken line
 */
export async function readJsonFile(path: string): Promise<Json | undefined> {
  const text = await textOf(path)
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isJson(value)) return value
  } catch (cause) {
    throw unusable(path, `is not JSON: ${placed(cause, text)}; fix it there`, cause)
  }
  throw unusable(path, 'is nested too deep; give one object of records')
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readGivenText(path, MOST_BYTES)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw unusable(path, `cannot be read (${reason}); name a file that can`, cause)
  }
}

/**
 * Checks that each record holds its own id.
 * @param field the field of the id
 * @throws EchelonError INVALID_INPUT with the invalid record
 */
export function recordsIn(
  value: Json,
  field: string,
  path: string,
): ReadonlyMap<string, JsonObject> {
  if (!isJsonObject(value))
    throw unusable(path, 'holds no records; give one object, with ids as keys')
  const records = new Map<string, JsonObject>()
  for (const [id, record] of Object.entries(value)) {
    if (!isJsonObject(record))
      throw unusable(path, `has ${id}, which is not an object; give its fields`)
    const own = record[field]
    if (own !== id) {
      const found = own === undefined ? 'missing' : JSON.stringify(own)
      throw unusable(path, `has ${id} with a ${field} that is ${found}; make the two the same`)
    }
    records.set(id, record)
  }
  return records
}

/** The parser's message, with the line. */
function placed(cause: unknown, text: string): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/line \d+/.test(message)) return message
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
  return `${message} (line ${text.slice(0, position).split('\n').length})`
}

export const unusable = (path: string, what: string, cause?: unknown): EchelonError =>
  new EchelonError('INVALID_INPUT', `${path} ${what}`, { details: { path }, cause })
