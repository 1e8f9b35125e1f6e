import * as fc from 'fast-check'

/*
 * What tests get for `fast-check` (`preload.ts` leads it here): the same draws in each run, so that a change
 * is not blamed for what an unlucky draw found. The long tests draw anew, with a seed that they print.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['SEED'] ?? 1) })

export * from 'fast-check'
export { default } from 'fast-check'
