import {
  apart,
  called,
  type Expression,
  factorial,
  literal,
  minus,
  negative,
  over,
  percentOf,
  plus,
  power,
  times,
  total,
} from '../expression.ts'
import type { Token } from './tokens.ts'

type Operation = (a: Expression, b: Expression) => Expression

const OVER_LISTS: Readonly<
  Record<string, (items: readonly Expression[]) => Expression | undefined>
> = {
  sum: total,
  product: (items) => items.reduce(times),
  difference: ([a, b, ...more]) => (a && b && more.length === 0 ? apart(a, b) : undefined),
  quotient: ([a, b, ...more]) => (a && b && more.length === 0 ? over(a, b) : undefined),
  average,
  mean: average,
  gcd: (items) => called('gcd', ...items),
  lcm: (items) => called('lcm', ...items),
}

/** Words that apply to the one number after them; the imperatives of the same name work alike. */
export const ON_ONE: Readonly<Record<string, (item: Expression) => Expression>> = {
  root: (item) => called('sqrt', item),
  cuberoot: (item) => called('cbrt', item),
  abs: (item) => called('abs', item),
  factorialof: factorial,
  double: (item) => times(literal('2'), item),
  triple: (item) => times(literal('3'), item),
  quadruple: (item) => times(literal('4'), item),
  halve: (item) => over(item, literal('2')),
  square: (item) => power(item, literal('2')),
  cube: (item) => power(item, literal('3')),
}

const OPERATION = /^(?:[-+*/^]|mod|factorial)$/

/** The mean of at least two items. */
function average(items: readonly Expression[]): Expression | undefined {
  const sum = total(items)
  return sum && items.length > 1 ? over(sum, literal(String(items.length))) : undefined
}

/** Recursive descent parser; every method returns undefined for input it cannot read. */
export class Parser {
  readonly #tokens: readonly Token[]
  readonly #numbers: readonly Expression[]
  #at = 0
  constructor(tokens: readonly Token[], numbers: readonly Expression[]) {
    this.#tokens = tokens
    this.#numbers = numbers
  }

  get atEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? ''
  }

  take(...tokens: readonly Token[]): boolean {
    if (this.atEnd || !tokens.includes(this.next)) return false
    this.#at++
    return true
  }

  /** The table entry of the next token, consumed if there is one. */
  takeFrom<Value>(table: Readonly<Record<string, Value>>): Value | undefined {
    const entry = ownEntry(table, this.next)
    if (entry !== undefined) this.#at++
    return entry
  }

  /** The result of `read`; if undefined, consumes nothing. */
  attempt<Value>(read: () => Value | undefined): Value | undefined {
    const start = this.#at
    const value = read()
    if (value === undefined) this.#at = start
    return value
  }

  sum(): Expression | undefined {
    return this.#chain(() => this.#product(), { '+': plus, '-': minus })
  }

  #product(): Expression | undefined {
    const mod: Operation = (a, b) => called('mod', a, b)
    return this.#chain(() => this.operand(), { '*': times, '/': over, mod })
  }

  /** One number with its sign and power, or a prefix word applied to one. */
  operand(): Expression | undefined {
    if (!this.take('-')) return this.#raised()
    const operand = this.operand()
    return operand && negative(operand)
  }

  /** "10 percent", "a third": the size of a change, not a share of a named thing. */
  share(): Expression | undefined {
    return this.attempt(() => {
      const number = this.#mark()
      if (number === undefined) return undefined
      const percent = this.take('percent')
      if (this.next === 'of') return undefined
      if (percent) return over(number, literal('100'))
      return number.text.includes(' / ') ? number : undefined
    })
  }

  /** At least two items, with commas and "and" between them. */
  list(): readonly Expression[] {
    const items: Expression[] = []
    do {
      const item = this.operand()
      if (item === undefined) return []
      items.push(item)
    } while (this.#goesOn())
    return items.length > 1 ? items : []
  }

  /** A comma or "and" followed by another number, not by another imperative. */
  #goesOn(): boolean {
    const goesOn = this.attempt(() => {
      if (!this.take(',', 'and')) return undefined
      this.take('and')
      const begins = /^(?:#\d+|\(|-)$/.test(this.next) || ownEntry(OVER_LISTS, this.next)
      return begins || /^(?:root|cuberoot|abs|factorialof)$/.test(this.next) ? true : undefined
    })
    return goesOn === true
  }

  #raised(): Expression | undefined {
    const single = this.#single()
    const base = single && this.take('factorial') ? factorial(single) : single
    if (base === undefined || !this.take('^')) return base
    if (this.take('²')) return power(base, literal('2'))
    if (this.take('³')) return power(base, literal('3'))
    const exponent = this.operand()
    return exponent && power(base, exponent)
  }

  #single(): Expression | undefined {
    if (this.take('(')) return this.#closed()
    if (this.next.startsWith('#')) return this.#number()
    const onOne = this.takeFrom(ON_ONE)
    if (onOne) return this.#onOne(onOne)
    const overList = this.takeFrom(OVER_LISTS)
    if (overList === undefined) return undefined
    const items = this.list()
    return items.length > 1 ? this.#worded(overList(items)) : undefined
  }

  #closed(): Expression | undefined {
    const inner = this.sum()
    return this.take(')') ? inner : undefined
  }

  #mark(): Expression | undefined {
    if (!this.next.startsWith('#')) return undefined
    const number = this.#numbers[Number(this.next.slice(1))]
    this.#at++
    return number
  }

  /** A number, or a share of what follows: "half of 90", "15 percent of 80". */
  #number(): Expression | undefined {
    const number = this.#mark()
    const percent = this.take('percent')
    if (number === undefined || !this.take('of')) return percent ? undefined : number
    if (!percent && number.rank === 4) return undefined
    const whole = this.operand()
    return this.#worded(whole && (percent ? percentOf(number, whole) : times(whole, number)))
  }

  #onOne(apply: (item: Expression) => Expression): Expression | undefined {
    const bracketed = this.next === '('
    const item = this.take('-') ? minusOne(this.#single()) : this.#single()
    const result = item && apply(item)
    // "The cube of 3 minus the square of 4": each prefix word applies to one number.
    const isApart = ownEntry(ON_ONE, this.#tokens[this.#at + 1] ?? '') !== undefined
    return bracketed || isApart ? result : this.#worded(result)
  }

  /** "Half of 90 plus 10" is ambiguous: nothing may follow a number with a prefix word. */
  #worded(result: Expression | undefined): Expression | undefined {
    return OPERATION.test(this.next) ? undefined : result
  }

  #chain(
    operand: () => Expression | undefined,
    operations: Readonly<Record<string, Operation>>,
  ): Expression | undefined {
    let left = operand()
    while (left !== undefined) {
      const operation = this.takeFrom(operations)
      if (operation === undefined) return left
      const right = operand()
      left = right && operation(left, right)
    }
    return undefined
  }
}

const minusOne = (item: Expression | undefined): Expression | undefined => item && negative(item)

/** Own properties only: "constructor" is not a word of arithmetic. */
function ownEntry<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
