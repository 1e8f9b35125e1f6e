import type { Passage } from '../knowledge/knowledge.ts'
import type { SmallTalk } from '../understand/command.ts'

/**
 * The agent's own messages, used if no intent has words for it. The first four are the design's, letter by letter;
 * the others follow their tone.
 */
export const NO_INTENT = "I'm not sure how to help with that. Could you rephrase?"
export const MODEL_FAILED = 'Something went wrong. Please try again.'

/** A tool failed. The cause is in telemetry and logs, never here. */
export const TOOL_FAILED = 'Something went wrong on our side. Please try again in a moment.'

/** An interrupted action whose outcome is unknown. Repeating it might do it twice. */
export const OUTCOME_UNKNOWN =
  "I was interrupted in the middle of that and can't tell whether it was done. Please don't ask for it again yet: a person has to look first."

export const orderNotFound = (orderId: string): string => `Sorry, I couldn't find order ${orderId}`

/** Lists every violation, in the policy's own words. */
export const policyViolation = (violations: readonly string[]): string =>
  `I can't process that request: ${reasonsIn(violations)}`

/** The answer to each message while a person has the conversation. */
export const WITH_A_PERSON =
  'A colleague has your conversation and reads this too. They will answer you here.'

/** A person must approve it first. */
export const WAITS_FOR_A_PERSON =
  'A colleague has to approve that first. I have passed it on and will tell you here.'

/** Behind a confirmation of what a person must approve. */
export const APPROVED_FIRST = 'A colleague has to approve it first.'

/** An approved action changed before it was done. */
export const WAITS_FOR_A_PERSON_AGAIN =
  'The order has changed since a colleague approved that. I have passed it on once more and will tell you here.'

/** Before a confirmed question is repeated because its order has changed. */
export const CHANGED_SINCE = 'The order has changed meanwhile.'

/** A person rejected the waiting plan. */
export const notApproved = (reason: string | null): string =>
  policyViolation([reason ?? 'a colleague did not approve it'])

/** Before a confirmation that was asked for as a question. */
export const POSSIBLE = "Yes, that's possible."

/** The same, if the customer asked whether it is too late. */
export const STILL_POSSIBLE = "That's still possible."

/** A request that is only asked about. */
export const couldDo = (would: string): string => `I can ${would}.`

/** The same where a person has to approve it. */
export const withApproval = (would: string): string =>
  `I can request to ${would}; a colleague has to approve that first.`

/** To a question of yes or no. */
export const YES = 'Yes,'

export const SHALL_I_DO = 'Shall I do it?'
export const SHALL_I_REQUEST = 'Shall I request it?'

export const TELL_ME_IF = 'Tell me if you want that.'

/** Where it depends on something that is still open. */
export const TELL_ME_THEN =
  "I don't do it by myself on a condition: tell me when you want it, and I'll do it then."

/** A request that is only asked about, and that the rules refuse, perhaps only for now. */
export const notPossible = (violations: readonly string[], isLater: boolean): string =>
  `${isLater ? 'Not now' : 'No'}: ${reasonsIn(violations)}.`

/** The reason of a refusal, said once more. */
export const ruledOut = (violations: readonly string[]): string =>
  `I'm sorry: ${reasonsIn(violations)}. I can't go beyond our rules.`

/** Why a person has to approve something. */
export const becauseOf = (violations: readonly string[]): string =>
  `That is our rule: ${reasonsIn(violations)}.`

const reasonsIn = (violations: readonly string[]): string =>
  violations.length === 0 ? 'it is not allowed' : violations.join('; ')

/** Where nothing is possible for an order, or not yet. */
export const nothingNow = (id: string, status: string): string =>
  `Order ${id} is ${status}, so I can't change anything about it right now.`

export const nothingMore = (id: string): string =>
  `There is nothing more that I can do with order ${id} myself.`

/** How the answer that tells all that was done begins. */
export const ALL_DONE = 'This is all that was done in this conversation:'

/** All that was done in a conversation, in the words in which it was said. */
export const onlyDone = (done: readonly string[]): string =>
  done.length === 0
    ? "I haven't changed anything in this conversation."
    : `${ALL_DONE} ${done.join('; ')}. Nothing else was changed.`

/** Before an answer for which a promise was wanted. */
export const NO_PROMISE = "I can't promise more than what stands here."

/** Before an answer that was doubted. */
export const LOOKED_UP = 'I have just looked it up again.'
export const LOOKED_AGAIN: string = `Yes, ${LOOKED_UP}`

const yesOrNo = (isSo: boolean | null): string => (isSo === null ? '' : isSo ? 'Yes, ' : 'No, ')

/** What the calendar says of a day; `null` where it is asked, or told with a negation. */
export const weekdayChecked = (isSo: boolean | null, day: string, weekday: string): string =>
  `${yesOrNo(isSo)}${day} is a ${weekday}.`

/** The weekday of the day on which an order is expected. */
export const dayExpected = (day: string, weekday: string): string =>
  `The day expected is ${day}, a ${weekday}.`

/** Whether an order is expected up to a day that the customer names. */
export const expectedUntil = (isSo: boolean, day: string, weekday: string): string =>
  `${isSo ? 'Yes' : 'No'}, the day expected is ${day}, a ${weekday}. That is an estimate and not a promise.`

/** The orders of a time, in words, or that there is none. */
export const orderedWithin = (time: string, orders: string | null): string =>
  orders === null ? `I see no order of yours from ${time}.` : `Your orders from ${time}: ${orders}`

/** The one order that was asked for by when it was placed. */
export const orderOfPlace = (order: string): string => `That is order ${order}`

/** The day that was spoken of, where another or the same is asked back. */
export const dayChecked = (isSo: boolean, day: string, weekday: string): string =>
  `${yesOrNo(isSo)}${day}, a ${weekday}.`

/** Courtesies while a person has the conversation. */
export const GOODBYE_MEANWHILE = 'Goodbye! A colleague will answer you here.'
export const YOU_TOO_MEANWHILE = 'Thank you, you too! A colleague will answer you here.'
export const WELCOME_MEANWHILE = "You're welcome! A colleague will answer you here."

/** Why something is as it is: no data says it. */
export const NO_REASON = "I can't see the reason here."
/** The reason of a delay, as the order's data has it. */
export const theReason = (reason: string): string => `The reason: ${reason}`

/** The same where a colleague may find it out. */
export const REASON_UNKNOWN: string = `${NO_REASON} Shall I get a colleague to look into it?`

/** After a refusal, to words that ask for nothing. */
export const OFFER_COLLEAGUE =
  "I'm sorry, I can't go beyond our rules. Shall I get a colleague to look at it?"

/** The customer no longer wants it. */
export const DROPPED = "All right, I'll leave it."

/** To a yes where nothing was asked. */
export const NOTHING_ASKED =
  'All right. Nothing is waiting for a yes from you; just tell me what I can do for you.'

/** In the middle of a conversation, where a yes brings the colleague. */
export const NOT_UNDERSTOOD_OFFER =
  "I'm not sure I understand that. Can you say it in other words, or shall I get a colleague?"

/** After too many unanswered questions, if no person is available. */
export const GAVE_UP =
  "I'm sorry, I couldn't work out what you need. Please write to us again with the details at hand."

/** Before a repeated question. */
export const NOT_UNDERSTOOD_ANSWER = "Sorry, I didn't get that."

/** A question that was not answered twice: what kind of answer it takes. */
export const A_YES_OR_NO = 'A plain yes or no is enough.'
export const NAME_ONE = 'Please tell me which one it is: its number, or a thing in it.'
/** A yes to several things. */
export const SAY_WHICH = 'Please tell me which of these you want.'

/** A person returns the conversation. */
export const HANDED_BACK = 'My colleague is done. What else can I do for you?'

/** For a person who decides when nothing waits. */
export const NOTHING_WAITS = 'Nothing waits for a decision here.'

// ---- what needs no tool ----

/** Answers to small talk. None of them promises anything. */
export const SMALL_TALK_ANSWERS: Readonly<Record<Exclude<SmallTalk, 'capabilities'>, string>> = {
  greeting: 'Hello! How can I help you?',
  thanks: "You're welcome!",
  goodbye: 'Goodbye, and thank you for writing!',
  apology: 'No problem at all.',
  insult:
    "I'm sorry that this is frustrating. Tell me what you need, or say that you want a person, and I'll get a colleague.",
  praise: 'Glad to hear it. Is there anything else?',
}

/** The same before a question that is open. */
export const BESIDE_QUESTION: Readonly<Record<Exclude<SmallTalk, 'capabilities'>, string>> = {
  ...SMALL_TALK_ANSWERS,
  greeting: 'Hello!',
  goodbye: 'Before you go:',
  praise: 'Glad to hear it.',
}

/** What a customer can do here. */
export const capabilities = (names: readonly string[]): string =>
  `I'm the shop's support program, not a person. I can tell you about your orders and our rules, ${listed(names, 'and')}. What would you like to do?`

/** The likeliest readings, as a choice. */
export const whichOfThese = (names: readonly string[]): string =>
  names.length > 1
    ? `I can help with that. Would you like me to ${listed(names, 'or to')}?`
    : `I'm not sure what you mean. Would you like me to ${listed(names, 'or to')}?`

/** A problem with what was ordered was reported. */
export const SORRY = "I'm sorry about that."

/** What the rules allow for the order in question, and what else has to be said of one thing alone. */
export const canDo = (names: readonly string[], besides = ''): string =>
  `I can ${names.join(', or ')}.${besides} ${names.length > 1 ? 'Which would you like?' : 'Shall I do that?'}`

/** What a person has to approve first. */
export const onceApproved = (name: string): string => `${name}, once a colleague has approved it`

/** What the rules do not allow for it, why, and what can be done instead. */
export const cannotDo = (
  names: readonly string[],
  why: readonly string[],
  instead: string | null,
): string =>
  `I can't ${names.join(', or ')}: ${why.join('; ') || 'it is not allowed'}.${instead === null ? '' : ` ${instead}`}`

/** Behind what can be done for an order with several things. */
export const OR_ONE_OF_THEM = 'If only one of them is affected, tell me which.'

/** Asks which order a report is about. */
export const REPORT_OF_WHICH = 'Which order is it about?'

/** The thing that is told of is in none of the customer's orders. */
export const REPORT_OF_UNKNOWN =
  "I don't find that among the things you ordered with this account. Which order is it about?"

function listed(names: readonly string[], word: string): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')}, ${word} ${last}`
}

/** The customer takes back what waits for a person. */
export const WITHDRAWN = "All right, I've taken that request back: nothing will be done."

/** Behind the confirmation of what takes the place of a request that waits. */
export const REPLACES_REQUEST = 'I then take back the request for its refund, which still waits.'
/** Once that is confirmed. */
export const REPLACED = "I've taken back the request for the refund."

/** A no where nothing is open. */
export const IDLE = "All right. I'm here if you need anything."

/** The customer gives a reason before a confirmation. */
export const NOTED = 'Thank you, I see.'

/** The customer hesitates before a confirmation. */
export const HOLD = 'Take your time: nothing has been done.'

/** A part of what is open is wrong. */
export const WHAT_INSTEAD = 'Nothing has been done. What should it be instead?'

/** An order on a condition. */
export const NO_CONDITIONS =
  "I can't do anything later or on a condition. Tell me when you want it done, and I'll do it then."

/** A person is wanted in case of something that has not happened. */
export const PERSON_LATER =
  "If it is so then, write here again, and I'll get a colleague. Shall I get one now?"

/** Behind the answer that there is no telephone, where a yes brings the colleague. */
export const WHAT_ABOUT = 'What is it about? I may know it; or shall I get a colleague now?'

/** What a document says was said a moment ago. */
export const SAID_ALL = 'I know no more about that than what I just wrote.'

/** The same answer as before, where a yes brings a colleague. */
export const ALL_I_SEE = 'That is all that I see here. Shall I get a colleague to look into it?'

/** The same refusal as before. */
export const STAYS_REFUSED =
  "I'm sorry, I can't do more about that than I said. Shall I get a colleague to look at it?"

/** Before an answer of the agent, while a person has the conversation. */
export const MEANWHILE = 'A colleague has your conversation and reads this too. Meanwhile:'

/** A parcel whose contents are reported, and that has not been delivered as far as the data says. */
export const stillShown = (id: string, status: string): string =>
  `I see order ${id} as ${status}, and can't do anything about its contents while it is. Shall I get a colleague to look into it?`

/** The customer takes back that they want a person. */
export const TAKEN_BACK = "All right, I'm back. A colleague isn't needed any more."

/** A question that neither the rules nor the documents answer. */
export const NOT_KNOWN =
  "I don't know that, and I won't guess. If you like, I can get a colleague: just say that you want a person."

/** The same before a colleague is offered once more. */
export const NO_MORE_KNOWN = "I don't know more about that, and I won't guess."

/** The same where a yes brings the colleague. */
export const NOT_KNOWN_OFFER =
  "I can't answer or do that myself, and I won't guess. Shall I get a colleague who can?"

const UNKNOWN_PART = "I don't know the answer to"

/** The same of one part of a message, of which the others are answered. */
export const partNotKnown = (question: string): string =>
  `${UNKNOWN_PART} “${question.slice(0, MOST_QUOTED).replace(/[\s?.!,]+$/u, '')}”; say that you want a person, and I'll get a colleague.`

/** Characters of a question that are repeated. */
const MOST_QUOTED = 120

/** The answers of a turn: what is not known comes after what is, and before a question at the end. */
export function inOrder(texts: readonly string[], endsWithQuestion: boolean): readonly string[] {
  const isKnown = (text: string): boolean => !text.startsWith(UNKNOWN_PART)
  const end = endsWithQuestion ? texts.slice(-1) : []
  const rest = endsWithQuestion ? texts.slice(0, -1) : texts
  return [...rest.filter(isKnown), ...rest.filter((text) => !isKnown(text)), ...end]
}

/** Before the answer, where a customer is plainly upset. */
export const SYMPATHY = "I'm sorry for the trouble."

/** An answer from the rules or a document, with where it stands. */
export const fromSource = ({ text, source }: Passage): string => `${text} (From: ${source})`

/** The title of the document that an answer is from; `null` if it is from none. */
export const documentIn = (answer: string): string | null =>
  /\(From: ([^:)]{1,80})(?::[^\n]{0,200})?\)$/u.exec(answer.slice(-400))?.[1] ?? null

/** The document and the section that an answer is from; `null` if it is from none. */
export const sourceIn = (answer: string): string | null =>
  /\(From: ([^)\n]{1,200})\)/u.exec(answer)?.[1] ?? null

/** An address without its town. */
export const restOfAddress = (street: string): string =>
  `Which city, state and ZIP code is that: ${street}?`

/** Nothing was done that could be taken back. */
export const NOTHING_TO_UNDO = "I haven't done anything yet that could be undone."

/** To the wish to change an order that the carrier has. */
export const leftAlready = (id: string): string =>
  `Order ${id} has left us already, so nothing in it can be changed or cancelled any more.`

/** After what stays done, where a yes brings the colleague. */
export const LOOK_AT_IT = 'Shall I get a colleague to look at it?'

export const NOTHING_SAID_YET = "I haven't said anything yet. How can I help you?"

export const NOTHING_OF_YOURS_WAITS = 'Nothing of yours is waiting for a colleague.'

/** A plan that waits for a person. */
export const stillWaits = (name: string, orderId: string | null): string =>
  `Your request to ${name}${orderId === null ? '' : ` (${orderId})`} is still waiting for a colleague to approve it.`
