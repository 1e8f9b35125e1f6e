import {
  bignumberDependencies,
  type BigNumber,
  create,
  factorialDependencies,
  gcdDependencies,
  lcmDependencies,
  type MathJsInstance,
  parseDependencies,
} from 'mathjs'
import { refuse } from './refuse.ts'

/** Digits of every step; results are rounded to fewer, so that 1/3*3 is 1. */
const PRECISION = 64
const MAX_FACTORIAL = 1000

const math = create(
  {
    ...bignumberDependencies,
    ...factorialDependencies,
    ...gcdDependencies,
    ...lcmDependencies,
    ...parseDependencies,
  },
  { number: 'BigNumber', precision: PRECISION },
)

const decimal = (value: number): BigNumber => math.bignumber(value)

/** The parser, whose numbers are decimals of 64 digits. */
export const parse: MathJsInstance['parse'] = math.parse

type Numbers = readonly [BigNumber, ...BigNumber[]]

/** What may be called: with how many arguments, and what it does with them. */
export interface MathFunction {
  readonly least: number
  readonly most: number
  readonly run: (first: BigNumber, ...rest: readonly BigNumber[]) => BigNumber
}

const one = (run: (x: BigNumber) => BigNumber): MathFunction => ({ least: 1, most: 1, run })

const two = (run: (x: BigNumber, y: BigNumber) => BigNumber): MathFunction => ({
  least: 2,
  most: 2,
  run: (x, y = x) => run(x, y),
})

const many = (run: (x: BigNumber, y: BigNumber) => BigNumber): MathFunction => ({
  least: 1,
  most: 100,
  run: (...all) => all.reduce((x, y) => run(x, y)),
})

/**
 * What is left when all but the last three digits cancel is rounding: 1/3*3 - 1 is 0.
 */
function plus(x: BigNumber, y: BigNumber): BigNumber {
  const sum = x.plus(y)
  const rounding = (x.abs().gt(y.abs()) ? x : y).abs().times(`1e-${PRECISION - 3}`)
  return sum.abs().lte(rounding) ? decimal(0) : sum
}

/** The remainder with the sign of the divisor, as in Python: -7 mod 3 is 2. */
function modulo(x: BigNumber, y: BigNumber): BigNumber {
  const rest = x.mod(y)
  return rest.isZero() || rest.isNegative() === y.isNegative() ? rest : rest.plus(y)
}

function factorial(x: BigNumber): BigNumber {
  if (x.isInteger() && !x.isNegative() && x.lte(MAX_FACTORIAL)) return math.factorial(x)
  throw refuse(`a factorial needs a whole number from 0 to ${MAX_FACTORIAL}`)
}

function whole(x: BigNumber): BigNumber {
  if (x.isInteger() && x.abs().lt('1e50')) return x
  throw refuse('gcd and lcm need whole numbers below 1e50')
}

function mean(...all: Numbers): BigNumber {
  return all.reduce(plus).div(all.length)
}

function rounded(x: BigNumber, places: BigNumber = decimal(0)): BigNumber {
  if (places.isInteger() && !places.isNegative() && places.lte(50)) {
    return x.toDecimalPlaces(places.toNumber())
  }
  throw refuse('round takes 0 to 50 decimal places')
}

const logarithm = (x: BigNumber, base?: BigNumber): BigNumber =>
  base === undefined ? x.ln() : x.log(base)

/** The operators by the parser's names. `ctranspose` is `'`, our per cent sign. */
export const OPERATORS: Readonly<Record<string, MathFunction>> = {
  add: two(plus),
  subtract: two((x, y) => plus(x, y.negated())),
  multiply: two((x, y) => x.times(y)),
  divide: two((x, y) => x.div(y)),
  mod: two(modulo),
  pow: two((x, y) => x.pow(y)),
  unaryMinus: one((x) => x.negated()),
  unaryPlus: one((x) => x),
  factorial: one(factorial),
  ctranspose: one((x) => x.div(100)),
}

/** `log` and `ln` are natural; angles are in radians; `round` takes halves away from zero. */
export const FUNCTIONS: Readonly<Record<string, MathFunction>> = {
  abs: one((x) => x.abs()),
  sqrt: one((x) => x.sqrt()),
  cbrt: one((x) => x.cbrt()),
  exp: one((x) => x.exp()),
  ln: one((x) => x.ln()),
  log: { least: 1, most: 2, run: logarithm },
  log2: one((x) => x.log(2)),
  log10: one((x) => x.log(10)),
  sin: one((x) => x.sin()),
  cos: one((x) => x.cos()),
  tan: one((x) => x.tan()),
  asin: one((x) => x.asin()),
  acos: one((x) => x.acos()),
  atan: one((x) => x.atan()),
  floor: one((x) => x.floor()),
  ceil: one((x) => x.ceil()),
  round: { least: 1, most: 2, run: rounded },
  sign: one((x) => decimal(x.isZero() ? 0 : x.isNegative() ? -1 : 1)),
  factorial: one(factorial),
  pow: two((x, y) => x.pow(y)),
  mod: two(modulo),
  min: many((x, y) => (y.lt(x) ? y : x)),
  max: many((x, y) => (y.gt(x) ? y : x)),
  sum: many(plus),
  mean: { least: 1, most: 100, run: mean },
  gcd: many((x, y) => math.gcd(whole(x), whole(y))),
  lcm: many((x, y) => math.lcm(whole(x), whole(y))),
}

export const CONSTANTS: Readonly<Record<string, BigNumber>> = {
  pi: decimal(-1).acos(),
  e: decimal(1).exp(),
}
