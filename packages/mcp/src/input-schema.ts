import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { jsonSchemaCheck, describeIssue, type Schema } from 'echelon/internal/schema'

/** A bigger schema is not sent to a model. */
const MAX_SCHEMA_CHARACTERS = 64_000

/** Checks a value. Returns the problem in one line. */
export type Check = (value: Json) => string | undefined

/**
 * Wraps a server's JSON Schema. The model reads it unchanged. Arguments are checked against all of
 * it except regular expressions, which a server could write so that they never end. The server
 * checks the arguments again.
 * @returns nothing if the schema is too big or not an object
 */
export function inputSchema(given: unknown): Schema<JsonObject> | undefined {
  if (!isJson(given) || !isJsonObject(given)) return undefined
  if (JSON.stringify(given).length > MAX_SCHEMA_CHARACTERS) return undefined
  const { $schema: _, ...shown } = given
  const check = checkOf(shown)
  const print = (): Record<string, unknown> => ({ ...shown })
  return {
    '~standard': {
      version: 1,
      vendor: 'mcp',
      validate(value) {
        if (!isJson(value) || !isJsonObject(value)) return invalid('give an object')
        const problem = check(value)
        return problem === undefined ? { value } : invalid(problem)
      },
      jsonSchema: { input: print, output: print },
    },
  }
}

const invalid = (message: string): { issues: { message: string }[] } => ({ issues: [{ message }] })

/**
 * Compiles a check. A schema with unknown keywords accepts any value, since the server checks too.
 * Does not use ajv: a schema whose parts each refer to each other twice keeps ajv busy for years.
 */
export function checkOf(schema: JsonObject): Check {
  try {
    const check = jsonSchemaCheck(schema, { patterns: 'passed' })
    return (value) => {
      const issues = check(value)
      return issues.length === 0 ? undefined : issues.map(describeIssue).join('; ')
    }
  } catch {
    return () => undefined
  }
}
