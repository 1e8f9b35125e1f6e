import { type Schema, Validator } from '@cfworker/json-schema'
import {
  createErrorHandler,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  unwrapErrorHandler,
  validationDataMerge,
  type ValidatorType,
} from '@rjsf/utils'

/*
 * Checks forms by interpreting their schemas. The usual validator compiles a schema to code, which the
 * page's content-security policy forbids.
 */

/** The two libraries describe the same JSON in types of their own. */
function asSchema(schema: RJSFSchema): Schema
function asSchema(schema: object): object {
  return schema
}

/** `rawValidation` gives errors of a validator's own kind; ours are those of the form. */
function asResults<Result>(errors: readonly RJSFValidationError[]): Result[]
function asResults(errors: readonly unknown[]): unknown[] {
  return [...errors]
}

const errorsOf = (schema: RJSFSchema, data: unknown): RJSFValidationError[] =>
  new Validator(asSchema(schema), '7', false)
    .validate(data ?? null)
    .errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items')
    .map(({ instanceLocation, keyword, error }) => {
      const path = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.')
      return {
        name: keyword,
        message: error,
        property: path === '' ? '.' : `.${path}`,
        stack: `${path} ${error}`.trim(),
      }
    })

/** A validator for forms that runs no generated code. */
export const interpretedSchemas: ValidatorType = {
  isValid: (schema, data) => errorsOf(schema, data).length === 0,
  rawValidation: (schema, data) => ({ errors: asResults(errorsOf(schema, data)) }),
  validateFormData(data, schema, validate) {
    const errors = errorsOf(schema, data)
    const found = { errors, errorSchema: toErrorSchema(errors) }
    if (validate === undefined) return found
    const handler = validate(data, createErrorHandler(data))
    return validationDataMerge(found, unwrapErrorHandler(handler))
  },
}
