import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { isJson, isJsonObject, type JsonObject } from '../value/json.ts'
import { EchelonError } from '../value/error.ts'

/**
 * Any Standard Schema that can also print itself as JSON Schema (zod 4.2+, valibot with its
 * converter, arktype): the core knows the interface and no library.
 */
export interface Schema<Output> {
  readonly '~standard': StandardSchemaV1.Props<unknown, Output> &
    StandardJSONSchemaV1.Props<unknown, Output>
}

/** The parsed value, or a one-line problem. */
export type Validated<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly message: string }

/** Checks a value of unknown origin. The message names each path: `series.0.close: expected number`. */
export function validate<Output>(
  schema: Schema<Output>,
  value: unknown,
): Validated<Output> | Promise<Validated<Output>> {
  const result = schema['~standard'].validate(value)
  // Most schemas check synchronously; their results are not awaited.
  return result instanceof Promise ? result.then(validated) : validated(result)
}

function validated<Output>(result: StandardSchemaV1.Result<Output>): Validated<Output> {
  if (result.issues === undefined) return { ok: true, value: result.value }
  return { ok: false, message: result.issues.map(describeIssue).join('; ') }
}

/** The schema as JSON Schema draft 7, which is what model providers take. */
export function toJsonSchema(schema: Schema<unknown>): JsonObject {
  const printed = print(schema)
  if (isJson(printed) && isJsonObject(printed)) return printed
  throw noJsonForm()
}

/** Libraries throw their own errors for a type that JSON Schema does not know. */
function print(schema: Schema<unknown>): unknown {
  try {
    return schema['~standard'].jsonSchema.input({ target: 'draft-07' })
  } catch (cause) {
    throw noJsonForm(cause)
  }
}

const noJsonForm = (cause?: unknown): EchelonError =>
  new EchelonError('INVALID_DEFINITION', 'a tool schema has no JSON form; use plain types', {
    cause,
  })

/** Formats an issue on one line, with its path first. */
export function describeIssue(issue: StandardSchemaV1.Issue): string {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part))
  return path.length === 0 ? issue.message : `${path.join('.')}: ${issue.message}`
}
