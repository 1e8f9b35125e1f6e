import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { isJson, isJsonObject, isRecord, type JsonObject } from '../../core/json.ts'
import type { Schema } from '../../core/schema.ts'

/** A schema of a server that is bigger is not sent to any model. */
const MOST_SCHEMA_CHARACTERS = 64_000

/** Checks a value; says in one line what does not fit. */
export type Check = (value: unknown) => string | undefined

/**
 * Arguments as a server's JSON Schema has them. The model is shown the schema as it is; what is
 * checked here is all of it but regular expressions, which a server could write so that they never
 * end. The server itself checks those, and everything else, again.
 * @returns nothing for a schema that is no object or too big
 */
export function inputSchema(
  validator: AjvJsonSchemaValidator,
  given: unknown,
): Schema<JsonObject> | undefined {
  if (!isJson(given) || !isJsonObject(given)) return undefined
  if (JSON.stringify(given).length > MOST_SCHEMA_CHARACTERS) return undefined
  const { $schema: _, ...shown } = given
  const check = checkOf(validator, shown)
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

/** What checks a value against a schema; one that cannot be compiled takes any, since the server checks too. */
export function checkOf(validator: AjvJsonSchemaValidator, schema: JsonObject): Check {
  try {
    const checked: unknown = JSON.parse(JSON.stringify(schema), withoutExpressions)
    if (!isRecord(checked)) return () => undefined
    const validate = validator.getValidator<unknown>(checked)
    return (value) => {
      const result = validate(value)
      return result.valid ? undefined : result.errorMessage
    }
  } catch {
    return () => undefined
  }
}

/** Also without `$id`, by which one tool could take the place of another's schema. */
function withoutExpressions(key: string, value: unknown): unknown {
  if ((key === 'pattern' || key === '$id') && typeof value === 'string') return undefined
  return key === 'patternProperties' ? undefined : value
}
