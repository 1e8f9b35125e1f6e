import { EchelonError } from '../core/value/error.ts'

/**
 * Rejects an invalid or taken provider key.
 * @throws EchelonError INVALID_CONFIG
 */
export function checkKey(key: string, isTaken: boolean): void {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(key)) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `a provider cannot be called ${JSON.stringify(key)}; use lower-case letters, digits, ., _ and -`,
    )
  }
  if (isTaken) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `a provider called ${JSON.stringify(key)} is registered already; give this one another key`,
    )
  }
}
