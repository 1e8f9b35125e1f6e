/** An expression for the calculator, with facts for the readers. */
export interface Expression {
  /** Calculator syntax: digits, `+ - * / ^`, brackets, `sqrt()`. */
  readonly text: string
  /** Value in floating point, only for plausibility checks; the calculator computes the answer. */
  readonly value: number
  /** Precedence of `text`: 1 sum, 2 product, 3 power or sign, 4 a single term. */
  readonly rank: 1 | 2 | 3 | 4
  /** Positions of the question's numbers that went into it. */
  readonly uses: ReadonlySet<number>
}

type Rank = Expression['rank']

/** A number as written, without thousands separators; `position` is its index in the question. */
export const literal = (digits: string, position?: number): Expression => ({
  text: digits,
  value: Number(digits),
  rank: 4,
  uses: new Set(position === undefined ? [] : [position]),
})

/** `a + b` */
export const plus = (a: Expression, b: Expression): Expression =>
  join(a, '+', b, { value: a.value + b.value, rank: 1, left: 1, right: 2 })

/** `a - b` */
export const minus = (a: Expression, b: Expression): Expression =>
  join(a, '-', b, { value: a.value - b.value, rank: 1, left: 1, right: 2 })

/** `a * b`; a quotient on the right gets no brackets, so that 90 * (1 / 3) loses no digits. */
export const times = (a: Expression, b: Expression): Expression =>
  join(a, '*', b, { value: a.value * b.value, rank: 2, left: 2, right: 2 })

/** `a / b` */
export const over = (a: Expression, b: Expression): Expression =>
  join(a, '/', b, { value: a.value / b.value, rank: 2, left: 2, right: 3 })

/** `a ^ b` */
export const power = (a: Expression, b: Expression): Expression =>
  join(a, '^', b, { value: a.value ** b.value, rank: 3, left: 4, right: 4 })

/** `-a` */
export const negative = (a: Expression): Expression => ({
  ...a,
  text: `-${bracket(a, 4)}`,
  value: -a.value,
  rank: 3,
})

/** Functions of the calculator, in floating point. */
type FunctionName = 'sqrt' | 'cbrt' | 'abs' | 'ceil' | 'round' | 'mod' | 'gcd' | 'lcm'

const FUNCTIONS: Readonly<Record<FunctionName, (...all: readonly number[]) => number>> = {
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  abs: Math.abs,
  ceil: Math.ceil,
  round: (x = 0, places = 0) => Math.round(x * 10 ** places) / 10 ** places,
  mod: (x = 0, y = 1) => x - y * Math.floor(x / y),
  gcd: (...all) => all.reduce(commonDivisor),
  lcm: (...all) => all.reduce((x, y) => (x * y) / commonDivisor(x, y)),
}

const commonDivisor = (x: number, y: number): number => (y === 0 ? x : commonDivisor(y, x % y))

/** `name(a, b)` */
export const called = (name: FunctionName, ...args: readonly Expression[]): Expression => ({
  text: `${name}(${args.map(({ text }) => text).join(', ')})`,
  value: FUNCTIONS[name](...args.map(({ value }) => value)),
  rank: 4,
  uses: args.reduce((uses, each) => uses.union(each.uses), new Set<number>()),
})

/** `a!` */
export const factorial = (a: Expression): Expression => ({
  ...a,
  text: `${bracket(a, 4)}!`,
  value: Array.from({ length: Math.min(200, a.value) || 0 }, (_, at) => at + 1).reduce(
    (product, factor) => product * factor,
    1,
  ),
  rank: 4,
})

/** `n` per cent of `whole`. */
export const percentOf = (n: Expression, whole: Expression): Expression =>
  over(times(whole, n), literal('100'))

/** The sum of all terms in order; undefined for none. */
export const total = (terms: readonly Expression[]): Expression | undefined =>
  terms.length === 0 ? undefined : terms.reduce(plus)

/** The difference: the larger minus the smaller. */
export const apart = (a: Expression, b: Expression): Expression =>
  a.value >= b.value ? minus(a, b) : minus(b, a)

interface Joint {
  readonly value: number
  readonly rank: Rank
  /** The lowest rank that needs no brackets on this side. */
  readonly left: Rank
  readonly right: Rank
}

function join(a: Expression, sign: string, b: Expression, joint: Joint): Expression {
  return {
    text: `${bracket(a, joint.left)} ${sign} ${bracket(b, joint.right)}`,
    value: joint.value,
    rank: joint.rank,
    uses: a.uses.union(b.uses),
  }
}

const bracket = (a: Expression, least: Rank): string => (a.rank < least ? `(${a.text})` : a.text)
