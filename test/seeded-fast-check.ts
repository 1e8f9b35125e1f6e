import * as fc from 'fast-check'

/*
 * The `fast-check` of the tests (`preload.ts` redirects to it): the same draws in each run, so that a
 * change is not blamed for an unlucky draw. The long tests use a new seed, which they print.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['SEED'] ?? 1) })

export * from 'fast-check'
export { default } from 'fast-check'
