/**
 * Whether one number is an exact multiple of another in decimal notation: 0.07 is a multiple of 0.01,
 * although the division of their binary fractions has a remainder.
 */
export function isMultiple(value: number, unit: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(unit)) return value % unit === 0
  if (!Number.isFinite(value) || !Number.isFinite(unit) || unit === 0) return false
  const [a, b] = [decimalOf(value), decimalOf(unit)]
  const least = Math.min(a.exponent, b.exponent)
  return inUnits(a, least) % inUnits(b, least) === 0n
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function decimalOf(value: number): Decimal {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

const inUnits = ({ digits, exponent }: Decimal, least: number): bigint =>
  digits * 10n ** BigInt(exponent - least)
