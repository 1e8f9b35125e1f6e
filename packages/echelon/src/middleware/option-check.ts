import { EchelonError } from '../core/value/error.ts'
import { wordHint } from '../core/value/nearest.ts'

/** Every option, which the compiler enforces: `true`, or the words that the option accepts. */
export type Known<Options> = {
  readonly [Name in keyof Options]-?: true | readonly string[]
}

/**
 * Reports to JavaScript users what the compiler reports in TypeScript: an unknown option or word would
 * silently do nothing. An `undefined` option counts as absent.
 * @param middleware the owner of the options, such as `piiRedaction`
 * @throws EchelonError INVALID_CONFIG that suggests the closest known name
 */
export function knownOptions<Options extends object>(
  middleware: string,
  given: Options,
  known: Known<NoInfer<Options>>,
): void {
  if (typeof given !== 'object' || given === null) {
    throw wrong(middleware, `${JSON.stringify(given)} are not options; give an object`)
  }
  const meanings = new Map<string, true | readonly string[]>(Object.entries(known))
  for (const [name, value] of Object.entries(given)) {
    const words = meanings.get(name)
    if (words === undefined) {
      throw wrong(middleware, `there is no option ${name}${wordHint(name, [...meanings.keys()])}`)
    }
    if (words === true || value === undefined) continue
    ;[value].flat().forEach((word) => oneOf(middleware, name, word, words))
  }
}

/**
 * Checks one required word.
 * @throws EchelonError INVALID_CONFIG
 */
export function oneOf(
  middleware: string,
  name: string,
  value: unknown,
  words: readonly string[],
): void {
  if (words.some((word) => word === value)) return
  const hint = wordHint(String(value), words)
  throw wrong(middleware, `${name} cannot be ${JSON.stringify(value)}${hint}`)
}

/**
 * Checks that each given option is a number from `least` on. An `undefined` option is skipped.
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
 * Checks that a number is above 0.
 * @throws EchelonError INVALID_CONFIG
 */
export function aboveZero(middleware: string, name: string, value: number): void {
  if (isFrom(Number.MIN_VALUE, value)) return
  throw invalid(middleware, name, value, 'a number above 0')
}

/**
 * Checks that each given option is a whole number from `least` on.
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

// A value read from JSON may not be a number.
const isFrom = (least: number, value: unknown): boolean =>
  typeof value === 'number' && value >= least

const invalid = (middleware: string, name: string, value: number, what: string): EchelonError =>
  wrong(middleware, `${name} cannot be ${value}; give ${what}`)

const wrong = (middleware: string, sentence: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `${middleware}: ${sentence}`)
