import { EchelonError } from 'echelon/internal/value'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { jsonSchemaCheck } from 'echelon/internal/schema'
import type { Schema } from 'echelon/internal/schema'
import { UnusableOperation } from './input-schema.ts'

/** What an operation is called with, by the place in the request. */
export interface OperationInput {
  readonly path?: JsonObject
  readonly query?: JsonObject
  readonly header?: JsonObject
  readonly cookie?: JsonObject
  readonly formData?: JsonObject
  readonly body?: Json
}

/**
 * The model reads the schema as the document has it; what it writes is held to it before it is sent.
 * Regular expressions are passed over: one of a document could keep this process busy for ever, and the
 * server has its own.
 * @throws UnusableOperation for a schema that it cannot be held to whole
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
