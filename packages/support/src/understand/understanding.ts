import type { JsonObject } from 'echelon/runtime'

/** One request of a message. */
export interface Wish {
  readonly intentId: string
  /** The parameters that the message gives. */
  readonly params: JsonObject
  /** 0 to 1, calibrated: of readings at 0.9, nine in ten are right. */
  readonly confidence: number
}

/** The interpretation of one message, by any rung. */
export interface Understanding {
  /**
   * Its relation to the open question. `wish`: a request, new or independent; `answer`: answers the open question;
   * `correct`: changes an earlier statement ("no, the other order"); `yes`, `no`: replies to a confirmation;
   * `drop`: the customer no longer wants it; `unclear`: none of these.
   */
  readonly act: 'wish' | 'answer' | 'correct' | 'yes' | 'no' | 'drop' | 'unclear'
  /**
   * In the order of the message. For `answer` and `correct`, the first holds the new values; those after it, or
   * after a `yes`, are additional requests.
   */
  readonly wishes: readonly Wish[]
  /** The lowest confidence among its parts. */
  readonly confidence: number
  /** A short reason, for diagnostics. */
  readonly reasoning: string
}

export const NOT_UNDERSTOOD: Understanding = {
  act: 'unclear',
  wishes: [],
  confidence: 0,
  reasoning: 'no intent fits',
}
