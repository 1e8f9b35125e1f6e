import type { NumberToken, Sign, Token } from '../text/token.ts'

/** A number or a group in parentheses, as one operand of a calculation. */
export type Operand = (
  | { readonly type: 'number'; readonly token: NumberToken }
  | { readonly type: 'group'; readonly group: Expression }
) & {
  readonly isNegative: boolean
  /** The words behind it, such as `pens`; empty if there are none. */
  readonly unit: string
}

/** A calculation as it is written: operands with the signs between them, without precedence. */
export interface Expression {
  readonly operands: readonly Operand[]
  /** One less than the operands. */
  readonly signs: readonly Sign[]
  /** Whether something that could not be read follows, such as `+ the rest`. */
  readonly isOpen: boolean
}

/** Levels of parentheses, and operands of one expression, that are read. */
const DEEPEST = 8
const MOST_OPERANDS = 60
/** Words of a unit, such as `units per floor`. */
const MOST_UNIT_WORDS = 4

const SPOKEN: Readonly<Record<string, Sign>> = {
  x: '*',
  times: '*',
  plus: '+',
  minus: '-',
}
const SPOKEN_BY: Readonly<Record<string, Sign>> = { multiplied: '*', divided: '/' }

/** Words for a part, which are multiplied by what they are a part of: "half of 40". */
const PARTS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  half: [1n, 2n],
  'one-half': [1n, 2n],
  third: [1n, 3n],
  'one-third': [1n, 3n],
  'two-thirds': [2n, 3n],
  quarter: [1n, 4n],
  'one-quarter': [1n, 4n],
  'one-fourth': [1n, 4n],
  'three-quarters': [3n, 4n],
  'three-fourths': [3n, 4n],
  'one-fifth': [1n, 5n],
}

/** Reads expressions from tokens. Each method moves `at` past what it has read. */
export class ExpressionReader {
  at = 0
  readonly #tokens: readonly Token[]
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** Moves nowhere and returns undefined if no expression begins here. */
  expression(): Expression | undefined {
    const first = this.#operand()
    if (first === undefined) return undefined
    const operands = [first]
    const signs: Sign[] = []
    for (;;) {
      const before = this.at
      const sign = this.#sign(operands.at(-1) ?? first, signs.at(-1))
      const next = sign === undefined ? undefined : (this.#divisor(sign) ?? this.#operand())
      if (sign === undefined || next === undefined || operands.length === MOST_OPERANDS) {
        this.at = before
        return { operands, signs, isOpen: sign !== undefined }
      }
      operands.push(next)
      signs.push(sign)
    }
  }

  /** The `1/6` of `4 / 1/6`: a fraction without blanks behind a sign with blanks. */
  #divisor(sign: Sign): Operand | undefined {
    const [before, top, line, bottom] = [-1, 0, 1, 2].map((step) => this.#tokens[this.at + step])
    if (sign !== '/' || top?.type !== 'number' || bottom?.type !== 'number') return undefined
    if (line?.type !== 'sign' || line.sign !== '/' || before?.end === top.start) return undefined
    if (line.start !== top.end || line.end !== bottom.start) return undefined
    this.at += 3
    const operands = [top, bottom].map((token) => ({
      type: 'number' as const,
      token,
      isNegative: false,
      unit: '',
    }))
    const group: Expression = { operands, signs: ['/'], isOpen: false }
    return { type: 'group', group, isNegative: false, unit: this.#unit() }
  }

  #operand(): Operand | undefined {
    const start = this.at
    const isNegative = this.#takeSign('-')
    if (!isNegative) this.#takeSign('+')
    const operand = this.#part() ?? this.#number() ?? this.#group()
    if (operand === undefined || this.#seesVariable()) {
      this.at = start
      return undefined
    }
    return { ...operand, isNegative, unit: this.#unit() }
  }

  #part(): Pick<Operand & { type: 'number' }, 'type' | 'token'> | undefined {
    const token = this.#tokens[this.at]
    const article = token?.type === 'word' && token.word === 'a' ? 1 : 0
    const word = this.#tokens[this.at + article]
    const of = this.#wordAt(this.at + article + 1)
    if (word?.type !== 'word' || of !== 'of') return undefined
    const part = Object.hasOwn(PARTS, word.word) ? PARTS[word.word] : undefined
    if (part === undefined) return undefined
    const [n, d] = part
    this.at += article + 1
    const { start, end } = word
    const form = { decimals: 0, isPercent: false, isMoney: false }
    return {
      type: 'number',
      token: { type: 'number', value: { n, d }, ...form, start, end },
    }
  }

  #number(): Pick<Operand & { type: 'number' }, 'type' | 'token'> | undefined {
    const token = this.#tokens[this.at]
    if (token?.type !== 'number') return undefined
    this.at++
    return { type: 'number', token }
  }

  #group(): Pick<Operand & { type: 'group' }, 'type' | 'group'> | undefined {
    if (this.#tokens[this.at]?.type !== 'open' || this.#depth === DEEPEST) return undefined
    this.#depth++
    this.at++
    const group = this.expression()
    this.#depth--
    if (group === undefined || this.#tokens[this.at]?.type !== 'close') return undefined
    this.at++
    return { type: 'group', group }
  }

  /** A letter right behind a number, as in `2y`: algebra, which is not recomputed. */
  #seesVariable(): boolean {
    const [last, next] = [this.#tokens[this.at - 1], this.#tokens[this.at]]
    return next?.type === 'word' && /^[a-z]$/.test(next.word) && next.start === last?.end
  }

  /** Words are a unit only if the calculation goes on behind them. */
  #unit(): string {
    const start = this.at
    let at = this.#pastNote(start)
    const words: string[] = []
    while (words.length < MOST_UNIT_WORDS) {
      const token = this.#tokens[at]
      const isPer = token?.type === 'sign' && token.sign === '/'
      const word = this.#wordAt(isPer ? at + 1 : at)
      if (word === undefined || isJoint(word)) break
      words.push(word)
      at += isPer ? 2 : 1
    }
    at = this.#pastNote(at)
    if (!this.#goesOn(at)) return ''
    this.at = at
    return words.join(' ')
  }

  /** Past a note in parentheses, as in `5 (green) + 10 (2 blue ones)`. */
  #pastNote(start: number): number {
    if (this.#tokens[start]?.type !== 'open') return start
    const first = this.#tokens[start + 1]?.type === 'number' ? start + 2 : start + 1
    let at = first
    while (at < first + MOST_UNIT_WORDS && this.#tokens[at]?.type === 'word') at++
    return at > first && this.#tokens[at]?.type === 'close' ? at + 1 : start
  }

  #goesOn(at: number): boolean {
    const token = this.#tokens[at]
    if (token === undefined) return false
    if (token.type === 'word') return isJoint(token.word)
    return token.type === 'sign' || token.type === 'equals' || token.type === 'close'
  }

  #sign(left: Operand, before: Sign | undefined): Sign | undefined {
    const token = this.#tokens[this.at]
    if (token?.type === 'sign') {
      this.at++
      return token.sign
    }
    if (token?.type === 'open') {
      // `2(3 + 4)`, not "the 7 (3 + 4) eggs"
      return token.start === this.#tokens[this.at - 1]?.end ? '*' : undefined
    }
    return token?.type === 'word' ? this.#spokenSign(token.word, left, before) : undefined
  }

  #spokenSign(word: string, left: Operand, before: Sign | undefined): Sign | undefined {
    if (Object.hasOwn(SPOKEN, word)) {
      this.at++
      return SPOKEN[word]
    }
    if (Object.hasOwn(SPOKEN_BY, word) && this.#wordAt(this.at + 1) === 'by') {
      this.at += 2
      return SPOKEN_BY[word]
    }
    if (word !== 'of' || !isShare(left, before)) return undefined
    this.at++
    this.#skipDescription()
    return '*'
  }

  /** "half of the remaining 12", but not "half of her age is 12" */
  #skipDescription(): void {
    let at = this.at
    while (DESCRIPTIONS.has(this.#wordAt(at) ?? '')) at++
    if (this.#tokens[at]?.type === 'number') this.at = at
  }

  #takeSign(sign: Sign): boolean {
    const token = this.#tokens[this.at]
    if (token?.type !== 'sign' || token.sign !== sign) return false
    this.at++
    return true
  }

  #wordAt(at: number): string | undefined {
    const token = this.#tokens[at]
    return token?.type === 'word' ? token.word : undefined
  }
}

/** Whether "of" multiplies the operand before it: `20%`, `1/2`, `.5`. */
function isShare(left: Operand, before: Sign | undefined): boolean {
  if (left.type === 'group') return left.group.signs[0] === '/'
  const { value, isPercent, isMoney } = left.token
  return isPercent || before === '/' || (!isMoney && value.n < value.d)
}

/** Words between "of" and the number that it speaks of. */
const DESCRIPTIONS = new Set(
  'a the this that these those his her its their our your my total other first last original remaining initial entire whole'.split(
    ' ',
  ),
)

/** Words between an operand and what follows it. */
const JOINTS = new Set([
  ...Object.keys(SPOKEN),
  ...Object.keys(SPOKEN_BY),
  'of',
  'is',
  'are',
  'equals',
  'equal',
  'gives',
  'makes',
  'which',
  'that',
])

const isJoint = (word: string): boolean => JOINTS.has(word)
