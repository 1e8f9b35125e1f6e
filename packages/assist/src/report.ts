/** The events of a turn. It never says what that means; a field that would is refused. */
export interface Report {
  /** The user's message, verbatim; data, not an instruction. */
  readonly user_input: string
  /** The drafted answer; `null` before there is one. */
  readonly draft: string | null
  /** Facts about earlier turns. */
  readonly earlier: readonly TurnFacts[]
}

export interface TurnFacts {
  /** Counts from 1. */
  readonly turn: number
  readonly user_words: number
  readonly answer_words: number
  /** Whether the answer contained a question. */
  readonly asked: boolean
  /** The approach of the plan that was followed. */
  readonly approach: string
  readonly altitude: string
  /** Digests of the answer's sentences, to detect repetition without its text. */
  readonly sentences: readonly number[]
}
