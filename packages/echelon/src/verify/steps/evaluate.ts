import type { Expression, Operand } from './expression.ts'
import {
  minus,
  negative,
  over,
  plus,
  power,
  type Rational,
  times,
  whole,
} from '../text/rational.ts'
import type { NumberToken, Sign } from '../text/token.ts'

/** One way to read an expression. */
export interface Reading {
  /** `20%` as a fifth, as 20, or as a fifth of what stands before it: "100 + 20%". */
  readonly percent: 'share' | 'plain' | 'of-left'
  /** From left to right, regardless of the signs, as people write a running sum. */
  readonly isRunning?: boolean
  /** The value that stands behind a rounded number, if it is known. */
  readonly exactly?: (token: NumberToken) => Rational
}

export const PLAIN: Reading = { percent: 'share' }

type Operation = (a: Rational, b: Rational) => Rational | undefined

const OPERATIONS: Readonly<Record<Sign, Operation>> = {
  '+': plus,
  '-': minus,
  '*': times,
  '/': over,
  '^': power,
}

const PRECEDENCE: readonly (readonly Sign[])[] = [['^'], ['*', '/'], ['+', '-']]
const NONE: typeof PRECEDENCE = [['^', '*', '/', '+', '-']]

/** The exact value of an expression; undefined for a division by 0, or a value too large to work with. */
export function evaluate(expression: Expression, reading: Reading): Rational | undefined {
  let signs = expression.signs
  const operands: Rational[] = []
  for (const operand of expression.operands) {
    const value = valueOf(operand, reading)
    if (value === undefined) return undefined
    operands.push(value)
  }
  let values = reading.percent === 'of-left' ? ofLeft(expression, operands) : operands
  for (const level of reading.isRunning === true ? NONE : PRECEDENCE) {
    const folded = fold(values, signs, level)
    if (folded === undefined) return undefined
    ;({ values, signs } = folded)
  }
  return values[0]
}

function valueOf(operand: Operand, reading: Reading): Rational | undefined {
  const value =
    operand.type === 'group' ? evaluate(operand.group, reading) : numberOf(operand.token, reading)
  return value !== undefined && operand.isNegative ? negative(value) : value
}

const HUNDREDTH: Rational = { n: 1n, d: 100n }

function numberOf(token: NumberToken, { percent, exactly }: Reading): Rational | undefined {
  const value = exactly?.(token) ?? token.value
  return token.isPercent && percent !== 'plain' ? times(value, HUNDREDTH) : value
}

/** "100 + 20%" is 120: an added percentage applies to the value before it. */
function ofLeft({ operands, signs }: Expression, values: readonly Rational[]): readonly Rational[] {
  const [first, second] = operands
  const [left, share] = values
  const isAdded = signs.length === 1 && (signs[0] === '+' || signs[0] === '-')
  if (!isAdded || left === undefined || share === undefined || first === undefined) return values
  if (second?.type !== 'number' || !second.token.isPercent) return values
  return [left, times(left, share) ?? share]
}

/** Applies the signs of one level of precedence, from left to right. */
function fold(
  values: readonly Rational[],
  signs: readonly Sign[],
  level: readonly Sign[],
): { readonly values: readonly Rational[]; readonly signs: readonly Sign[] } | undefined {
  const kept: Rational[] = [values[0] ?? whole(0)]
  const left: Sign[] = []
  for (const [at, sign] of signs.entries()) {
    const next = values[at + 1] ?? whole(0)
    if (!level.includes(sign)) {
      left.push(sign)
      kept.push(next)
      continue
    }
    const value = OPERATIONS[sign](kept.pop() ?? whole(0), next)
    if (value === undefined) return undefined
    kept.push(value)
  }
  return { values: kept, signs: left }
}
