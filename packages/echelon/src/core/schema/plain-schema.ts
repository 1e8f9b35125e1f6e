import { EchelonError } from '../value/error.ts'
import { isJson, isJsonObject, type JsonObject } from '../value/json.ts'
import { jsonSchemaCheck } from './json-schema.ts'
import type { Schema } from './schema.ts'
import { assertBearable } from './schema-inspection.ts'

/**
 * A plain JSON Schema of an object as a schema of a tool's input: the model reads it as it is, and what
 * it writes is held to it.
 * @param tool whose it is, for messages
 * @throws EchelonError INVALID_DEFINITION for what is no such schema, or has constraints that are not
 * checked here
 */
export function plainSchema(tool: string, given: unknown): Schema<JsonObject> {
  assertBearable(given)
  if (!isJson(given) || !isJsonObject(given) || given['type'] !== 'object') throw noSchema(tool)
  const check = jsonSchemaCheck(given)
  const print = (): Record<string, unknown> => ({ ...given })
  return {
    '~standard': {
      version: 1,
      vendor: 'echelon',
      validate(value) {
        if (!isJson(value) || !isJsonObject(value)) return NO_OBJECT
        const issues = check(value)
        return issues.length === 0 ? { value } : { issues }
      },
      jsonSchema: { input: print, output: print },
    },
  }
}

const NO_OBJECT = { issues: [{ message: 'expected object' }] }

const noSchema = (tool: string): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `the tool ${tool} has an input that is no schema; give a Standard Schema such as z.object({ … }), or a JSON Schema { type: 'object', properties: { … } }`,
  )
