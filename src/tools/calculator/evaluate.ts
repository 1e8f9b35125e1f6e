import {
  type BigNumber,
  isBigNumber,
  isConstantNode,
  isFunctionNode,
  isOperatorNode,
  isParenthesisNode,
  isSymbolNode,
  type MathNode,
} from 'mathjs'
import { CONSTANTS, FUNCTIONS, type MathFunction, OPERATORS, parse } from './functions.ts'
import { notation } from './notation.ts'
import { checkReadings } from './readings.ts'
import { noValue, refuse } from './refuse.ts'

/** Characters; the tool's schema and the parser's door hold to the same. */
const MAX_LENGTH = 2000
/** Significant digits of a result. */
const DIGITS = 50
/** Powers of ten within which a result is written without an exponent. */
const PLAIN = { from: -30, to: DIGITS } as const

/**
 * The value of an arithmetic expression, exact to 50 significant digits, in one spelling per value:
 * `0.3`, `1`, `-2.5`; an exponent (`1.5e+60`) only for what is very big or very small.
 * The parser's tree is walked with a closed table of operators and functions, so that what the
 * table does not name cannot happen.
 * @throws ToolError INVALID_ARGS for what cannot be read, is not allowed, or has no finite value
 */
export function evaluate(expr: string): string {
  if (expr.length > MAX_LENGTH) throw refuse(`an expression has at most ${MAX_LENGTH} characters`)
  return print(shallow(() => valueOf(read(notation(expr)))))
}

export default ({ expr }: { readonly expr: string }): string => evaluate(expr)

function read(text: string): MathNode {
  try {
    return parse(text)
  } catch (error) {
    throw refuse(`the expression cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
}

/** A chain such as `-----1` is as deep as it is long; how deep the stack is differs by machine. */
function shallow<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof RangeError ? refuse('the expression nests too deep') : error
  }
}

function valueOf(node: MathNode): BigNumber {
  if (isParenthesisNode(node)) return valueOf(node.content)
  if (isConstantNode(node)) return constant(node.value)
  if (isSymbolNode(node)) return named(CONSTANTS, node.name)
  if (isOperatorNode(node)) {
    checkReadings(node)
    return call(node.op, named(OPERATORS, node.fn), node.args)
  }
  if (isFunctionNode(node) && isSymbolNode(node.fn)) {
    return call(node.fn.name, named(FUNCTIONS, node.fn.name), node.args)
  }
  throw refuse('the calculator takes numbers, + - * / ^ % ! and functions of numbers only')
}

function constant(value: unknown): BigNumber {
  if (isBigNumber(value) && value.isFinite()) return value
  throw refuse('the calculator takes finite numbers only')
}

/** Own entries only: `constructor` is in every object. */
function named<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined
  if (entry !== undefined) return entry
  throw refuse(`the calculator does not know ${name}; it knows ${Object.keys(table).join(', ')}`)
}

function call(name: string, { least, most, run }: MathFunction, args: MathNode[]): BigNumber {
  const [first, ...rest] = args.map(valueOf)
  if (first === undefined || args.length < least || args.length > most) {
    const count = least === most ? least : `${least} to ${most}`
    throw refuse(`${name} takes ${count} arguments, not ${args.length}`)
  }
  const value = run(first, ...rest)
  // At every step: 1/(1/0) would come out as 0.
  if (value.isFinite()) return value
  throw noValue(
    `the expression has no finite value at ${name}: it divides by zero, is too large, or is not real`,
  )
}

function print(value: BigNumber): string {
  const rounded = value.toSignificantDigits(DIGITS)
  // Zero has a sign of its own.
  if (rounded.isZero()) return '0'
  return rounded.e >= PLAIN.from && rounded.e < PLAIN.to ? rounded.toFixed() : rounded.toString()
}
