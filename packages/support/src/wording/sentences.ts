/**
 * What the agent says of itself, where no intent has words of its own. The first four are the
 * design's, letter by letter; the others follow them in tone.
 */
export const NO_INTENT = "I'm not sure how to help with that. Could you rephrase?"
export const MODEL_FAILED = 'Something went wrong. Please try again.'

/** An action that was cut off, of which nobody can tell whether it was done. Asked for again, it might be done twice. */
export const OUTCOME_UNKNOWN =
  "I was interrupted in the middle of that and can't tell whether it was done. Please don't ask for it again yet: a person has to look first."

export const orderNotFound = (orderId: string): string => `Sorry, I couldn't find order ${orderId}`

/** With every violation, in the policy's own words. */
export const policyViolation = (violations: readonly string[]): string =>
  `I can't process that request: ${violations.length === 0 ? 'it is not allowed' : violations.join('; ')}`

/** Said to each message that comes while a person has the conversation. */
export const WITH_A_PERSON =
  'A colleague has your conversation and reads this too. They will answer you here.'

/** A person has to allow it first. */
export const WAITS_FOR_A_PERSON =
  'A colleague has to approve that first. I have passed it on and will tell you here.'

/** What a person allowed has changed before it was done. */
export const WAITS_FOR_A_PERSON_AGAIN =
  'The order has changed since a colleague approved that. I have passed it on once more and will tell you here.'

/** Before a question that the customer answered with yes, where its order has changed meanwhile. */
export const CHANGED_SINCE = 'The order has changed meanwhile.'

/** A person said no to what waited. */
export const notApproved = (reason: string | null): string =>
  policyViolation([reason ?? 'a colleague did not approve it'])

/** The customer wants it no more. */
export const DROPPED = "All right, I'll leave it."

/** After so many questions in vain, where no person can be had. */
export const GAVE_UP =
  "I'm sorry, I couldn't work out what you need. Please write to us again with the details at hand."

/** Before a question that is asked again. */
export const NOT_UNDERSTOOD_ANSWER = "Sorry, I didn't get that."

/** A person gives the conversation back. */
export const HANDED_BACK = 'My colleague is done. What else can I do for you?'

/** Said to a person who decides where nothing waits. */
export const NOTHING_WAITS = 'Nothing waits for a decision here.'
