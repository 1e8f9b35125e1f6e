import { EchelonError } from '../core/error.ts'

/**
 * Refuses options that cannot work. One that is absent is none.
 * @throws EchelonError INVALID_CONFIG
 */
export function atLeast(
  least: number,
  middleware: string,
  options: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, value = least] of Object.entries(options)) {
    if (!isFrom(least, value)) throw invalid(middleware, name, value, `a number from ${least} on`)
  }
}

/**
 * The same, for what is counted.
 * @throws EchelonError INVALID_CONFIG
 */
export function wholeFrom(
  least: number,
  middleware: string,
  options: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, value = least] of Object.entries(options)) {
    if (Number.isInteger(value) && value >= least) continue
    throw invalid(middleware, name, value, `a whole number from ${least} on`)
  }
}

// What comes out of JSON may be no number at all.
const isFrom = (least: number, value: unknown): boolean =>
  typeof value === 'number' && value >= least

const invalid = (middleware: string, name: string, value: number, what: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `${middleware}: ${name} cannot be ${value}; give ${what}`)
