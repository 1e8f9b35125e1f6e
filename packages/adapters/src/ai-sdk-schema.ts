import type { StandardSchemaV1 } from '@standard-schema/spec'
import { EchelonError, isJson, isJsonObject, isRecord } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { Schema } from 'echelon/internal/schema'

type Result = StandardSchemaV1.Result<unknown>

/**
 * Converts an AI SDK `inputSchema` to a tool schema: a Standard Schema that can print itself as JSON
 * Schema (zod 4.2+), or the result of the SDK's `jsonSchema`, `zodSchema` or `lazySchema`.
 * @throws EchelonError INVALID_DEFINITION for anything else, with a hint
 */
export function toolSchema(tool: string, given: unknown): Schema<unknown> {
  // A lazy schema is a function; some libraries implement Standard Schemas as functions too.
  const schema: unknown =
    typeof given === 'function' && !('~standard' in given)
      ? Reflect.apply(given, undefined, [])
      : given
  if (schema === undefined || schema === null) return schemaOf(NO_INPUT, undefined)
  if (isStandard(schema)) return schema
  if (!isRecord(schema)) throw unreadable(tool)
  const { jsonSchema, validate } = schema
  if (!isJson(jsonSchema) || !isJsonObject(jsonSchema)) throw unreadable(tool)
  return schemaOf(jsonSchema, isFunction(validate) ? validate : undefined)
}

const NO_INPUT: JsonObject = { type: 'object', properties: {}, additionalProperties: false }

type Check = (value: unknown) => unknown

/** A schema without a check accepts any input, as in the AI SDK. */
function schemaOf(jsonSchema: JsonObject, check: Check | undefined): Schema<unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'ai',
      validate: (value) => (check === undefined ? { value } : checked(check(value))),
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    },
  }
}

function checked(result: unknown): Result | Promise<Result> {
  return result instanceof Promise ? result.then(outcome) : outcome(result)
}

function outcome(result: unknown): Result {
  if (isRecord(result) && result['success'] === true) return { value: result['value'] }
  const error = isRecord(result) ? result['error'] : undefined
  return {
    issues: [{ message: error instanceof Error ? error.message : 'the input does not fit' }],
  }
}

function isStandard(schema: unknown): schema is Schema<unknown> {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false
  const standard: unknown = Reflect.get(schema, '~standard')
  if (!isRecord(standard) || !isFunction(standard['validate'])) return false
  const { jsonSchema } = standard
  return isRecord(jsonSchema) && isFunction(jsonSchema['input'])
}

const isFunction = (value: unknown): value is Check => typeof value === 'function'

const unreadable = (tool: string): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `the inputSchema of the tool ${tool} cannot be converted to JSON Schema synchronously; write it with zod 4.2 or newer, or with jsonSchema() of the package ai and a plain object`,
  )
