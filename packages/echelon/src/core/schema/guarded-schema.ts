import type { JsonObject } from '../value/json.ts'
import type { StateSchema } from '../state/state.ts'

/**
 * Creates a schema for a state or a tool's input from a type guard, for code that can't load a schema
 * library.
 * @param problem the message for a value that does not fit
 */
export function guardedSchema<State>(
  jsonSchema: JsonObject,
  fits: (value: unknown) => value is State,
  problem: string = 'it has the wrong shape',
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
