import { type Fraction, isFraction } from './mathjs.ts'
import type { Decimals } from './decimal.ts'
import * as exact from './exact.ts'
import { refuse } from './refuse.ts'
import { roundWith } from './rounding.ts'
import { type Steps, stepsWith } from './steps.ts'
import { fraction, TooFewDigits, type Value, ZERO } from './value.ts'

const MAX_FACTORIAL = 1000n
const MAX_WHOLE = 10n ** 50n

/** A callable function and the number of arguments that it accepts. */
export interface MathFunction {
  readonly minArgs: number
  readonly maxArgs: number
  readonly run: (first: Value, ...rest: readonly Value[]) => Value
}

type Functions = Readonly<Record<string, MathFunction>>

/** The names that an expression may use. */
export interface Vocabulary {
  /** Called before each expression. */
  readonly restart: () => void
  readonly operators: Functions
  readonly functions: Functions
  readonly constants: Readonly<Record<string, () => Value>>
}

const unary = (run: (x: Value) => Value): MathFunction => ({ minArgs: 1, maxArgs: 1, run })

const binary = (run: (x: Value, y: Value) => Value): MathFunction => ({
  minArgs: 2,
  maxArgs: 2,
  run: (x, y = x) => run(x, y),
})

const variadic = (run: (x: Value, y: Value) => Value): MathFunction => ({
  minArgs: 1,
  maxArgs: 100,
  run: (...all) => all.reduce((x, y) => run(x, y)),
})

const factorial = ({ whole }: Steps): MathFunction =>
  unary((x) => {
    const n = whole(x)
    if (n !== undefined && n.s >= 0n && n.n <= MAX_FACTORIAL) return exact.factorial(n)
    throw refuse(`a factorial needs a whole number from 0 to ${MAX_FACTORIAL}`)
  })

/** Operators by the parser's names. `ctranspose` is `'`, the calculator's per cent sign. */
const operators = (steps: Steps): Functions => ({
  add: binary(steps.plus),
  subtract: binary((x, y) => steps.plus(x, steps.negative(y))),
  multiply: binary(steps.times),
  divide: binary(steps.over),
  mod: binary(steps.modulo),
  pow: binary(steps.power),
  unaryMinus: unary(steps.negative),
  unaryPlus: unary((x) => x),
  factorial: factorial(steps),
  ctranspose: unary((x) => steps.over(x, fraction(100n))),
})

/** Refuses `isPrime` inside a calculation. `evaluate` answers it as the whole expression. */
const isPrime: MathFunction = unary(() => {
  throw refuse('isPrime answers yes or no, so it cannot be part of a calculation')
})

/** Functions whose result is rational for rational arguments. */
function rational(steps: Steps): Functions {
  const { plus, over, power, modulo, negative, isNegative, isLess, floor, whole } = steps

  function divisible(x: Value): Fraction {
    const n = whole(x)
    if (n !== undefined && n.n < MAX_WHOLE) return n
    throw refuse('gcd and lcm need whole numbers below 1e50')
  }

  function sign(x: Value): Fraction {
    if (isFraction(x) ? x.n === 0n : x.isZero()) return ZERO
    return fraction(isNegative(x) ? -1n : 1n)
  }

  const mean = (first: Value, ...rest: readonly Value[]): Value =>
    over(
      rest.reduce((x, y) => plus(x, y), first),
      fraction(BigInt(rest.length + 1)),
    )

  return {
    abs: unary((x) => (isNegative(x) ? negative(x) : x)),
    floor: unary(floor),
    ceil: unary((x) => floor(negative(x)).neg()),
    round: { minArgs: 1, maxArgs: 2, run: roundWith(steps) },
    sign: unary(sign),
    factorial: factorial(steps),
    pow: binary(power),
    mod: binary(modulo),
    min: variadic((x, y) => (isLess(y, x) ? y : x)),
    max: variadic((x, y) => (isLess(x, y) ? y : x)),
    sum: variadic(plus),
    mean: { minArgs: 1, maxArgs: 100, run: mean },
    gcd: variadic((x, y) => divisible(x).gcd(divisible(y))),
    lcm: variadic((x, y) => divisible(x).lcm(divisible(y))),
    isPrime,
  }
}

/**
 * Functions with irrational results, except roots and logarithms of exact powers. `log` and `ln`
 * are natural; angles are in radians.
 */
function irrational({ decimal }: Steps): Functions {
  const ln = decimal(
    (x, work) => work.log(x),
    (x) => (x.n === x.d && x.s > 0n ? ZERO : undefined),
  )
  const inBase = (base: Fraction): ((x: Value) => Value) =>
    decimal(
      (x, work) => work.log(x, work.of(base)),
      (x) => exact.log(x, base),
    )
  function log(x: Value, base?: Value): Value {
    if (base === undefined) return ln(x)
    if (isFraction(base)) return inBase(base)(x)
    return decimal((b, work) => work.log(work.of(x), b))(base)
  }
  return {
    sqrt: unary(
      decimal(
        (x) => x.sqrt(),
        (x) => (x.s < 0n ? undefined : exact.root(x, 2)),
      ),
    ),
    cbrt: unary(
      decimal(
        (x) => x.cbrt(),
        (x) => exact.root(x.abs(), 3)?.mul(x.s),
      ),
    ),
    exp: unary(decimal((x, work) => work.exp(x))),
    ln: unary(ln),
    log: { minArgs: 1, maxArgs: 2, run: log },
    log2: unary(inBase(fraction(2n))),
    log10: unary(inBase(fraction(10n))),
    sin: unary(decimal((x, work) => work.ofAngle(x, 'sin'))),
    cos: unary(decimal((x, work) => work.ofAngle(x, 'cos'))),
    tan: unary(decimal((x, work) => work.ofAngle(x, 'tan'))),
    asin: unary(decimal((x, work) => work.arc(x, 'asin'))),
    acos: unary(decimal((x, work) => work.arc(x, 'acos'))),
    atan: unary(decimal((x) => x.atan())),
  }
}

function vocabulary(decimals: () => Decimals, restart: () => void): Vocabulary {
  const steps = stepsWith(decimals)
  return {
    restart,
    operators: operators(steps),
    functions: { ...irrational(steps), ...rational(steps) },
    constants: { pi: () => decimals().pi, e: () => decimals().e },
  }
}

/** For expressions with an exact value; any other throws `TooFewDigits`. */
export const EXACT: Vocabulary = vocabulary(
  () => {
    throw new TooFewDigits()
  },
  () => undefined,
)

/** For expressions with an irrational step. */
export const inDecimals = (work: Decimals): Vocabulary => vocabulary(() => work, work.restart)
