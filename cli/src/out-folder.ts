import { mkdirSync } from 'node:fs'
import { EchelonError } from 'echelon/internal/value'

/**
 * Makes the folder of `--out`, for its owner only; an existing one stays as it is.
 * @throws EchelonError INVALID_CONFIG when it cannot be made
 */
export const makeFolder = (path: string): void =>
  written(path, () => void mkdirSync(path, { recursive: true, mode: 0o700 }))

/**
 * Writes to a path below the folder of `--out`.
 * @throws EchelonError INVALID_CONFIG when `write` fails
 */
export function written<Result>(path: string, write: () => Result): Result {
  try {
    return write()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_CONFIG',
      `${path} cannot be written (${reason}); choose another place with --out`,
      { cause },
    )
  }
}
