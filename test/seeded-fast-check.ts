import * as fc from 'fast-check'
import { IS_WHOLE } from './share.ts'

/** The most draws of a property in `npm test`, in which others follow each day in `.ci/run`; the long tests make all. */
const MOST_RUNS = 30

/*
 * The `fast-check` of the tests (`preload.ts` redirects to it): the same draws in each run, so that a
 * change is not blamed for an unlucky draw. The long tests use a new seed, which they print.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['SEED'] ?? 1) })

/** As of `fast-check`, with a share of the draws. */
export function assert<Drawn>(
  property: fc.IAsyncProperty<Drawn>,
  parameters?: fc.Parameters<Drawn>,
): Promise<void>
export function assert<Drawn>(
  property: fc.IProperty<Drawn>,
  parameters?: fc.Parameters<Drawn>,
): void
export function assert<Drawn>(
  property: fc.IRawProperty<Drawn>,
  parameters?: fc.Parameters<Drawn>,
): Promise<void> | void
export function assert<Drawn>(
  property: fc.IRawProperty<Drawn>,
  parameters: fc.Parameters<Drawn> = {},
): Promise<void> | void {
  const numRuns = Math.min(parameters.numRuns ?? MOST_RUNS, MOST_RUNS)
  return fc.assert(property, IS_WHOLE ? parameters : { ...parameters, numRuns })
}

/** Any character but half of a surrogate pair, as with the unit `binary`. */
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code))

/** As of `fast-check`, whose own `binary` lists all characters first: a second of processor time in each process. */
export const string = (constraints?: fc.StringConstraints): fc.Arbitrary<string> =>
  fc.string(constraints?.unit === 'binary' ? { ...constraints, unit: anyCharacter } : constraints)

export * from 'fast-check'

const seeded: typeof fc = { ...fc, assert, string }
export default seeded
