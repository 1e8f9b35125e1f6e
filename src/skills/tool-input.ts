import type { JsonObject } from '../core/json.ts'
import type { Schema } from '../core/schema.ts'

/**
 * The schema of a tool's input where no schema library may be loaded.
 * @param expected what is said when it does not fit
 */
export function toolInput<Input>(
  jsonSchema: JsonObject,
  expected: string,
  fits: (value: unknown) => value is Input,
): Schema<Input> {
  const print = (): Record<string, unknown> => ({ ...jsonSchema })
  return {
    '~standard': {
      version: 1,
      vendor: 'echelon',
      validate: (value) =>
        fits(value) ? { value } : { issues: [{ message: `expected ${expected}` }] },
      jsonSchema: { input: print, output: print },
    },
  }
}
