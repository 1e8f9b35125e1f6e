import { EchelonError } from '../../../core/value/error.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../core/value/json.ts'
import { jsonIn } from '../../../core/model/json-in-text.ts'
import { type Schema, toJsonSchema, validate, type Validated } from '../../../core/schema/schema.ts'
import { strictSchema, withoutFillers } from './output-schema.ts'

/** An output schema, compiled once for all runs and calls that use it. */
export interface OutputFormat {
  /** The schema that a model call sends, in the dialect of strict response formats. */
  readonly wire: JsonObject
  /** Parses an answer: the checked object, or one line that names each problem by path. */
  read(text: string): Validated<unknown>
}

/** Cached by the caller's schema object, so that one passed to each run is compiled once too. */
const compiled = new WeakMap<Schema<unknown>, OutputFormat>()

/**
 * Returns the format of a schema.
 * @throws EchelonError INVALID_DEFINITION unless it is an object schema with a JSON Schema form
 */
export function outputFormat(schema: Schema<unknown>): OutputFormat {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const json = objectSchema(schema)
  const format: OutputFormat = {
    wire: strictSchema(json),
    read(text) {
      const written = jsonIn(text).findLast(isJsonObject)
      if (written === undefined) return NO_JSON
      return checked(schema, withoutFillers(json, written))
    },
  }
  compiled.set(schema, format)
  return format
}

const NO_JSON: Validated<unknown> = { ok: false, message: 'it holds no JSON object' }

function objectSchema(schema: Schema<unknown>): JsonObject {
  let json: JsonObject
  try {
    json = toJsonSchema(schema)
  } catch (cause) {
    const problem =
      'output is not a schema with a JSON Schema form; give one such as z.object({ ... })'
    throw new EchelonError('INVALID_DEFINITION', problem, { cause })
  }
  if (json['type'] === 'object') return json
  throw new EchelonError(
    'INVALID_DEFINITION',
    'output is not a schema of an object, which providers require; wrap it in one, such as z.object({ items: z.array(...) })',
  )
}

/** Checks must be synchronous, since decisions are pure. */
function checked(schema: Schema<unknown>, value: Json): Validated<unknown> {
  let found: ReturnType<typeof validate>
  try {
    found = validate(schema, value)
  } catch (error) {
    // A transform may throw for invalid input.
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
  if (!(found instanceof Promise)) return found
  // Its result is ignored.
  found.catch(() => undefined)
  throw new EchelonError(
    'INVALID_DEFINITION',
    'the output schema has an asynchronous check, or a transform that throws; remove it, and do that with the result',
  )
}

/** The object in an answer: all of it, or the text between its first and last brace. */
/** Maximum characters of the problem in a repair request: an answer may have thousands of problems. */
const MOST_CHARACTERS = 2000

/** Asks the model to answer again. Includes the schema: not every model got it with the call. */
export const repairRequest = (problem: string, { wire }: OutputFormat): string =>
  [
    `Your answer does not fit: ${problem.slice(0, MOST_CHARACTERS)}`,
    'Answer again with nothing but JSON that fits this JSON Schema:',
    JSON.stringify(wire),
  ].join('\n')

/**
 * The error of a turn with an output schema that ended without an object.
 * @param why in a sentence
 */
export const noOutput = (
  run: string,
  { reason, text, why }: { readonly reason: string; readonly text: string; readonly why: string },
): EchelonError =>
  new EchelonError('NO_OUTPUT', `the turn ended (${reason}) without the requested object: ${why}`, {
    details: { run, reason, text, problem: why },
  })
