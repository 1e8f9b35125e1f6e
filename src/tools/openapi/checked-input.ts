import { z } from 'zod'
import { isJson, isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Schema } from '../../core/schema.ts'

/** What an operation is called with, by the place in the request. */
export interface OperationInput {
  readonly path?: JsonObject
  readonly query?: JsonObject
  readonly header?: JsonObject
  readonly cookie?: JsonObject
  readonly formData?: JsonObject
  readonly body?: Json
}

/** The model reads the schema as the document has it; what it writes is held to it before it is sent. */
export function checkedInput(jsonSchema: JsonObject): Schema<OperationInput> {
  const checks = z.fromJSONSchema(asZodTakesIt(withoutPatterns(jsonSchema)))
  const print = (): Record<string, unknown> => ({ ...jsonSchema })
  return {
    '~standard': {
      version: 1,
      vendor: 'echelon',
      validate: (value) => {
        const { error } = checks.safeParse(value)
        if (error !== undefined) return { issues: error.issues }
        return isInput(value) ? { value } : { issues: [{ message: 'expected an object' }] }
      },
      jsonSchema: { input: print, output: print },
    },
  }
}

const isInput = (value: unknown): value is OperationInput => isJson(value) && isJsonObject(value)

/** A regular expression of a document could keep this process busy for ever; the server has its own. */
function withoutPatterns(value: JsonObject): JsonObject
function withoutPatterns(value: Json): Json
function withoutPatterns(value: Json): Json {
  if (Array.isArray(value)) return value.map((part) => withoutPatterns(part))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
    .filter(([key, part]) => !(key === 'pattern' && typeof part === 'string'))
    .filter(([key]) => key !== 'patternProperties')
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutPatterns(part)]))
}

type ZodTakes = Extract<Parameters<typeof z.fromJSONSchema>[0], object>

// Both are JSON Schema draft 7; the one is readonly JSON, the other a type of mutable keywords.
function asZodTakesIt(schema: JsonObject): ZodTakes
function asZodTakesIt(schema: object): object {
  return { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }
}
