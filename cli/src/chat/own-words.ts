import { EchelonError } from 'echelon/runtime'

/** The names that the library's sentences speak of, as they are typed here. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/, or pass apiKey\b/g, ''],
  [/\bmaxIterations\b/g, '--max-iterations'],
  [/\bcalled 1 times\b/g, 'called once'],
]

/** A sentence of the library in the words of the command line. */
export const inOwnWords = (text: string): string =>
  NAMES.reduce((said, [name, typed]) => said.replaceAll(name, typed), text)

/** The same error, told in other words. */
export const retold = (error: EchelonError, message: string): EchelonError =>
  new EchelonError(error.code, message, { details: error.details, cause: error })
