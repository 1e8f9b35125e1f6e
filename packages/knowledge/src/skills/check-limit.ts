import { EchelonError } from 'echelon/internal/value'

/** @throws EchelonError INVALID_CONFIG for a limit that would bound nothing */
export function checkLimit(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return
  throw new EchelonError('INVALID_CONFIG', `${name} is ${value}; give a whole number above 0`)
}
