import { EchelonError } from 'echelon'
import { readGivenTextSync } from 'echelon/config'
import { unreadableReason } from '../unreadable-reason.ts'

/** Larger data sets must be split. */
const MOST_BYTES = 256 * 1024 * 1024

/**
 * The text of a file that the user named.
 * @param what it is, in the sentence that says why it cannot be read: "the data set"
 * @throws EchelonError INVALID_INPUT
 */
export function textOfFile(file: string, what: string): string {
  try {
    return readGivenTextSync(file, MOST_BYTES)
  } catch (cause) {
    const reason = unreadableReason(cause)
    throw new EchelonError('INVALID_INPUT', `${what} ${file} cannot be read: ${reason}`, { cause })
  }
}
