import { EchelonError, isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { jsonSchemaCheck, type Schema } from 'echelon/internal/schema'
import { UnusableOperation } from './input-schema.ts'

/** The arguments of an operation, by their place in the request. */
export interface OperationInput {
  readonly path?: JsonObject
  readonly query?: JsonObject
  readonly header?: JsonObject
  readonly cookie?: JsonObject
  readonly formData?: JsonObject
  readonly body?: Json
}

/**
 * Wraps the schema of an operation. The model reads it as in the document, and arguments are
 * checked against it before they are sent. Regular expressions are skipped: one from a document
 * could run forever, and the server checks its own.
 * @throws UnusableOperation for a schema that cannot be checked in full
 */
export function checkedInput(jsonSchema: JsonObject): Schema<OperationInput> {
  const check = checkOf(jsonSchema)
  const print = (): Record<string, unknown> => ({ ...jsonSchema })
  return {
    '~standard': {
      version: 1,
      vendor: 'echelon',
      validate: (value) => {
        if (!isInput(value)) return { issues: [{ message: 'expected an object' }] }
        const issues = check(value)
        return issues.length === 0 ? { value } : { issues }
      },
      jsonSchema: { input: print, output: print },
    },
  }
}

function checkOf(schema: JsonObject): ReturnType<typeof jsonSchemaCheck> {
  try {
    return jsonSchemaCheck(schema, { patterns: 'passed' })
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    throw new UnusableOperation(`cannot be described (${error.message})`)
  }
}

const isInput = (value: unknown): value is OperationInput & JsonObject =>
  isJson(value) && isJsonObject(value)
