import { add, multiply, round2, subtract } from './arithmetic.ts'
import { floatText } from './text.ts'
import { PyError } from './value.ts'

type Num = bigint | number

const INVALID = 'invalid syntax (<string>, line 1)'
const ZEROS =
  'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<string>, line 1)'

/**
 * `str(round(float(eval(expression)), 2))` of an expression that has only digits, `+-*\/().` and spaces.
 * It is read here, not by a library of mathematics: an int divides, fails and grows otherwise than a
 * float, and `//` and `**` are Python's.
 * @throws PyError what the exception says
 */
export function calculate(expression: string): string {
  const value = new Expression(expression).value()
  const float = Number(value)
  if (typeof value === 'bigint' && !Number.isFinite(float)) {
    throw new PyError('int too large to convert to float')
  }
  return floatText(Number(round2(float)))
}

/** The tokens of an expression, and the grammar of Python's arithmetic over them. */
class Expression {
  readonly #tokens: readonly string[]
  #next = 0

  constructor(text: string) {
    if (text.trim() === '') throw new PyError('invalid syntax (<string>, line 0)')
    this.#tokens = text.match(/\d+\.?\d*|\.\d+|\*\*|\/\/|[-+*/().]/g) ?? []
    checkBrackets(this.#tokens)
    if (this.#tokens.some((token) => /^0\d*[1-9]\d*$/.test(token))) throw new PyError(ZEROS)
  }

  value(): Num {
    const value = this.#sum()
    if (this.#next < this.#tokens.length) throw new PyError(INVALID)
    return value
  }

  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#tokens[this.#next]
    if (token === undefined || !wanted.includes(token)) return undefined
    this.#next += 1
    return token
  }

  #sum(): Num {
    let left = this.#product()
    for (let sign = this.#take('+', '-'); sign !== undefined; sign = this.#take('+', '-')) {
      left = sign === '+' ? add(left, this.#product()) : subtract(left, this.#product())
    }
    return left
  }

  #product(): Num {
    let left = this.#signed()
    for (let sign = this.#take('*', '/', '//'); sign !== undefined;) {
      const right = this.#signed()
      if (sign === '*') left = multiply(left, right)
      else left = sign === '/' ? divide(left, right) : floorDivide(left, right)
      sign = this.#take('*', '/', '//')
    }
    return left
  }

  #signed(): Num {
    const sign = this.#take('+', '-')
    if (sign === undefined) return this.#power()
    const value = this.#signed()
    return sign === '-' ? -value : value
  }

  #power(): Num {
    const base = this.#called()
    return this.#take('**') === undefined ? base : power(base, this.#signed())
  }

  #called(): Num {
    const value = this.#atom()
    if (this.#tokens[this.#next] !== '(') return value
    throw new PyError(`'${typeof value === 'bigint' ? 'int' : 'float'}' object is not callable`)
  }

  #atom(): Num {
    if (this.#take('(') !== undefined) {
      const value = this.#sum()
      if (this.#take(')') !== undefined) return value
      throw new PyError(
        this.#tokens[this.#next] === undefined ? INVALID : INVALID.replace(' (', `${COMMA} (`),
      )
    }
    const token = this.#tokens[this.#next]
    if (token === undefined || !/\d/.test(token)) throw new PyError(INVALID)
    this.#next += 1
    return token.includes('.') ? Number(token) : BigInt(token)
  }
}

const COMMA = '. Perhaps you forgot a comma?'

function checkBrackets(tokens: readonly string[]): void {
  let open = 0
  for (const token of tokens) {
    if (token === '(') open += 1
    if (token === ')') open -= 1
    if (open < 0) throw new PyError("unmatched ')' (<string>, line 1)")
  }
  if (open > 0) throw new PyError("'(' was never closed (<string>, line 1)")
}

function divide(a: Num, b: Num): number {
  const ints = typeof a === 'bigint' && typeof b === 'bigint'
  if (Number(b) === 0) throw new PyError(ints ? 'division by zero' : 'float division by zero')
  const quotient = Number(a) / Number(b)
  if (Number.isFinite(quotient)) return quotient
  throw new PyError('integer division result too large for a float')
}

function floorDivide(a: Num, b: Num): Num {
  if (typeof a !== 'bigint' || typeof b !== 'bigint') {
    if (Number(b) === 0) throw new PyError('float floor division by zero')
    return Math.floor(Number(a) / Number(b))
  }
  if (b === 0n) throw new PyError('integer division or modulo by zero')
  const quotient = a / b
  return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient
}

function power(base: Num, exponent: Num): Num {
  const ints = typeof base === 'bigint' && typeof exponent === 'bigint'
  if (ints && exponent >= 0n) {
    // Python would compute for minutes what no float can hold.
    if (exponent > 5000n && base !== 0n && base !== 1n && base !== -1n) {
      throw new PyError('int too large to convert to float')
    }
    return base ** exponent
  }
  if (Number(base) === 0 && Number(exponent) < 0) {
    throw new PyError('0.0 cannot be raised to a negative power')
  }
  const value = Number(base) ** Number(exponent)
  if (Number.isNaN(value)) {
    throw new PyError("float() argument must be a string or a real number, not 'complex'")
  }
  if (Number.isFinite(value)) return value
  throw new PyError("(34, 'Numerical result out of range')")
}
