import {
  type BigNumber,
  create,
  isBigNumber,
  isConstantNode,
  isFraction,
  isFunctionNode,
  isOperatorNode,
  isParenthesisNode,
  isSymbolNode,
  type MathNode,
  parseDependencies,
} from 'mathjs'
import { ToolError } from 'echelon/internal/tool'
import { decimals } from './decimal.ts'
import { asFraction } from './exact.ts'
import { EXACTLY, inDecimals, type MathFunction, type Vocabulary } from './functions.ts'
import { notation } from './notation.ts'
import { checkReadings } from './readings.ts'
import { brokenOff, noValue, refuse } from './refuse.ts'
import { TooFewDigits, type Value } from './value.ts'

/** Characters; the tool's schema and the parser's door hold to the same. */
const MAX_LENGTH = 2000
/** Significant digits of a result. */
const DIGITS = 50
/** Digits of a whole number that is given in full, since rounded it would be another one. */
const MOST_WHOLE_DIGITS = 1000n
/** Powers of ten within which a result is written without an exponent. */
const PLAIN = { from: -30, to: DIGITS } as const

/** Numbers are decimals as they are written, however long. */
const { parse } = create({ ...parseDependencies }, { number: 'BigNumber' })
const result = decimals(DIGITS)
const work = [70, 105, 160, 250, 400].map(decimals)

/**
 * An expression is tried with fractions alone; then with decimals of more and more digits, until two in a row
 * print the same. What was lost on the way shows as a difference; where all of them would lose the same, as the
 * last digit of 10^90 - 1, the step throws `TooFewDigits` (see `ledger.ts`).
 */
const WAYS: readonly Vocabulary[] = [EXACTLY, ...work.map(inDecimals)]

/** What the arithmetic makes of a few numbers, in all digits; the same for as long as it is sound. */
export const fingerprint = (): string => [result, ...work].map((each) => each.fingerprint()).join()

/**
 * The value of an arithmetic expression to 50 significant digits, in one spelling per value:
 * `0.3`, `1`, `-2.5`; an exponent (`1.5e+60`) only for what is very big or very small.
 * Steps with rational numbers are exact. A whole number of at most 1,000 digits is given in full; other
 * results are rounded once. Other steps are computed with more and more digits until they settle, or are
 * refused.
 * The parser's tree is walked with a closed table of operators and functions, so that what the
 * table does not name cannot happen.
 * @throws ToolError INVALID_ARGS for what cannot be read, is not allowed, or has no finite value
 */
export function evaluate(expr: string): string {
  if (expr.length > MAX_LENGTH) throw refuse(`an expression has at most ${MAX_LENGTH} characters`)
  const tree = read(notation(expr))
  let before: string | undefined
  for (const way of WAYS) {
    const value = valueIn(way, tree)
    const printed = value && print(value)
    if (printed !== undefined && (way === EXACTLY || printed === before)) return printed
    before = printed
  }
  throw noValue(
    'the digits that are computed do not settle the value; write it with smaller numbers',
  )
}

function read(text: string): MathNode {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw brokenOff(error)
    throw refuse(`the expression cannot be read: ${error.message}`)
  }
}

function valueIn(way: Vocabulary, tree: MathNode): Value | undefined {
  try {
    way.restart()
    return valueOf(tree, way)
  } catch (error) {
    if (error instanceof TooFewDigits) return undefined
    throw error instanceof ToolError ? error : brokenOff(error)
  }
}

function valueOf(node: MathNode, way: Vocabulary): Value {
  if (isParenthesisNode(node)) return valueOf(node.content, way)
  if (isConstantNode(node)) return constant(node.value)
  if (isSymbolNode(node)) return named(way.constants, node.name)()
  if (isOperatorNode(node)) {
    checkReadings(node)
    return call(node.op, named(way.operators, node.fn), valuesOf(node.args, way))
  }
  if (isFunctionNode(node) && isSymbolNode(node.fn)) {
    const { name } = node.fn
    return call(name, named(way.functions, name), valuesOf(node.args, way))
  }
  throw refuse('the calculator takes numbers, + - * / ^ % ! and functions of numbers only')
}

const valuesOf = (nodes: readonly MathNode[], way: Vocabulary): readonly Value[] =>
  nodes.map((node) => valueOf(node, way))

function constant(value: unknown): Value {
  if (isBigNumber(value) && value.isFinite()) return asFraction(value) ?? value
  throw refuse('the calculator takes finite numbers only')
}

/** Own entries only: `constructor` is in every object. */
function named<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined
  if (entry !== undefined) return entry
  throw refuse(`the calculator does not know ${name}; it knows ${Object.keys(table).join(', ')}`)
}

function call(name: string, { least, most, run }: MathFunction, args: readonly Value[]): Value {
  const [first, ...rest] = args
  if (first === undefined || args.length < least || args.length > most) {
    const count = least === most ? least : `${least} to ${most}`
    throw refuse(`${name} takes ${count} arguments, not ${args.length}`)
  }
  const value = run(first, ...rest)
  // At every step: 1/(1/0) would come out as 0.
  if (isFraction(value) || value.isFinite()) return value
  throw noValue(
    `the expression has no finite value at ${name}: it divides by zero, is too large, or is not real`,
  )
}

function print(value: Value): string {
  if (isFraction(value) && value.d === 1n && value.n < 10n ** MOST_WHOLE_DIGITS) {
    return String(value.s * value.n)
  }
  const rounded: BigNumber = result.of(value)
  // Zero has a sign of its own.
  if (rounded.isZero()) return '0'
  return rounded.e >= PLAIN.from && rounded.e < PLAIN.to ? rounded.toFixed() : rounded.toString()
}
