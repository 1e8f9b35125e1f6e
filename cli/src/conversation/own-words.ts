import { EchelonError } from 'echelon/runtime'

/** Names in messages of the library, and what a user types for them. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/, or pass apiKey\b/g, ''],
  [/\bmaxIterations\b/g, '--max-iterations'],
  [/\bcalled 1 times\b/g, 'called once'],
]

/** Puts a message of the library in the words of the command line. */
export const inOwnWords = (text: string): string =>
  NAMES.reduce((said, [name, typed]) => said.replaceAll(name, typed), text)

/** The same error with another message. */
export const retold = (error: EchelonError, message: string): EchelonError =>
  new EchelonError(error.code, message, { details: error.details, cause: error })
