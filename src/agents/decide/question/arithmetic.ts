import { ENDINGS, OPENINGS } from './courtesies.ts'
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
} from './term.ts'
import { markAt, type Token, wordAt } from './token.ts'

/**
 * Reads a question that is nothing but arithmetic, in symbols or in words, or returns undefined.
 * Every piece must have its place. Where speech leaves open how far an operation reaches ("half of
 * 90 plus 10") there is no reading: a comma, parentheses or another order make it one.
 */
export function readArithmetic(tokens: readonly Token[]): Term | undefined {
  const reader = new Reader(tokens)
  try {
    return reader.question()
  } catch (error) {
    if (error instanceof NoReading) return undefined
    throw error
  }
}

class NoReading extends Error {}

/** `open` marks an operand whose reach a following operator would make doubtful. */
interface Operand {
  readonly term: Term
  readonly open: boolean
  /** A power in words behind it: "3 plus 4 squared" could be the square of the sum. */
  readonly powered?: boolean
  /** A product in words: "2 plus 2 times 2" is heard in two ways. */
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

/** Levels of nesting; nobody asks deeper, and the stack has an end. */
const DEEPEST = 50

class Reader {
  #at = 0
  #depth = 0
  readonly #tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  question(): Term {
    while (OPENINGS.some((words) => this.#took(words)));
    const term = this.#shareQuestion() ?? this.#indirect()
    while (ENDINGS.some((words) => this.#took(words)));
    // "5!" is a factorial, which is not read; after a word or a bracket it is but an exclamation.
    if (this.#tokens[this.#at - 1]?.type !== 'number') while (this.#took('!') || this.#took('?'));
    if (this.#at < this.#tokens.length) throw new NoReading()
    return term
  }

  /** "Could you tell me what 3 + 4 is": the verb comes at the end. */
  #indirect(): Term {
    this.#took('what')
    return this.#steps()
  }

  /** "what percent of 80 is 20", "12 is what percent of 48". */
  #shareQuestion(): Term | undefined {
    const start = this.#at
    if (this.#took('what percent of') || this.#took('what percentage of')) {
      const whole = this.#number()
      this.#need('is')
      return percentOf(this.#number(), whole)
    }
    if (this.#took('what percentage is')) return percentOf(this.#number(), this.#after('of'))
    this.#at += 1
    const asks = this.#took('is what percent of') || this.#took('is what percentage of')
    const end = this.#at
    this.#at = start
    if (!asks) return undefined
    const part = this.#number()
    this.#at = end
    return percentOf(part, this.#number())
  }

  #after(words: string): Term {
    this.#need(words)
    return this.#number()
  }

  /** One command after the other ("multiply 6 by 7 and then add 8"), or a plain expression. */
  #steps(): Term {
    let result = this.#command() ?? this.#sum()
    for (;;) {
      const start = this.#at
      this.#took(',')
      this.#took('and')
      this.#took('then')
      const next = this.#at > start ? this.#command(result) : undefined
      if (next === undefined) {
        this.#at = start
        return result
      }
      result = next
    }
  }

  #command(result?: Term): Term | undefined {
    if (this.#took('add')) return this.#added(result) ?? this.#pair(plus, ['to', 'and'], result)
    if (this.#took('subtract')) return this.#pair((a, b) => minus(b, a), ['from'], result)
    if (this.#took('multiply')) return this.#pair(times, ['by', 'and'], result)
    if (this.#took('divide')) return this.#pair(over, ['by'], result)
    if (this.#took('increase')) return this.#change(this.#changed(result), 'on')
    if (this.#took('decrease') || this.#took('reduce')) {
      return this.#change(this.#changed(result), 'off')
    }
    if (result === undefined && this.#took('double')) return times(constant(2), this.#reach())
    if (result === undefined && this.#took('triple')) return times(constant(3), this.#reach())
    return undefined
  }

  /** What a change works on. A later command that names its own number drops the result so far. */
  #changed(result: Term | undefined): Term {
    if (result === undefined) return this.#reach()
    if (!this.#took('it') && !this.#took('the result')) throw new NoReading()
    return result
  }

  /** "Add 8% to 236" raises the 236 by its own 8 %. */
  #added(result: Term | undefined): Term | undefined {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'number' || token.unit !== '%' || result !== undefined) return undefined
    this.#at += 1
    this.#need('to')
    return times(this.#reach(), rest(percent(token.term), 'on'))
  }

  /** "add 3 to 4"; with a result at hand "multiply it by 4", "divide by 2", "subtract 9". */
  #pair(join: (a: Term, b: Term) => Term, links: readonly string[], result?: Term): Term {
    if (result !== undefined) {
      this.#took('it')
      this.#took('the result')
      this.#took('by')
      const by = this.#reach()
      return join === plus || join === times || join === over ? join(result, by) : join(by, result)
    }
    const first = this.#strict()
    const link = links.find((word) => this.#took(word))
    // "Add the sum of 3 and 4 and 5" leaves open where the list ends.
    if (link === undefined || (link === 'and' && first.open)) throw new NoReading()
    return join(first.term, this.#reach())
  }

  #sum(): Term {
    return this.#chain(SUMS, () => this.#product()).term
  }

  #product(): Operand {
    return this.#chain(PRODUCTS, () => this.#operand())
  }

  #chain(operators: typeof SUMS, next: () => Operand): Operand {
    let left = next()
    for (;;) {
      const start = this.#at
      const pause = left.open && this.#took(',')
      const operator = this.#operator(operators)
      if (operator === undefined) {
        this.#at = start
        return left
      }
      if (left.open && !pause) throw new NoReading()
      const right = next()
      const isWord = wordAt(this.#tokens, start + (pause ? 1 : 0)) !== ''
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
    return Object.entries(operators).find(([words]) => this.#took(words))?.[1]
  }

  /** A sign, an atom, and what stands behind it: powers, changes by a percentage. */
  #operand(): Operand {
    if (this.#took('-') || this.#took('−') || this.#took('negative')) {
      const { term } = this.#atom()
      if (this.#seesPower()) throw new NoReading()
      return { term: negative(term), open: false }
    }
    const atom = this.#atom()
    if (atom.open) return atom
    return this.#powers(atom.term)
  }

  #powers(base: Term): Operand {
    if (this.#took('squared')) return powered(power(base, constant(2)))
    if (this.#took('cubed')) return powered(power(base, constant(3)))
    if (this.#took('^')) return closed(power(base, this.#exponent()))
    if (this.#took('to the power of') || this.#took('raised to the power of')) {
      return { term: power(base, this.#exponent()), open: true }
    }
    if (this.#took('increased by')) return { term: this.#by(base, 'on'), open: true }
    if (this.#took('decreased by') || this.#took('reduced by')) {
      return { term: this.#by(base, 'off'), open: true }
    }
    return closed(base)
  }

  /** Towers ("2^3^2") group from the right. */
  #exponent(): Term {
    const base =
      this.#took('-') || this.#took('−') ? negative(this.#atom().term) : this.#atom().term
    return this.#took('^') ? power(base, this.#exponent()) : base
  }

  #seesPower(): boolean {
    const word = this.#spelling(this.#at)
    const isToPower = word === 'to' && this.#spelling(this.#at + 2) === 'power'
    return isToPower || ['^', 'squared', 'cubed', 'raised'].includes(word)
  }

  /** Words that work on what stands before them. */
  #seesChange(): boolean {
    return ['increased', 'decreased', 'reduced', 'more', 'less'].includes(this.#spelling(this.#at))
  }

  #change(base: Term, direction: 'on' | 'off'): Term {
    this.#need('by')
    return this.#by(base, direction)
  }

  #by(base: Term, direction: 'on' | 'off'): Term {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'number') throw new NoReading()
    this.#at += 1
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
    if (this.#took('(')) return closed(this.#until(')'))
    return this.#took('sqrt (') ? closed(root(this.#until(')'))) : undefined
  }

  #until(end: string): Term {
    const term = this.#sum()
    this.#need(end)
    return term
  }

  /** Operations that speech puts in front of what they work on. */
  #phrase(): Operand | undefined {
    const start = this.#at
    this.#took('the')
    this.#took('a')
    const share = this.#surcharge()
    if (share !== undefined) return share
    if (this.#took('square root of')) return opened(root(this.#reach()))
    if (this.#took('cube root of')) return opened(cubeRoot(this.#reach()))
    if (this.#took('square of')) return opened(power(this.#reach(), constant(2)))
    if (this.#took('cube of')) return opened(power(this.#reach(), constant(3)))
    if (this.#took('twice') || this.#took('double'))
      return opened(times(constant(2), this.#reach()))
    if (this.#took('triple')) return opened(times(constant(3), this.#reach()))
    if (this.#took('sum of')) return opened(this.#fold(plus))
    if (this.#took('product of')) return opened(this.#fold(times))
    if (this.#took('quotient of')) return opened(over(...this.#two()))
    if (this.#took('difference between') || this.#took('difference of')) {
      return opened(this.#difference())
    }
    if (this.#took('average of') || this.#took('mean of')) return opened(this.#average())
    this.#at = start
    return undefined
  }

  /** "a 15% tip on a $60 bill" is the tip alone. */
  #surcharge(): Operand | undefined {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'number' || token.unit !== '%') return undefined
    if (!['tip', 'tax', 'commission'].includes(wordAt(this.#tokens, this.#at + 1))) {
      return undefined
    }
    this.#at += 2
    this.#need('on')
    this.#took('a')
    const base = this.#number()
    this.#took('bill')
    return opened(times(base, percent(token.term)))
  }

  #reach(): Term {
    return this.#strict().term
  }

  /**
   * An operand that ends where it ends: a number, a group, or a phrase around one of them. A power
   * or a change behind it ("half of 90 increased by 10") could belong to the phrase or the number.
   */
  #strict(): Operand {
    const isNegative = this.#took('-') || this.#took('−') || this.#took('negative')
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

  /** Asked for "between 5 and 8" some answer 3 and some -3. */
  #difference(): Term {
    const [a, b] = this.#two()
    if (a.value < b.value) throw new NoReading()
    return minus(a, b)
  }

  /** "3 and 4", "14, 25 and 36"; an "and" must come, and ends the list. */
  #list(): readonly Term[] {
    const items = [this.#item()]
    while (this.#took(',')) {
      if (wordAt(this.#tokens, this.#at) === 'and') break
      items.push(this.#item())
    }
    this.#need('and')
    const last = this.#item()
    // "The sum of half of 10 and 4" and "of 3 and 4 squared" leave open how far the words reach.
    const isOpen = items.some(({ open }) => open)
    const isPower = last.power && !items.some(({ power }) => power)
    if (isOpen || isPower) throw new NoReading()
    return [...items, last].map(({ term }) => term)
  }

  #item(): Operand & { readonly power: boolean } {
    const start = this.#at
    const isNumber = this.#tokens[start]?.type === 'number'
    const isPower = ['squared', 'cubed'].includes(this.#spelling(start + 1))
    if (!isNumber || !isPower) return { ...this.#strict(), power: false }
    const item = { ...this.#operand(), power: true }
    if (this.#at > start + 2) throw new NoReading()
    return item
  }

  /** A number, and the words that make it part of a larger one: "of", "off", "more than". */
  #quantity(): Operand {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'number') throw new NoReading()
    this.#at += 1
    if (token.unit === '%') return opened(this.#ofPercent(percent(token.term)))
    if (token.unit === '/') return opened(times(this.#part(token.term), this.#reach()))
    if (this.#took('more than')) return opened(this.#moreThan(token.term))
    if (this.#took('less than')) return opened(minus(this.#reach(), token.term))
    return closed(token.term)
  }

  /** "How much is 12 more than 5" may ask by how much. */
  #moreThan(difference: Term): Term {
    const before = this.#at - 5
    if (this.#spelling(before) === 'much' && this.#spelling(before + 1) === 'is') {
      throw new NoReading()
    }
    return plus(this.#reach(), difference)
  }

  #part(share: Term): Term {
    this.#took('of')
    return share
  }

  #ofPercent(share: Term): Term {
    if (this.#took('of')) return times(share, this.#reach())
    if (this.#took('off')) return times(this.#reach(), rest(share, 'off'))
    if (this.#took('more than')) return times(this.#reach(), rest(share, 'on'))
    if (this.#took('less than')) return times(this.#reach(), rest(share, 'off'))
    throw new NoReading()
  }

  #number(): Term {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'number' || token.unit === '%' || token.unit === '/') throw new NoReading()
    this.#at += 1
    return token.term
  }

  #need(words: string): void {
    if (!this.#took(words)) throw new NoReading()
  }

  #took(words: string): boolean {
    const parts = words.split(' ')
    const here = parts.every((part, i) => this.#spelling(this.#at + i) === part)
    if (here) this.#at += parts.length
    return here
  }

  #spelling(at: number): string {
    return wordAt(this.#tokens, at) || markAt(this.#tokens, at)
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

function percentOf(part: Term, whole: Term): Term {
  return times(over(part, whole), constant(100))
}
