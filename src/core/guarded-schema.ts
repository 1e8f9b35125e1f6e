import type { JsonObject } from './json.ts'
import type { StateSchema } from './state.ts'

/**
 * The schema of a state whose shape is checked by a function of its own, where no schema library
 * may be loaded.
 */
export function guardedSchema<State>(
  jsonSchema: JsonObject,
  fits: (value: unknown) => value is State,
): StateSchema<State> {
  const print = (): Record<string, unknown> => ({ ...jsonSchema })
  return {
    '~standard': {
      version: 1,
      vendor: 'echelon',
      validate: (value) =>
        fits(value) ? { value } : { issues: [{ message: 'it has another shape than it should' }] },
      jsonSchema: { input: print, output: print },
    },
  }
}
