import { evaluate, PLAIN, type Reading } from './evaluate.ts'
import { type Expression, ExpressionReader } from './expression.ts'
import {
  absolute,
  compare,
  isSame,
  isWhole,
  keyOf,
  minus,
  over,
  type Rational,
  times,
  whole,
} from '../text/rational.ts'
import type { NumberToken, Token } from '../text/token.ts'

/**
 * The comparison of a written calculation with its recomputed value. `right`: equal. `rounded`: equal to the digits
 * written. `loose`: equal by a reading that people use and mathematics does not, such as a percent sign left out.
 * `wrong`: no reading gives the stated result.
 */
export type Found = 'right' | 'rounded' | 'loose' | 'wrong'

/** A calculation that an answer writes out, such as `3 × 12 = 36`. */
export interface Calculation {
  readonly found: Found
  /** The result as the answer states it. */
  readonly stated: Rational
  /** The numbers that it is calculated from. */
  readonly operands: readonly NumberToken[]
  readonly expression: Expression
  /** Its start in the text. */
  readonly start: number
}

/** Recomputes the calculations in a text, in order. Time grows linearly with its length. */
export function calculationsIn(tokens: readonly Token[]): readonly Calculation[] {
  const reader = new ExpressionReader(tokens)
  const found: Calculation[] = []
  const rounded = new Map<string, Rational>()
  while (reader.at < tokens.length) {
    const start = reader.at
    const chain = canStart(tokens, start) ? chainFrom(reader, tokens) : []
    for (const [at, right] of chain.entries()) {
      const left = chain[at - 1]
      const calculation = left === undefined ? undefined : calculationOf(left, right, rounded)
      if (calculation !== undefined) found.push(calculation)
    }
    if (reader.at === start) reader.at = start + 1
  }
  return found
}

/** Whether a calculation can start here. The `5 = 10` of "price - 5 = 10" is only a part of one. */
function canStart(tokens: readonly Token[], at: number): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]]
  if (token === undefined) return false
  if (before?.type === 'sign' && !isBullet(tokens, at - 1)) return false
  if (token.type === 'sign') return token.sign === '-' && !isBullet(tokens, at)
  if (token.type === 'open') return before?.type !== 'number'
  return token.type === 'number' || token.type === 'word'
}

/** A sign at the start of a line with a blank behind it marks an item of a list. */
function isBullet(tokens: readonly Token[], at: number): boolean {
  const [before, sign, next] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  const isFirst = before === undefined || before.type === 'line'
  return isFirst && sign?.end !== next?.start
}

/** The sides of a chain such as `a + b = c - d = e`; a side that is not an expression ends it. */
function chainFrom(reader: ExpressionReader, tokens: readonly Token[]): readonly Expression[] {
  const first = reader.expression()
  if (first === undefined) return []
  const sides = [first]
  for (;;) {
    const before = reader.at
    if (!takeEquals(reader, tokens, sides.at(-1) ?? first)) return sides
    const next = reader.expression()
    if (next === undefined) {
      reader.at = before
      return sides
    }
    sides.push(next)
  }
}

/** `=`, also at the start of the next line; or a word for it, behind a calculation. */
function takeEquals(reader: ExpressionReader, tokens: readonly Token[], left: Expression): boolean {
  let at = reader.at
  if (tokens[at]?.type === 'line' && tokens[at + 1]?.type === 'equals') at++
  if (tokens[at]?.type === 'equals') {
    reader.at = at + 1
    return true
  }
  if (left.signs.length === 0) return false
  const words: string[] = []
  for (let token = tokens[at]; token?.type === 'word' && words.length < 4; token = tokens[++at]) {
    words.push(token.word)
  }
  if (!EQUALS.test(words.join(' '))) return false
  reader.at = at
  return true
}

const EQUALS = /^(?:which |that |this )?(?:is|are|equals|gives|makes|is equal to)(?: a total of)?$/

function calculationOf(
  left: Expression,
  right: Expression,
  rounded: Map<string, Rational>,
): Calculation | undefined {
  if (left.signs.length === 0) return undefined
  const stated = evaluate(right, PLAIN)
  const value = evaluate(left, PLAIN)
  const [first] = right.operands
  if (stated === undefined || first === undefined) return undefined
  const found = value === undefined ? 'wrong' : compared({ left, right, value, stated }, rounded)
  // The rest of the expression was not read, and may explain a difference.
  if (found === 'wrong' && right.isOpen) return undefined
  if (found === 'rounded' && value !== undefined) rounded.set(keyOf(stated), value)
  return {
    found,
    stated: found === 'loose' && right.signs.length > 0 ? firstOf(right) : stated,
    operands: numbersOf(left),
    expression: left,
    start: numbersOf(left)[0]?.start ?? 0,
  }
}

interface Sides {
  readonly left: Expression
  readonly right: Expression
  readonly value: Rational
  readonly stated: Rational
}

function compared(sides: Sides, rounded: ReadonlyMap<string, Rational>): Found {
  const { left, right, value, stated } = sides
  if (isSame(value, stated)) return 'right'
  if (isRounded(value, right, stated)) return 'rounded'
  const exactly = (token: NumberToken): Rational => rounded.get(keyOf(token.value)) ?? token.value
  const exact = evaluate(left, { ...PLAIN, exactly })
  if (exact !== undefined && isRounded(exact, right, stated)) return 'rounded'
  const readings: readonly Reading[] = [
    { percent: 'plain' },
    { percent: 'of-left' },
    { percent: 'share', isRunning: true },
  ]
  const values = readings.map((reading) => evaluate(left, reading))
  const results = [stated, evaluate(right, { percent: 'plain' }), firstOf(right)]
  const isReading = values.some(
    (each) =>
      each !== undefined &&
      results.some((result) => result !== undefined && isRounded(each, right, result)),
  )
  return isReading || isConverted(value, stated, right) ? 'loose' : 'wrong'
}

/** A running chain, `5 + 3 = 8 * 2 = 16`, states the first number behind the sign. */
function firstOf({ operands }: Expression): Rational {
  const [first] = operands
  return first?.type === 'number' ? first.token.value : whole(0)
}

/** Whether a value equals the stated one in the digits that are written. */
function isRounded(value: Rational, right: Expression, stated: Rational): boolean {
  const difference = minus(value, stated)
  if (difference === undefined) return false
  if (right.signs.length > 0) {
    // Two calculations on numbers that were rounded agree to half a percent.
    const tolerance = times(absolute(value), { n: 1n, d: 200n })
    return tolerance !== undefined && compare(absolute(difference), tolerance) <= 0
  }
  if (isSame(value, stated)) return true
  const written = numbersOf(right)
  const decimals = Math.max(...written.map((token) => token.decimals))
  // Money and whole things are rounded up too: 100 people need 13 buses of 8.
  const isUp = decimals === 0 || written.some(({ isMoney }) => isMoney)
  const isCut = isUp || compare(absolute(value), absolute(stated)) > 0
  const last = { n: 1n, d: 10n ** BigInt(decimals) * (isCut ? 1n : 2n) }
  const order = compare(absolute(difference), last)
  return !isWhole(value) && (order < 0 || (order === 0 && !isCut))
}

/** Factors between units that people leave out: `3 * 20 minutes = 1 hour`, `80 * 5 = 4` for 5 %. */
const FACTORS: readonly number[] = [100, 60, 12, 1000, 24, 7]

function isConverted(value: Rational, stated: Rational, right: Expression): boolean {
  return FACTORS.some((factor) =>
    [times(value, whole(factor)), over(value, whole(factor))].some(
      (converted) =>
        converted !== undefined && isRounded(converted, right, stated) && stated.n !== 0n,
    ),
  )
}

/** The numbers of an expression, in order. */
const numbersOf = ({ operands }: Expression): readonly NumberToken[] =>
  operands.flatMap((operand) =>
    operand.type === 'group' ? numbersOf(operand.group) : [operand.token],
  )
