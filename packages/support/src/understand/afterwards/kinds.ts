/**
 * What a message may mean after an answer, a refusal, something done, or something that waits, and nowhere else.
 * Each is learned from examples of its own (`follow_ups` of the intents file).
 */
export const FOLLOW_UPS = [
  /** Objects to a refusal, or asks for its reason or for an exception. */
  'why',
  /** Asks what can be done now. */
  'options',
  /** Asks what the customer has to do, or give. */
  'my_part',
  /** Asks whether anything else was changed. */
  'untouched',
  /** Asks when the money is there. */
  'money_when',
  /** Asks when a colleague decides or answers. */
  'decision_when',
  /** Asks what comes if a colleague refuses what waits. */
  'declined',
  /** Wants back what was cancelled or done. */
  'reopen',
  /** Wants it to arrive sooner. */
  'sooner',
  /** Doubts an answer. */
  'sure',
  /** Says that the money has not come, or too late. */
  'money_missing',
  /** Asks whether something has to be sent back. */
  'send_back',
  /** Asks what sending back costs. */
  'return_cost',
  /** Misses the label of a return, or the mail with it. */
  'no_label',
  /** Asks whether somebody calls. */
  'call',
  /** Asks what to do if it arrives after all. */
  'turns_up',
  /** Asks how to order anew. */
  'order_again',
  /** Asks for what is left, after a part was refunded. */
  'rest',
  /** Takes back the wish for a person who has the conversation. */
  'no_person',
  /** Still waits for that person, or tells something more. */
  'still_person',
  /** Accepts, and asks for nothing. */
  'accepts',
] as const

export type FollowUp = (typeof FOLLOW_UPS)[number]

/** What customers say, by what it means. */
export type FollowUpExamples = Readonly<Partial<Record<FollowUp, readonly string[]>>>
