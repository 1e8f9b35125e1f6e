import { ENDINGS, OPENINGS } from './courtesies.ts'
import { Expression } from './expression.ts'
import { constant, minus, over, percent, plus, rest, type Term, times } from '../english/term.ts'
import type { Token } from '../english/token.ts'
import { NoReading, TokenCursor } from './token-cursor.ts'

/**
 * Reads a question that is pure arithmetic, in symbols or words, or returns undefined. Every token must
 * be used. If the extent of an operation is ambiguous ("half of 90 plus 10"), there is no reading; a comma, parentheses
 * or another order resolves it.
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

class Reader {
  readonly #cursor: TokenCursor
  readonly #expression: Expression

  constructor(tokens: readonly Token[]) {
    this.#cursor = new TokenCursor(tokens)
    this.#expression = new Expression(this.#cursor)
  }

  question(): Term {
    while (OPENINGS.some((words) => this.#cursor.took(words)));
    const term = this.#shareQuestion() ?? this.#indirect()
    while (ENDINGS.some((words) => this.#cursor.took(words)));
    // "5!" is a factorial, which is not read; after a word or a bracket the mark is only an exclamation.
    if (this.#cursor.tokens[this.#cursor.at - 1]?.type !== 'number')
      while (this.#cursor.took('!') || this.#cursor.took('?'));
    if (this.#cursor.at < this.#cursor.tokens.length) throw new NoReading()
    return term
  }

  /** "Could you tell me what 3 + 4 is": the verb comes at the end. */
  #indirect(): Term {
    this.#cursor.took('what')
    return this.#steps()
  }

  /** "what percent of 80 is 20", "12 is what percent of 48". */
  #shareQuestion(): Term | undefined {
    const start = this.#cursor.at
    if (this.#cursor.took('what percent of') || this.#cursor.took('what percentage of')) {
      const whole = this.#cursor.number()
      this.#cursor.need('is')
      return percentOf(this.#cursor.number(), whole)
    }
    if (this.#cursor.took('what percentage is'))
      return percentOf(this.#cursor.number(), this.#after('of'))
    this.#cursor.at += 1
    const asks =
      this.#cursor.took('is what percent of') || this.#cursor.took('is what percentage of')
    const end = this.#cursor.at
    this.#cursor.at = start
    if (!asks) return undefined
    const part = this.#cursor.number()
    this.#cursor.at = end
    return percentOf(part, this.#cursor.number())
  }

  #after(words: string): Term {
    this.#cursor.need(words)
    return this.#cursor.number()
  }

  /** Consecutive commands ("multiply 6 by 7 and then add 8"), or a plain expression. */
  #steps(): Term {
    let result = this.#command() ?? this.#expression.sum()
    for (;;) {
      const start = this.#cursor.at
      this.#cursor.took(',')
      this.#cursor.took('and')
      this.#cursor.took('then')
      const next = this.#cursor.at > start ? this.#command(result) : undefined
      if (next === undefined) {
        this.#cursor.at = start
        return result
      }
      result = next
    }
  }

  #command(result?: Term): Term | undefined {
    if (this.#cursor.took('add'))
      return this.#added(result) ?? this.#pair(plus, ['to', 'and'], result)
    if (this.#cursor.took('subtract')) return this.#pair((a, b) => minus(b, a), ['from'], result)
    if (this.#cursor.took('multiply')) return this.#pair(times, ['by', 'and'], result)
    if (this.#cursor.took('divide')) return this.#pair(over, ['by'], result)
    if (this.#cursor.took('increase')) return this.#expression.change(this.#changed(result), 'on')
    if (this.#cursor.took('decrease') || this.#cursor.took('reduce')) {
      return this.#expression.change(this.#changed(result), 'off')
    }
    if (result === undefined && this.#cursor.took('double'))
      return times(constant(2), this.#expression.reach())
    if (result === undefined && this.#cursor.took('triple'))
      return times(constant(3), this.#expression.reach())
    return undefined
  }

  /** The operand of a change. A later command with its own number drops the result so far. */
  #changed(result: Term | undefined): Term {
    if (result === undefined) return this.#expression.reach()
    if (!this.#cursor.took('it') && !this.#cursor.took('the result')) throw new NoReading()
    return result
  }

  /** "Add 8% to 236" raises the 236 by its own 8 %. */
  #added(result: Term | undefined): Term | undefined {
    const token = this.#cursor.token
    if (token?.type !== 'number' || token.unit !== '%' || result !== undefined) return undefined
    this.#cursor.at += 1
    this.#cursor.need('to')
    return times(this.#expression.reach(), rest(percent(token.term), 'on'))
  }

  /** "add 3 to 4"; after a result also "multiply it by 4", "divide by 2", "subtract 9". */
  #pair(join: (a: Term, b: Term) => Term, links: readonly string[], result?: Term): Term {
    if (result !== undefined) {
      this.#cursor.took('it')
      this.#cursor.took('the result')
      this.#cursor.took('by')
      const by = this.#expression.reach()
      return join === plus || join === times || join === over ? join(result, by) : join(by, result)
    }
    const first = this.#expression.strict()
    const link = links.find((word) => this.#cursor.took(word))
    // "Add the sum of 3 and 4 and 5" leaves open where the list ends.
    if (link === undefined || (link === 'and' && first.open)) throw new NoReading()
    return join(first.term, this.#expression.reach())
  }
}

function percentOf(part: Term, whole: Term): Term {
  return times(over(part, whole), constant(100))
}
