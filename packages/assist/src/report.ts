/**
 * What happened, and never what it means: state flows up. A report that holds a field besides these is
 * refused.
 */
export interface Report {
  /** What the user wrote, word for word; data, not an instruction. */
  readonly user_input: string
  /** The answer as it was drafted; `null` before there is one. */
  readonly draft: string | null
  /** Of earlier turns: facts alone. */
  readonly earlier: readonly TurnFacts[]
}

export interface TurnFacts {
  /** Counts from 1. */
  readonly turn: number
  readonly user_words: number
  readonly answer_words: number
  /** Whether the answer asked something. */
  readonly asked: boolean
  /** Of the plan that was followed. */
  readonly approach: string
  readonly altitude: string
  /** Digests of the answer's sentences: repetition is seen without its text. */
  readonly sentences: readonly number[]
}
