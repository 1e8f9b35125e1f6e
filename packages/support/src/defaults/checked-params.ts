import { isJson, isJsonObject } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { describeIssue } from 'echelon/internal/schema'

/** Valid parameters, or one line that says what is invalid. */
export type CheckedParams =
  | { readonly ok: true; readonly params: JsonObject }
  | { readonly ok: false; readonly message: string }

export type ParamsCheck = (params: JsonObject) => CheckedParams

/**
 * Creates a check of parameters against a JSON Schema. A number extracted from a customer's text is still a string
 * and is converted.
 */
export async function paramsCheck(parameters: JsonObject): Promise<ParamsCheck> {
  const { z } = await import('zod')
  const schema = z.fromJSONSchema(mutable(parameters))
  const numbers = numbersIn(parameters)
  return (given) => {
    const { data, error } = schema.safeParse(withNumbers(given, numbers))
    if (error !== undefined)
      return { ok: false, message: error.issues.map(describeIssue).join('; ') }
    if (isJson(data) && isJsonObject(data)) return { ok: true, params: data }
    return { ok: false, message: 'expected an object' }
  }
}

/** The package requires a mutable schema type. */
function mutable(schema: JsonObject): Record<string, never>
function mutable(schema: object): object {
  return structuredClone(schema)
}

function numbersIn({ properties }: JsonObject): ReadonlySet<string> {
  const entries = isJsonObject(properties) ? Object.entries(properties) : []
  return new Set(
    entries
      .filter(
        ([, spec]) =>
          isJsonObject(spec) && (spec['type'] === 'number' || spec['type'] === 'integer'),
      )
      .map(([name]) => name),
  )
}

const withNumbers = (params: JsonObject, numbers: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const isFigure =
        numbers.has(name) && typeof value === 'string' && /^\$?\d{1,15}(?:\.\d{1,6})?$/.test(value)
      return [name, isFigure ? Number(value.replace('$', '')) : value]
    }),
  )
