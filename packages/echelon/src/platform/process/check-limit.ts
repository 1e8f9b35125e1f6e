import { EchelonError } from '../../core/value/error.ts'

/** @throws EchelonError INVALID_CONFIG for a limit that is not a whole number above 0 */
export function checkLimit(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return
  throw new EchelonError('INVALID_CONFIG', `${name} is ${value}; give a whole number above 0`)
}
