import { doubtOfYes } from '../../../dialogue/veto.ts'
import { readAs, type Reading } from '../../command.ts'
import { replyOf } from '../../phrases.ts'
import { isWeak } from '../agrees.ts'
import type { Asked } from '../asked.ts'
import { subjectsIn } from '../plain-reply.ts'

/**
 * "Yes, I would like the 34 dollars back": a plain yes first, and the act in the customer's own words. Whether those
 * words are of the plan is weighed with the plan.
 */
export function yesFirst(text: string, { about }: Asked): Reading | null {
  const [, yes = '', rest = ''] = YES.exec(text) ?? []
  if (yes === '' || text.includes('?') || doubtOfYes(text) !== null) return null
  const [wish = '', ...told] = rest.split(CLAUSE)
  const isWish = WANTED.get(about)?.test(wish) === true
  const isOther = subjectsIn(rest).some((subject) => subject !== about)
  if (!isWish || isOther || !told.every((clause) => TELLS.test(clause))) return null
  return readAs([{ type: 'confirm', said: text }], 'it says yes, and to what')
}

/** Whether only a courtesy stands before a question in one sentence: "ok and when would the money come?" */
export const leadsIn = (said: string, question: string): boolean =>
  question !== '' &&
  isWeak(said) &&
  replyOf(said) !== null &&
  !/[.!]\W*$/u.test(said) &&
  !HAS_IT_DONE.test(question)

/** "Then have your colleague approve it" is an order. */
const HAS_IT_DONE =
  /^\W*(?:(?:then|and|so)\s+)?have (?:your|a|the|my|him|her|them|someone)\b[^?]*$/iu

const YES =
  /^\W*(?:(?:oh|ah|ok|okay|well)[\s,]+)?(yes|yeah|yep|yup|of course|absolutely|definitely)\b[\s,.!-]*(?:please\b[\s,.!-]*)?(.*)$/isu

const CLAUSE = /[.,;!]+\s+|\s+(?:because|since|as|cause|cos)\s+/iu

/** The act that is open, wanted in other words. */
const WANTED: ReadonlyMap<string, RegExp> = new Map([
  ['refund', /^i(?:'d| would)? (?:like|want|love) (?:the|my|that) (?:[\p{L}\d$.,]+ ){1,4}back\b/iu],
  ['return', /^i(?:'d| would)? (?:like|want|love) to (?:send|give|ship) (?:it|them|that) back\b/iu],
  [
    'hand',
    /^i(?:'d| would)? (?:like|want|love|need) (?:to (?:talk|speak) (?:to|with) )?an? (?:real )?(?:person|human|colleague)\b/iu,
  ],
])

/** What is told of the thing, or of the customer. */
const TELLS =
  /^(?:and |but )?(?:it|its|it's|they|they're|there|i(?:'m| am| have|'ve| need| was)?|we|my|our|this|that|thanks?|thank you|cheers|please)\b/iu
