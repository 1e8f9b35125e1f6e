import { markAt, type Token, wordAt } from '../english/token.ts'
import type { Term } from '../english/term.ts'

/** Thrown where a piece has no place; who reads a question catches it. */
export class NoReading extends Error {}

/** A place among the tokens of a question, which moves on with what is taken. */
export class TokenCursor {
  at = 0
  readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  /** The one that comes next; undefined at the end. */
  get token(): Token | undefined {
    return this.tokens[this.at]
  }

  /** @throws NoReading where no plain number or amount of money comes next */
  number(): Term {
    const token = this.token
    if (token?.type !== 'number' || token.unit === '%' || token.unit === '/') throw new NoReading()
    this.at += 1
    return token.term
  }

  /** @throws NoReading where these words do not come next */
  need(words: string): void {
    if (!this.took(words)) throw new NoReading()
  }

  /** Moves on behind these words, if they come next. */
  took(words: string): boolean {
    // Most words differ at the start, and splitting costs more than all the rest.
    if (!words.startsWith(this.spelling(this.at))) return false
    const parts = words.split(' ')
    const here = parts.every((part, i) => this.spelling(this.at + i) === part)
    if (here) this.at += parts.length
    return here
  }

  /** The word or mark at a place; empty for others. */
  spelling(at: number): string {
    return wordAt(this.tokens, at) || markAt(this.tokens, at)
  }
}
