import { EchelonError } from '../core/value/error.ts'
import { wordHint } from '../core/value/nearest.ts'

/** All options there are, as the compiler sees to: `true`, or the words that one may be or list. */
export type Known<Options> = {
  readonly [Name in keyof Options]-?: true | readonly string[]
}

/**
 * What the compiler says to whoever uses it, for those who do not: an option that nobody reads, or a
 * word that means nothing, would do nothing in silence. One that is absent is none.
 * @param middleware whose options they are, as `piiRedaction`
 * @throws EchelonError INVALID_CONFIG that names the nearest there is
 */
export function knownOptions<Options extends object>(
  middleware: string,
  given: Options,
  known: Known<NoInfer<Options>>,
): void {
  if (typeof given !== 'object' || given === null) {
    throw wrong(middleware, `${JSON.stringify(given)} are no options; give an object`)
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
 * The same for one word that must be there.
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
 * The same, for what must be more than nothing.
 * @throws EchelonError INVALID_CONFIG
 */
export function aboveZero(middleware: string, name: string, value: number): void {
  if (isFrom(Number.MIN_VALUE, value)) return
  throw invalid(middleware, name, value, 'a number above 0')
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
  wrong(middleware, `${name} cannot be ${value}; give ${what}`)

const wrong = (middleware: string, sentence: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `${middleware}: ${sentence}`)
