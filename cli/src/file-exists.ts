import { EchelonError } from 'echelon/internal/value'
import { isThere } from 'echelon/config'

/**
 * Whether a file exists.
 * @throws EchelonError INVALID_INPUT if that cannot be determined: an unreadable store is not an empty one
 */
export function fileExists(path: string): boolean {
  try {
    return isThere(path)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_INPUT',
      `${path} cannot be checked (${reason}); check the permissions of its parent folders`,
      { cause },
    )
  }
}
