import { type Fraction, isFraction } from 'mathjs'
import type { Decimals } from './decimal.ts'
import * as exact from './exact.ts'
import { refuse } from './refuse.ts'
import { roundWith } from './rounding.ts'
import { type Steps, stepsWith } from './steps.ts'
import { fraction, TooFewDigits, type Value, ZERO } from './value.ts'

const MAX_FACTORIAL = 1000n
const MAX_WHOLE = 10n ** 50n

/** What may be called: with how many arguments, and what it does with them. */
export interface MathFunction {
  readonly least: number
  readonly most: number
  readonly run: (first: Value, ...rest: readonly Value[]) => Value
}

type Functions = Readonly<Record<string, MathFunction>>

/** What an expression may name. */
export interface Vocabulary {
  /** Called before each expression. */
  readonly restart: () => void
  readonly operators: Functions
  readonly functions: Functions
  readonly constants: Readonly<Record<string, () => Value>>
}

const one = (run: (x: Value) => Value): MathFunction => ({ least: 1, most: 1, run })

const two = (run: (x: Value, y: Value) => Value): MathFunction => ({
  least: 2,
  most: 2,
  run: (x, y = x) => run(x, y),
})

const many = (run: (x: Value, y: Value) => Value): MathFunction => ({
  least: 1,
  most: 100,
  run: (...all) => all.reduce((x, y) => run(x, y)),
})

const factorial = ({ whole }: Steps): MathFunction =>
  one((x) => {
    const n = whole(x)
    if (n !== undefined && n.s >= 0n && n.n <= MAX_FACTORIAL) return exact.factorial(n)
    throw refuse(`a factorial needs a whole number from 0 to ${MAX_FACTORIAL}`)
  })

/** By the parser's names. `ctranspose` is `'`, our per cent sign. */
const operators = (steps: Steps): Functions => ({
  add: two(steps.plus),
  subtract: two((x, y) => steps.plus(x, steps.negative(y))),
  multiply: two(steps.times),
  divide: two(steps.over),
  mod: two(steps.modulo),
  pow: two(steps.power),
  unaryMinus: one(steps.negative),
  unaryPlus: one((x) => x),
  factorial: factorial(steps),
  ctranspose: one((x) => steps.over(x, fraction(100n))),
})

/** What has a fraction for fractions. */
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
    abs: one((x) => (isNegative(x) ? negative(x) : x)),
    floor: one(floor),
    ceil: one((x) => floor(negative(x)).neg()),
    round: { least: 1, most: 2, run: roundWith(steps) },
    sign: one(sign),
    factorial: factorial(steps),
    pow: two(power),
    mod: two(modulo),
    min: many((x, y) => (isLess(y, x) ? y : x)),
    max: many((x, y) => (isLess(x, y) ? y : x)),
    sum: many(plus),
    mean: { least: 1, most: 100, run: mean },
    gcd: many((x, y) => divisible(x).gcd(divisible(y))),
    lcm: many((x, y) => divisible(x).lcm(divisible(y))),
  }
}

/** What has none, but for roots of powers. `log` and `ln` are natural; angles are in radians. */
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
    sqrt: one(
      decimal(
        (x) => x.sqrt(),
        (x) => (x.s < 0n ? undefined : exact.root(x, 2)),
      ),
    ),
    cbrt: one(
      decimal(
        (x) => x.cbrt(),
        (x) => exact.root(x.abs(), 3)?.mul(x.s),
      ),
    ),
    exp: one(decimal((x, work) => work.exp(x))),
    ln: one(ln),
    log: { least: 1, most: 2, run: log },
    log2: one(inBase(fraction(2n))),
    log10: one(inBase(fraction(10n))),
    sin: one(decimal((x, work) => work.ofAngle(x, 'sin'))),
    cos: one(decimal((x, work) => work.ofAngle(x, 'cos'))),
    tan: one(decimal((x, work) => work.ofAngle(x, 'tan'))),
    asin: one(decimal((x, work) => work.arc(x, 'asin'))),
    acos: one(decimal((x, work) => work.arc(x, 'acos'))),
    atan: one(decimal((x) => x.atan())),
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

/** For expressions that have an exact value; any other throws `TooFewDigits`. */
export const EXACTLY: Vocabulary = vocabulary(
  () => {
    throw new TooFewDigits()
  },
  () => undefined,
)

/** For expressions whose value is no fraction at some step. */
export const inDecimals = (work: Decimals): Vocabulary => vocabulary(() => work, work.restart)
