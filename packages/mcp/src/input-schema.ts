import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { jsonSchemaCheck } from 'echelon/internal/schema'
import { describeIssue, type Schema } from 'echelon/internal/schema'

/** A schema of a server that is bigger is not sent to any model. */
const MOST_SCHEMA_CHARACTERS = 64_000

/** Checks a value; says in one line what does not fit. */
export type Check = (value: Json) => string | undefined

/**
 * Arguments as a server's JSON Schema has them. The model is shown the schema as it is; what is
 * checked here is all of it but regular expressions, which a server could write so that they never
 * end. The server itself checks those, and everything else, again.
 * @returns nothing for a schema that is no object or too big
 */
export function inputSchema(given: unknown): Schema<JsonObject> | undefined {
  if (!isJson(given) || !isJsonObject(given)) return undefined
  if (JSON.stringify(given).length > MOST_SCHEMA_CHARACTERS) return undefined
  const { $schema: _, ...shown } = given
  const check = checkOf(shown)
  const print = (): Record<string, unknown> => ({ ...shown })
  return {
    '~standard': {
      version: 1,
      vendor: 'mcp',
      validate(value) {
        if (!isJson(value) || !isJsonObject(value)) return flawed('give an object')
        const problem = check(value)
        return problem === undefined ? { value } : flawed(problem)
      },
      jsonSchema: { input: print, output: print },
    },
  }
}

const flawed = (message: string): { issues: { message: string }[] } => ({ issues: [{ message }] })

/**
 * What checks a value against a schema; one with words that are not known here takes any, since the
 * server checks too. Not by ajv, which has no end: a schema whose parts refer to each other twice each
 * keeps it busy for years.
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
