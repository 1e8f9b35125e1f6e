import {
  constant,
  cubeRoot,
  minus,
  negative,
  over,
  percent,
  plus,
  power,
  rest,
  root,
  sum,
  type Term,
  times,
} from '../english/term.ts'
import { wordAt } from '../english/token.ts'
import { NoReading, type TokenCursor } from './token-cursor.ts'

/** `open` marks an operand whose extent becomes doubtful if an operator follows. */
export interface Operand {
  readonly term: Term
  readonly open: boolean
  /** Followed by a power in words: "3 plus 4 squared" could be the square of the sum. */
  readonly powered?: boolean
  /** A product in words: "2 plus 2 times 2" has two readings. */
  readonly spoken?: boolean
}

const SUMS: Readonly<Record<string, (a: Term, b: Term) => Term>> = {
  '+': plus,
  plus,
  '-': minus,
  '−': minus,
  '–': minus,
  minus,
}
const PRODUCTS: Readonly<Record<string, (a: Term, b: Term) => Term>> = {
  '*': times,
  '×': times,
  '·': times,
  x: times,
  times,
  'multiplied by': times,
  '/': over,
  '÷': over,
  'divided by': over,
}

/** Levels of nesting, more than real questions have; limits stack depth. */
const DEEPEST = 50

/**
 * Reads expressions, in symbols or words, from a position in a question. Each method moves past what it reads and
 * throws `NoReading` if there is nothing to read.
 */
export class Expression {
  readonly #cursor: TokenCursor
  #depth = 0

  constructor(cursor: TokenCursor) {
    this.#cursor = cursor
  }

  sum(): Term {
    return this.#chain(SUMS, () => this.#product()).term
  }

  #product(): Operand {
    return this.#chain(PRODUCTS, () => this.#operand())
  }

  #chain(operators: typeof SUMS, next: () => Operand): Operand {
    let left = next()
    for (;;) {
      const start = this.#cursor.at
      const pause = left.open && this.#cursor.took(',')
      const operator = this.#operator(operators)
      if (operator === undefined) {
        this.#cursor.at = start
        return left
      }
      if (left.open && !pause) throw new NoReading()
      const right = next()
      const isWord = wordAt(this.#cursor.tokens, start + (pause ? 1 : 0)) !== ''
      if (right.powered && !left.powered) throw new NoReading()
      if (isWord && right.spoken) throw new NoReading()
      left = {
        term: operator(left.term, right.term),
        // "8 divided by 2 times 4": the words leave open how far the division reaches.
        open: right.open || (isWord && operator === over),
        powered: right.powered ?? false,
        spoken: isWord && operators === PRODUCTS,
      }
    }
  }

  #operator(operators: typeof SUMS): ((a: Term, b: Term) => Term) | undefined {
    return Object.entries(operators).find(([words]) => this.#cursor.took(words))?.[1]
  }

  /** A sign, an atom, and what follows it: powers, changes by a percentage. */
  #operand(): Operand {
    if (this.#cursor.took('-') || this.#cursor.took('−') || this.#cursor.took('negative')) {
      const { term } = this.#atom()
      if (this.#seesPower()) throw new NoReading()
      return { term: negative(term), open: false }
    }
    const atom = this.#atom()
    if (atom.open) return atom
    return this.#powers(atom.term)
  }

  #powers(base: Term): Operand {
    if (this.#cursor.took('squared')) return powered(power(base, constant(2)))
    if (this.#cursor.took('cubed')) return powered(power(base, constant(3)))
    if (this.#cursor.took('^')) return closed(power(base, this.#exponent()))
    if (this.#cursor.took('to the power of') || this.#cursor.took('raised to the power of')) {
      return { term: power(base, this.#exponent()), open: true }
    }
    if (this.#cursor.took('increased by')) return { term: this.#by(base, 'on'), open: true }
    if (this.#cursor.took('decreased by') || this.#cursor.took('reduced by')) {
      return { term: this.#by(base, 'off'), open: true }
    }
    return closed(base)
  }

  /** Towers ("2^3^2") group from the right. */
  #exponent(): Term {
    const base =
      this.#cursor.took('-') || this.#cursor.took('−')
        ? negative(this.#atom().term)
        : this.#atom().term
    return this.#cursor.took('^') ? power(base, this.#exponent()) : base
  }

  #seesPower(): boolean {
    const word = this.#cursor.spelling(this.#cursor.at)
    const isToPower = word === 'to' && this.#cursor.spelling(this.#cursor.at + 2) === 'power'
    return isToPower || ['^', 'squared', 'cubed', 'raised'].includes(word)
  }

  /** Words that act on what precedes them. */
  #seesChange(): boolean {
    return ['increased', 'decreased', 'reduced', 'more', 'less'].includes(
      this.#cursor.spelling(this.#cursor.at),
    )
  }

  change(base: Term, direction: 'on' | 'off'): Term {
    this.#cursor.need('by')
    return this.#by(base, direction)
  }

  #by(base: Term, direction: 'on' | 'off'): Term {
    const token = this.#cursor.token
    if (token?.type !== 'number') throw new NoReading()
    this.#cursor.at += 1
    if (token.unit === '%') return times(base, rest(percent(token.term), direction))
    if (token.unit === '/') return times(base, rest(token.term, direction))
    return direction === 'on' ? plus(base, token.term) : minus(base, token.term)
  }

  #atom(): Operand {
    if (this.#depth >= DEEPEST) throw new NoReading()
    this.#depth += 1
    const operand = this.#group() ?? this.#phrase() ?? this.#quantity()
    this.#depth -= 1
    return operand
  }

  #group(): Operand | undefined {
    if (this.#cursor.took('(')) return closed(this.#until(')'))
    return this.#cursor.took('sqrt (') ? closed(root(this.#until(')'))) : undefined
  }

  #until(end: string): Term {
    const term = this.sum()
    this.#cursor.need(end)
    return term
  }

  /** Operations that speech puts before their operands. */
  #phrase(): Operand | undefined {
    const start = this.#cursor.at
    this.#cursor.took('the')
    this.#cursor.took('a')
    const share = this.#surcharge()
    if (share !== undefined) return share
    if (this.#cursor.took('square root of')) return opened(root(this.reach()))
    if (this.#cursor.took('cube root of')) return opened(cubeRoot(this.reach()))
    if (this.#cursor.took('square of')) return opened(power(this.reach(), constant(2)))
    if (this.#cursor.took('cube of')) return opened(power(this.reach(), constant(3)))
    if (this.#cursor.took('twice') || this.#cursor.took('double'))
      return opened(times(constant(2), this.reach()))
    if (this.#cursor.took('triple')) return opened(times(constant(3), this.reach()))
    if (this.#cursor.took('sum of')) return opened(this.#fold(plus))
    if (this.#cursor.took('product of')) return opened(this.#fold(times))
    if (this.#cursor.took('quotient of')) return opened(over(...this.#two()))
    if (this.#cursor.took('difference between') || this.#cursor.took('difference of')) {
      return opened(this.#difference())
    }
    if (this.#cursor.took('average of') || this.#cursor.took('mean of'))
      return opened(this.#average())
    this.#cursor.at = start
    return undefined
  }

  /** "a 15% tip on a $60 bill" is the tip alone. */
  #surcharge(): Operand | undefined {
    const token = this.#cursor.token
    if (token?.type !== 'number' || token.unit !== '%') return undefined
    if (!['tip', 'tax', 'commission'].includes(wordAt(this.#cursor.tokens, this.#cursor.at + 1))) {
      return undefined
    }
    this.#cursor.at += 2
    this.#cursor.need('on')
    this.#cursor.took('a')
    const base = this.#cursor.number()
    this.#cursor.took('bill')
    return opened(times(base, percent(token.term)))
  }

  reach(): Term {
    return this.strict().term
  }

  /**
   * An operand with a clear end: a number, a group, or a phrase around one of them. A power or change behind it
   * ("half of 90 increased by 10") could belong to the phrase or the number.
   */
  strict(): Operand {
    const isNegative =
      this.#cursor.took('-') || this.#cursor.took('−') || this.#cursor.took('negative')
    const { term, open } = this.#atom()
    if (this.#seesPower() || this.#seesChange()) throw new NoReading()
    return { term: isNegative ? negative(term) : term, open }
  }

  #fold(join: (a: Term, b: Term) => Term): Term {
    return this.#list().reduce(join)
  }

  #average(): Term {
    const [first, ...others] = this.#list()
    if (first === undefined) throw new NoReading()
    return over(sum(first, ...others), constant(others.length + 1))
  }

  #two(): [Term, Term] {
    const [a, b, ...more] = this.#list()
    if (a === undefined || b === undefined || more.length > 0) throw new NoReading()
    return [a, b]
  }

  /** For "between 5 and 8" some people answer 3 and some -3. */
  #difference(): Term {
    const [a, b] = this.#two()
    if (a.value < b.value) throw new NoReading()
    return minus(a, b)
  }

  /** "3 and 4", "14, 25 and 36"; an "and" is required and ends the list. */
  #list(): readonly Term[] {
    const items = [this.#item()]
    while (this.#cursor.took(',')) {
      if (wordAt(this.#cursor.tokens, this.#cursor.at) === 'and') break
      items.push(this.#item())
    }
    this.#cursor.need('and')
    const last = this.#item()
    // "The sum of half of 10 and 4" and "of 3 and 4 squared" leave open how far the words reach.
    const isOpen = items.some(({ open }) => open)
    const isPower = last.power && !items.some(({ power }) => power)
    if (isOpen || isPower) throw new NoReading()
    return [...items, last].map(({ term }) => term)
  }

  #item(): Operand & { readonly power: boolean } {
    const start = this.#cursor.at
    const isNumber = this.#cursor.tokens[start]?.type === 'number'
    const isPower = ['squared', 'cubed'].includes(this.#cursor.spelling(start + 1))
    if (!isNumber || !isPower) return { ...this.strict(), power: false }
    const item = { ...this.#operand(), power: true }
    if (this.#cursor.at > start + 2) throw new NoReading()
    return item
  }

  /** A number, and the words that make it part of a larger one: "of", "off", "more than". */
  #quantity(): Operand {
    const token = this.#cursor.token
    if (token?.type !== 'number') throw new NoReading()
    this.#cursor.at += 1
    if (token.unit === '%') return opened(this.#ofPercent(percent(token.term)))
    if (token.unit === '/') return opened(times(this.#part(token.term), this.reach()))
    if (this.#cursor.took('more than')) return opened(this.#moreThan(token.term))
    if (this.#cursor.took('less than')) return opened(minus(this.reach(), token.term))
    return closed(token.term)
  }

  /** "How much is 12 more than 5" may ask for the difference. */
  #moreThan(difference: Term): Term {
    const before = this.#cursor.at - 5
    if (this.#cursor.spelling(before) === 'much' && this.#cursor.spelling(before + 1) === 'is') {
      throw new NoReading()
    }
    return plus(this.reach(), difference)
  }

  #part(share: Term): Term {
    this.#cursor.took('of')
    return share
  }

  #ofPercent(share: Term): Term {
    if (this.#cursor.took('of')) return times(share, this.reach())
    if (this.#cursor.took('off')) return times(this.reach(), rest(share, 'off'))
    if (this.#cursor.took('more than')) return times(this.reach(), rest(share, 'on'))
    if (this.#cursor.took('less than')) return times(this.reach(), rest(share, 'off'))
    throw new NoReading()
  }
}

function closed(term: Term): Operand {
  return { term, open: false }
}

function powered(term: Term): Operand {
  return { term, open: false, powered: true }
}

function opened(term: Term): Operand {
  return { term, open: true }
}
