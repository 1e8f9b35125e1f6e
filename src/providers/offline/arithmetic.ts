import {
  apart,
  type Expression,
  literal,
  minus,
  negative,
  over,
  percentOf,
  plus,
  power,
  squareRoot,
  times,
  total,
} from './expression.ts'
import type { Marked } from './numbers.ts'

/** Words around a calculation that carry no meaning of their own. */
const LEAD =
  /^(?:please|can you|could you|would you|tell me|help me|i want to know|what(?: is|'s|s| are| does| do)|(?:how much|how many)(?: is| are| does| do| items are| eggs are)?(?: in| there in)?|calculate|compute|evaluate|solve|work out|find(?: out)?|figure out|give me|(?:you|i) get (?:if|when) (?:you|i)|(?:the )?(?:result|value|answer)(?: of| to)?)(?: |: ?)/
/** No two of its words begin alike, and none begins within it: else it takes for ever to fail. */
const TAIL =
  /(?<![?.!= ])(?:,(?= ?please)|\bplease\b|\bequals?\b|\bequal to\b|\bmake\b|\bcome to\b|[?.!= ])+$/

/** What is asked, without "please tell me what … is?" around it. */
export function bareQuestion(text: string): string {
  const bare = text.replace(TAIL, '').replace(LEAD, '')
  return bare === text ? bare : bareQuestion(bare)
}

/** Words that stand between two numbers, and the sign that they mean. Longer ones first. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\bmultiplied by\b|\btimes\b/g, '*'],
  [/\bdivided by\b/g, '/'],
  [/\bplus\b|\badded to\b/g, '+'],
  [/\bminus\b/g, '-'],
  [/\b(?:raised )?to the power(?: of)?\b|\*\*/g, '^'],
  [/\bsquared\b/g, '^²'],
  [/\bcubed\b/g, '^³'],
  [/\b(?:the )?square root of\b|\bsqrt\b/g, 'root'],
  [/\b(?:the )?(sum|product|difference|quotient|average|mean) (?:of|between)\b/g, '$1'],
  [/(?<=#\d+) dollars?\b/g, ''],
]

/** Orders that put the sign in front: "subtract 3 from 10". */
const ORDERS: readonly (readonly [RegExp, string])[] = [
  [/^add (.+) (?:and|to) (.+)$/, '($1)+($2)'],
  [/^subtract (.+) from (.+)$/, '($2)-($1)'],
  [/^take (?:away )?(\S+)(?: away)? from (\S+)$/, '($2)-($1)'],
  [/^(\S+) subtracted from (\S+)$/, '($2)-($1)'],
  [/^multiply (.+) (?:by|and) (.+)$/, '($1)*($2)'],
  [/^divide (.+) by (.+)$/, '($1)/($2)'],
]

const MOST_TOKENS = 200

/** How a calculation may be worded: `percent` adds "15% of 80". */
export interface Dialect {
  readonly percent: boolean
}

/**
 * Reads a calculation that is the entire question, in symbols or in words. Undefined when a single
 * word is left over, when nothing is to be calculated, and when words leave the order of operations
 * open ("half of 90 plus 10").
 */
export function readArithmetic(question: Marked, dialect: Dialect): Expression | undefined {
  let text = bareQuestion(question.text)
  for (const [worded, sign] of [...SIGNS, ...ORDERS]) text = text.replace(worded, sign)
  const tokens: readonly string[] = text.match(/#\d+|[a-z]+|\S/g) ?? []
  if (tokens.length > MOST_TOKENS) return undefined
  const parser = new Parser(tokens, question.numbers, dialect)
  const result = parser.sum()
  const nothingToDo = result?.rank === 4 && !tokens.includes('root')
  return parser.atEnd && !nothingToDo ? result : undefined
}

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
}

const ON_ONE: Readonly<Record<string, (item: Expression) => Expression>> = {
  root: squareRoot,
  double: (item) => times(literal('2'), item),
  triple: (item) => times(literal('3'), item),
  halve: (item) => over(item, literal('2')),
}

/** The mean of at least two. */
function average(items: readonly Expression[]): Expression | undefined {
  const sum = total(items)
  return sum && items.length > 1 ? over(sum, literal(String(items.length))) : undefined
}

/** Recursive descent; every method answers undefined for what it cannot read. */
class Parser {
  readonly #tokens: readonly string[]
  readonly #numbers: readonly Expression[]
  readonly #dialect: Dialect
  #at = 0
  constructor(tokens: readonly string[], numbers: readonly Expression[], dialect: Dialect) {
    this.#tokens = tokens
    this.#numbers = numbers
    this.#dialect = dialect
  }

  get atEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  sum(): Expression | undefined {
    return this.#chain(() => this.#product(), { '+': plus, '-': minus })
  }

  #product(): Expression | undefined {
    return this.#chain(() => this.#signed(), { '*': times, '/': over })
  }

  #signed(): Expression | undefined {
    if (!this.#take('-')) return this.#raised()
    const operand = this.#signed()
    return operand && negative(operand)
  }

  #raised(): Expression | undefined {
    const base = this.#single()
    if (base === undefined || !this.#take('^')) return base
    if (this.#take('²')) return power(base, literal('2'))
    if (this.#take('³')) return power(base, literal('3'))
    const exponent = this.#signed()
    return exponent && power(base, exponent)
  }

  #single(): Expression | undefined {
    const token = this.#tokens[this.#at++]
    if (token === undefined) return undefined
    if (token === '(') return this.#closed()
    if (token.startsWith('#')) return this.#number(this.#numbers[Number(token.slice(1))])
    const onOne = own(ON_ONE, token)
    if (onOne) return this.#onOne(onOne)
    const overList = own(OVER_LISTS, token)
    return overList && this.#worded(overList(this.#list()))
  }

  #closed(): Expression | undefined {
    const inner = this.sum()
    return this.#take(')') ? inner : undefined
  }

  /** A number, or a share of what follows: "half of 90", "15 percent of 80". */
  #number(number: Expression | undefined): Expression | undefined {
    const percent = this.#dialect.percent && this.#take('percent')
    if (number === undefined || !this.#take('of')) return percent ? undefined : number
    if (!percent && number.rank === 4) return undefined
    const whole = this.#single()
    return this.#worded(whole && (percent ? percentOf(number, whole) : times(whole, number)))
  }

  #onOne(apply: (item: Expression) => Expression): Expression | undefined {
    const bracketed = this.#tokens[this.#at] === '('
    const item = this.#single()
    const result = item && apply(item)
    return bracketed ? result : this.#worded(result)
  }

  #list(): readonly Expression[] {
    const items: Expression[] = []
    do {
      const item = this.#single()
      if (item === undefined) return []
      items.push(item)
    } while (this.#take(',') ? (this.#take('and'), true) : this.#take('and'))
    return items.length > 1 ? items : []
  }

  /** "Half of 90 plus 10" has two readings: nothing may follow what words put in front. */
  #worded(result: Expression | undefined): Expression | undefined {
    return /^[-+*/^]$/.test(this.#tokens[this.#at] ?? '') ? undefined : result
  }

  #chain(
    operand: () => Expression | undefined,
    operations: Readonly<Record<string, Operation>>,
  ): Expression | undefined {
    let left = operand()
    while (left !== undefined) {
      const operation = own(operations, this.#tokens[this.#at] ?? '')
      if (operation === undefined) return left
      this.#at++
      const right = operand()
      left = right && operation(left, right)
    }
    return undefined
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at++
    return true
  }
}

/** Only what the table itself holds: "constructor" is not a word of arithmetic. */
function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
