import { isRequest } from '../clauses.ts'
import { type Lesson, openersFor } from '../lesson.ts'

/** Whether a piece tells something, and asks for nothing: what it names is weighed with the plan. */
export const tells = (piece: string, lesson: Lesson): boolean =>
  STATES.test(piece) &&
  !lesson.context.intents.some(({ id }) => isRequest(piece, openersFor(lesson, id)))

/** Whether it is a remark about the thing. */
export const tellsOfIt = (said: string): boolean => TELLS_OF_IT.test(said)

/** Whether a piece tells something, and wants, keeps or limits nothing. */
export const isStory = (piece: string): boolean =>
  (STATES.test(piece) || TELLS_OF_IT.test(piece)) && !NAMES_ONE.test(piece) && !LIMITING.test(piece)

/** "The chair" may be another one than the plan's. */
const NAMES_ONE = /^(?:and |but )?(?:the|an?|that|this)\b/iu

const LIMITING =
  /\b(?:keep\p{L}*|leav\p{L}*|wait\p{L}*|rather|instead|only|just|both|except|but|not|no|never|stay\p{L}*|want|would|prefer|like|wish|cancel\p{L}*|refund\p{L}*|return\p{L}*|send|change|still|sure|maybe|half|works?|working|arrived|here|found|fixed|solved|fits?|\d+)\b|n't\b/iu

const TELLS_OF_IT =
  /^(?:(?:because|since|as|cos|cause) )?(?:(?:it|they|these|those|he|she|there)(?:'s|'re)?\b|that'?s (?:exactly )?(?:why|what) i\b)/iu

const STATES =
  /^(?:(?:because|since|as|cos|cause|and|but|so) )?(?:now )?(?:i|i'm|i've|im|ive|we|we've|my|our|the|a|an|that|this|nobody|no one|everyone|everybody|\$?\d[\d.,]*(?: dollars?| bucks)? (?:is|are|was))\b/iu
