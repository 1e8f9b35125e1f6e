import { EchelonError } from '../../../core/value/error.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../core/value/json.ts'
import { jsonIn } from '../../../core/model/json-in-text.ts'
import { type Schema, toJsonSchema, validate, type Validated } from '../../../core/schema/schema.ts'
import { strictSchema, withoutFillers } from './output-schema.ts'

/** A schema of answers, compiled once however many runs and calls use it. */
export interface OutputFormat {
  /** What a model call asks for, in the dialect of strict response formats. */
  readonly wire: JsonObject
  /** The object that an answer holds, checked; or one line that names what does not fit, by path. */
  read(text: string): Validated<unknown>
}

/** By the caller's own schema object: one that each run is given anew is compiled once too. */
const compiled = new WeakMap<Schema<unknown>, OutputFormat>()

/**
 * The format of a schema.
 * @throws EchelonError INVALID_DEFINITION for what is no schema of an object that JSON Schema can say
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
      'output is no schema with a JSON Schema form; give one such as z.object({ ... })'
    throw new EchelonError('INVALID_DEFINITION', problem, { cause })
  }
  if (json['type'] === 'object') return json
  throw new EchelonError(
    'INVALID_DEFINITION',
    'output is a schema of something else than an object, which providers refuse; put it into one, such as z.object({ items: z.array(...) })',
  )
}

/** Decisions are pure, so that nothing can be waited for. */
function checked(schema: Schema<unknown>, value: Json): Validated<unknown> {
  let found: ReturnType<typeof validate>
  try {
    found = validate(schema, value)
  } catch (error) {
    // A transform may throw for what it cannot take.
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
  if (!(found instanceof Promise)) return found
  // Nobody waits for it.
  found.catch(() => undefined)
  throw new EchelonError(
    'INVALID_DEFINITION',
    'the output schema has a check that must be awaited, or a transform that throws; take it out, and do that with the result',
  )
}

/** The object in an answer: all of it, or what stands between its first and last brace. */
/** What is told of what does not fit: an answer may be wrong in thousands of places. */
const MOST_CHARACTERS = 2000

/** Has the model answer again. The schema is told too: not every model was given it with the call. */
export const repairRequest = (problem: string, { wire }: OutputFormat): string =>
  [
    `Your answer does not fit: ${problem.slice(0, MOST_CHARACTERS)}`,
    'Answer again with nothing but JSON that fits this JSON Schema:',
    JSON.stringify(wire),
  ].join('\n')

/**
 * The error of a turn that was to give an object and ended without one.
 * @param why what stood against it, in a sentence
 */
export const noOutput = (
  run: string,
  { reason, text, why }: { readonly reason: string; readonly text: string; readonly why: string },
): EchelonError =>
  new EchelonError('NO_OUTPUT', `the turn ended (${reason}) without the object asked for: ${why}`, {
    details: { run, reason, text, problem: why },
  })
