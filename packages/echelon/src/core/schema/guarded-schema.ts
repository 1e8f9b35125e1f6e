import type { JsonObject } from '../value/json.ts'
import type { StateSchema } from '../state/state.ts'

/**
 * The schema of a state, or of a tool's input, that a function checks, where no schema library may
 * be loaded.
 * @param problem what is said when it does not fit
 */
export function guardedSchema<State>(
  jsonSchema: JsonObject,
  fits: (value: unknown) => value is State,
  problem: string = 'it has another shape than it should',
): StateSchema<State> {
  const print = (): Record<string, unknown> => ({ ...jsonSchema })
  return {
    '~standard': {
      version: 1,
      vendor: 'echelon',
      validate: (value) => (fits(value) ? { value } : { issues: [{ message: problem }] }),
      jsonSchema: { input: print, output: print },
    },
  }
}
