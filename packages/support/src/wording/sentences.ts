/**
 * The agent's own messages, used if no intent has words for it. The first four are the design's, letter by letter;
 * the others follow their tone.
 */
export const NO_INTENT = "I'm not sure how to help with that. Could you rephrase?"
export const MODEL_FAILED = 'Something went wrong. Please try again.'

/** An interrupted action whose outcome is unknown. Repeating it might do it twice. */
export const OUTCOME_UNKNOWN =
  "I was interrupted in the middle of that and can't tell whether it was done. Please don't ask for it again yet: a person has to look first."

export const orderNotFound = (orderId: string): string => `Sorry, I couldn't find order ${orderId}`

/** Lists every violation, in the policy's own words. */
export const policyViolation = (violations: readonly string[]): string =>
  `I can't process that request: ${violations.length === 0 ? 'it is not allowed' : violations.join('; ')}`

/** The answer to each message while a person has the conversation. */
export const WITH_A_PERSON =
  'A colleague has your conversation and reads this too. They will answer you here.'

/** A person must approve it first. */
export const WAITS_FOR_A_PERSON =
  'A colleague has to approve that first. I have passed it on and will tell you here.'

/** An approved action changed before it was done. */
export const WAITS_FOR_A_PERSON_AGAIN =
  'The order has changed since a colleague approved that. I have passed it on once more and will tell you here.'

/** Before a confirmed question is repeated because its order has changed. */
export const CHANGED_SINCE = 'The order has changed meanwhile.'

/** A person rejected the waiting plan. */
export const notApproved = (reason: string | null): string =>
  policyViolation([reason ?? 'a colleague did not approve it'])

/** The customer no longer wants it. */
export const DROPPED = "All right, I'll leave it."

/** After too many unanswered questions, if no person is available. */
export const GAVE_UP =
  "I'm sorry, I couldn't work out what you need. Please write to us again with the details at hand."

/** Before a repeated question. */
export const NOT_UNDERSTOOD_ANSWER = "Sorry, I didn't get that."

/** A person returns the conversation. */
export const HANDED_BACK = 'My colleague is done. What else can I do for you?'

/** For a person who decides when nothing waits. */
export const NOTHING_WAITS = 'Nothing waits for a decision here.'
