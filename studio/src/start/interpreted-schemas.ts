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

const errorsOf = (schema: RJSFSchema, data: unknown): RJSFValidationError[] =>
  new Validator(schema as Schema, '7', false)
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
  rawValidation: <Result>(schema: RJSFSchema, data: unknown) => ({
    errors: errorsOf(schema, data) as Result[],
  }),
  validateFormData(data, schema, validate) {
    const errors = errorsOf(schema, data)
    const found = { errors, errorSchema: toErrorSchema(errors) }
    if (validate === undefined) return found
    const handler = validate(data, createErrorHandler(data))
    return validationDataMerge(found, unwrapErrorHandler(handler))
  },
}
