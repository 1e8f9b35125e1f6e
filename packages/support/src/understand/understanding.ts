import type { JsonObject } from 'echelon/runtime'

/** One thing that a message asks for. */
export interface Wish {
  readonly intentId: string
  /** What the message says of its parameters. */
  readonly params: JsonObject
  /** 0 to 1, calibrated: of readings with 0.9, nine of ten are right. */
  readonly confidence: number
}

/** What one message was taken to mean, by whichever rung read it. */
export interface Understanding {
  /**
   * How it stands to what was asked before. `wish`: it asks for something, new or in its own right;
   * `answer`: it answers the open question; `correct`: it changes what was said before ("no, the
   * other order"); `yes`, `no`: to a question whether to go on; `drop`: the customer wants it no more;
   * `unclear`: none of these.
   */
  readonly act: 'wish' | 'answer' | 'correct' | 'yes' | 'no' | 'drop' | 'unclear'
  /**
   * In the order in which they were said. For `answer` and `correct` the first holds what is new; what
   * follows it, or a `yes`, is asked for besides.
   */
  readonly wishes: readonly Wish[]
  /** The least sure of what it holds. */
  readonly confidence: number
  /** Why, in a few words, for whoever asks. */
  readonly reasoning: string
}

export const NOT_UNDERSTOOD: Understanding = {
  act: 'unclear',
  wishes: [],
  confidence: 0,
  reasoning: 'no intent fits',
}
