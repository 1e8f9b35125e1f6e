import { EchelonError } from '../value/error.ts'
import { isJson, isJsonObject, type JsonObject } from '../value/json.ts'
import { jsonSchemaCheck } from './json-schema.ts'
import type { Schema } from './schema.ts'
import { assertBearable } from './schema-inspection.ts'

/**
 * Turns a plain JSON Schema of an object into a tool input schema: the model reads it unchanged, and
 * the model's input is checked against it.
 * @param tool the tool's name, for messages
 * @throws EchelonError INVALID_DEFINITION for anything else, or for constraints that are not
 * supported
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
    `the tool ${tool} has an input that is not a schema; give a Standard Schema such as z.object({ … }), or a JSON Schema { type: 'object', properties: { … } }`,
  )
