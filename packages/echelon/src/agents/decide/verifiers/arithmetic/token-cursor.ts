import { markAt, type Token, wordAt } from '../english/token.ts'
import type { Term } from '../english/term.ts'

/** Thrown if a piece has no place; the reader of the question catches it. */
export class NoReading extends Error {}

/** A position among the tokens of a question, which advances past what is taken. */
export class TokenCursor {
  at = 0
  readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  /** The next token; undefined at the end. */
  get token(): Token | undefined {
    return this.tokens[this.at]
  }

  /** @throws NoReading unless a plain number or an amount of money comes next */
  number(): Term {
    const token = this.token
    if (token?.type !== 'number' || token.unit === '%' || token.unit === '/') throw new NoReading()
    this.at += 1
    return token.term
  }

  /** @throws NoReading unless these words come next */
  need(words: string): void {
    if (!this.took(words)) throw new NoReading()
  }

  /** Advances past these words if they come next. */
  took(words: string): boolean {
    // Most phrases differ at the start, and splitting costs more than all the rest.
    if (!words.startsWith(this.spelling(this.at))) return false
    const parts = words.split(' ')
    const here = parts.every((part, i) => this.spelling(this.at + i) === part)
    if (here) this.at += parts.length
    return here
  }

  /** The word or mark at a position; empty for others. */
  spelling(at: number): string {
    return wordAt(this.tokens, at) || markAt(this.tokens, at)
  }
}
