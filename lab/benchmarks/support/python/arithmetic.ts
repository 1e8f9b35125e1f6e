import { isNumber, PyError, type PyValue, typeName } from './value.ts'

type Num = bigint | number

/** `a + b` of numbers: an int as long as both are. */
export const add = (a: PyValue, b: PyValue, sign = '+'): Num =>
  numeric(a, b, sign, { ints: (x, y) => x + y, floats: (x, y) => x + y })

/** `a - b` of numbers. */
export const subtract = (a: PyValue, b: PyValue, sign = '-'): Num =>
  numeric(a, b, sign, { ints: (x, y) => x - y, floats: (x, y) => x - y })

/** `a * b` of numbers. */
export const multiply = (a: PyValue, b: PyValue): Num =>
  numeric(a, b, '*', { ints: (x, y) => x * y, floats: (x, y) => x * y })

/** `a < b`, of two numbers or two texts. */
export function less(a: PyValue, b: PyValue, sign = '<'): boolean {
  if (isNumber(a) && isNumber(b)) return a < b
  if (typeof a === 'string' && typeof b === 'string') return a < b
  throw new PyError(
    `'${sign}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`,
  )
}

export const sum = (values: readonly PyValue[]): Num =>
  values.reduce<Num>((total, value) => add(total, value), 0n)

/** `-value`, where 0 stays 0, and 0.0 becomes -0.0. */
export function negate(value: PyValue): Num {
  if (isNumber(value)) return -value
  throw new PyError(`bad operand type for unary -: '${typeName(value)}'`)
}

export const absolute = (value: Num): Num => {
  if (typeof value === 'bigint') return value < 0n ? -value : value
  return Math.abs(value)
}

/**
 * `round(value, 2)`: nearest to the exact binary value. `toFixed` does that too, but turns a tie away
 * from zero, where Python takes the even digit; only eighths can be a tie.
 */
export function round2(value: Num): Num {
  if (typeof value === 'bigint' || !Number.isFinite(value)) return value
  const isTie = Number.isInteger(value * 8) && Math.abs(value * 8) % 2 === 1
  if (!isTie) return Number(value.toFixed(2))
  const below = Math.floor(Math.abs(value) * 100)
  return (Math.sign(value) * (below % 2 === 0 ? below : below + 1)) / 100
}

function numeric(
  a: PyValue,
  b: PyValue,
  sign: string,
  how: { ints: (x: bigint, y: bigint) => bigint; floats: (x: number, y: number) => number },
): Num {
  if (!isNumber(a) || !isNumber(b)) {
    throw new PyError(
      `unsupported operand type(s) for ${sign}: '${typeName(a)}' and '${typeName(b)}'`,
    )
  }
  if (typeof a === 'bigint' && typeof b === 'bigint') return how.ints(a, b)
  return how.floats(Number(a), Number(b))
}
