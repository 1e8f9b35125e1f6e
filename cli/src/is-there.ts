import { EchelonError } from 'echelon/runtime'
import { isThere as isThereOnDisk } from 'echelon/config'

/**
 * Whether a file is there.
 * @throws EchelonError INVALID_INPUT where it cannot be known: what is kept in it is not nothing
 */
export function isThere(path: string): boolean {
  try {
    return isThereOnDisk(path)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_INPUT',
      `${path} cannot be looked at (${reason}); see who may read the folders above it`,
      { cause },
    )
  }
}
