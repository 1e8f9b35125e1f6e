/**
 * An expression under construction. `value` is only for plausibility checks (whole, not negative); the actual
 * number comes from the calculator, from `text`.
 */
export interface Term {
  /** In calculator syntax, with the parentheses that its parts need. */
  readonly text: string
  readonly value: number
  /** 1 for sums, 2 for products, 3 for signs, 4 for powers, 5 for atoms. */
  readonly binds: 1 | 2 | 3 | 4 | 5
  /** The quantities of the question that were used, by position in the text. */
  readonly uses: ReadonlySet<number>
}

/** A number as written in the question; `at` is its position among the tokens. */
export function numeral(text: string, at: number): Term {
  return { text, value: Number(text), binds: 5, uses: new Set([at]) }
}

/** A number that the question does not spell out: 100 of percent, 12 of dozen, 2 of half, and units. */
export function constant(value: number): Term {
  return { text: String(value), value, binds: 5, uses: new Set() }
}

/** The sum of two terms. */
export function plus(a: Term, b: Term): Term {
  return join(a, b, { text: `${at(a, 1)} + ${at(b, 1)}`, value: a.value + b.value, binds: 1 })
}

/** The first without the second. */
export function minus(a: Term, b: Term): Term {
  return join(a, b, { text: `${at(a, 1)} - ${at(b, 2)}`, value: a.value - b.value, binds: 1 })
}

/** The product of two terms. */
export function times(a: Term, b: Term): Term {
  return join(a, b, { text: `${at(a, 2)} * ${at(b, 3)}`, value: a.value * b.value, binds: 2 })
}

/** The first divided by the second. */
export function over(a: Term, b: Term): Term {
  return join(a, b, {
    text: `${at(a, 2)} / ${at(b, 3)}`,
    value: b.value === 0 ? NaN : a.value / b.value,
    binds: 2,
  })
}

/** The first to the power of the second. */
export function power(a: Term, b: Term): Term {
  return join(a, b, { text: `${at(a, 5)} ^ ${at(b, 5)}`, value: a.value ** b.value, binds: 4 })
}

/** The square root. */
export function root(a: Term): Term {
  return { text: `sqrt(${a.text})`, value: Math.sqrt(a.value), binds: 5, uses: a.uses }
}

/** The cube root. */
export function cubeRoot(a: Term): Term {
  return { text: `cbrt(${a.text})`, value: Math.cbrt(a.value), binds: 5, uses: a.uses }
}

/** The same amount below zero. */
export function negative(a: Term): Term {
  return { text: `-${at(a, 5)}`, value: -a.value, binds: 3, uses: a.uses }
}

/** `n` percent as a factor. */
export function percent(n: Term): Term {
  return over(n, constant(100))
}

/** The factor that remains, or results, when `share` is taken off or added on. */
export function rest(share: Term, direction: 'off' | 'on'): Term {
  return direction === 'off' ? minus(constant(1), share) : plus(constant(1), share)
}

/** The sum of all; at least one is needed. */
export function sum(first: Term, ...others: readonly Term[]): Term {
  return others.reduce(plus, first)
}

function at(term: Term, level: number): string {
  return term.binds < level ? `(${term.text})` : term.text
}

function join(a: Term, b: Term, result: Omit<Term, 'uses'>): Term {
  return { ...result, uses: new Set([...a.uses, ...b.uses]) }
}
