import { EchelonError } from '../../core/value/error.ts'
import type { Judgment } from '../verifier.ts'

/** The one feature of a check: its score. */
export const passed = (name: string, score: number): Judgment['features'] => ({
  [`${name}.passed`]: score,
})

/** @throws EchelonError INVALID_DEFINITION for a name that cannot begin a feature */
export function checkName(name: string): void {
  if (/^[\w-]{1,64}$/.test(name)) return
  throw new EchelonError(
    'INVALID_DEFINITION',
    `a check cannot be called ${JSON.stringify(name)}; use letters, digits, _ and -, at most 64`,
  )
}
