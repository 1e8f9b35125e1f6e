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
} from './mathjs.ts'
import { ToolError } from 'echelon/internal/tool'
import { decimals } from './decimal.ts'
import { asFraction } from './exact.ts'
import { EXACT, inDecimals, type MathFunction, type Vocabulary } from './functions.ts'
import { notation } from './notation.ts'
import { primeArgument, primality } from './prime.ts'
import { checkReadings } from './readings.ts'
import { aborted, noValue, refuse } from './refuse.ts'
import { TooFewDigits, type Value } from './value.ts'

/** In characters; the tool's schema has the same limit. */
const MAX_LENGTH = 2000
/** Significant digits of a result. */
const DIGITS = 50
/** A whole number of up to this many digits is printed in full, since rounding would change it. */
const MAX_WHOLE_DIGITS = 1000n
/** Powers of ten within which a result is printed without an exponent. */
const PLAIN = { from: -30, to: DIGITS } as const

/** Parses numbers as decimals of any length. */
const { parse } = create({ number: 'BigNumber' })
const result = decimals(DIGITS)
const work = [70, 105, 160, 250, 400].map(decimals)

/**
 * An expression is evaluated with fractions only, then with decimals of increasing precision until
 * two in a row print the same. Digits that were lost on the way show as a difference. Where every
 * precision would lose the same digits, as the last digit of 10^90 - 1, the step throws
 * `TooFewDigits` (see `ledger.ts`).
 */
const VOCABULARIES: readonly Vocabulary[] = [EXACT, ...work.map(inDecimals)]

/** Results of sample computations in all digits. Constant as long as the arithmetic is intact. */
export const fingerprint = (): string => [result, ...work].map((each) => each.fingerprint()).join()

/**
 * Evaluates an arithmetic expression to 50 significant digits. Each value has one spelling: `0.3`,
 * `1`, `-2.5`; an exponent (`1.5e+60`) only for very large or very small values. `isPrime(…)` as the
 * whole expression gives `yes` or `no`.
 *
 * Steps with rational numbers are exact. A whole number of at most 1,000 digits is printed in full;
 * other results are rounded once. Irrational steps are computed with more and more digits until
 * they agree, or the expression is refused.
 *
 * Walks the parser's tree with a closed table of operators and functions, so that nothing outside
 * the table can run.
 * @throws ToolError INVALID_ARGS for an expression that cannot be parsed, is not allowed, or has no
 * finite value
 */
export function evaluate(expr: string): string {
  if (expr.length > MAX_LENGTH) throw refuse(`an expression has at most ${MAX_LENGTH} characters`)
  const tree = read(notation(expr))
  const number = primeArgument(tree)
  if (number !== undefined) return primality(valueIn(EXACT, number))
  let before: string | undefined
  for (const vocabulary of VOCABULARIES) {
    const value = valueIn(vocabulary, tree)
    const printed = value && print(value)
    if (printed !== undefined && (vocabulary === EXACT || printed === before)) return printed
    before = printed
  }
  throw noValue('the value cannot be computed with enough digits; use smaller numbers')
}

function read(text: string): MathNode {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw aborted(error)
    throw refuse(`the expression cannot be read: ${error.message}`)
  }
}

function valueIn(vocabulary: Vocabulary, tree: MathNode): Value | undefined {
  try {
    vocabulary.restart()
    return valueOf(tree, vocabulary)
  } catch (error) {
    if (error instanceof TooFewDigits) return undefined
    throw error instanceof ToolError ? error : aborted(error)
  }
}

function valueOf(node: MathNode, vocabulary: Vocabulary): Value {
  if (isParenthesisNode(node)) return valueOf(node.content, vocabulary)
  if (isConstantNode(node)) return constant(node.value)
  if (isSymbolNode(node)) return named(vocabulary.constants, node.name)()
  if (isOperatorNode(node)) {
    checkReadings(node)
    return call(node.op, named(vocabulary.operators, node.fn), valuesOf(node.args, vocabulary))
  }
  if (isFunctionNode(node) && isSymbolNode(node.fn)) {
    const { name } = node.fn
    return call(name, named(vocabulary.functions, name), valuesOf(node.args, vocabulary))
  }
  throw refuse('the calculator takes numbers, + - * / ^ % ! and functions of numbers only')
}

const valuesOf = (nodes: readonly MathNode[], vocabulary: Vocabulary): readonly Value[] =>
  nodes.map((node) => valueOf(node, vocabulary))

function constant(value: unknown): Value {
  if (isBigNumber(value) && value.isFinite()) return asFraction(value) ?? value
  throw refuse('the calculator takes finite numbers only')
}

/** Looks up own properties only: every object has `constructor`. */
function named<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined
  if (entry !== undefined) return entry
  throw refuse(`the calculator does not know ${name}; it knows ${Object.keys(table).join(', ')}`)
}

function call(
  name: string,
  { minArgs, maxArgs, run }: MathFunction,
  args: readonly Value[],
): Value {
  const [first, ...rest] = args
  if (first === undefined || args.length < minArgs || args.length > maxArgs) {
    const count = minArgs === maxArgs ? minArgs : `${minArgs} to ${maxArgs}`
    throw refuse(`${name} takes ${count} arguments, not ${args.length}`)
  }
  const value = run(first, ...rest)
  // Checked at every step: 1/(1/0) would otherwise be 0.
  if (isFraction(value) || value.isFinite()) return value
  throw noValue(
    `the expression has no finite value at ${name}: it divides by zero, is too large, or is not real`,
  )
}

function print(value: Value): string {
  if (isFraction(value) && value.d === 1n && value.n < 10n ** MAX_WHOLE_DIGITS) {
    return String(value.s * value.n)
  }
  const rounded: BigNumber = result.of(value)
  // Avoids printing -0.
  if (rounded.isZero()) return '0'
  return rounded.e >= PLAIN.from && rounded.e < PLAIN.to ? rounded.toFixed() : rounded.toString()
}
