import { asks, clausesOf, isRequest } from './clauses.ts'
import { BY_RULE, type Command, lowest, readAs, type Reading, type StartTask } from './command.ts'
import type { Topic } from '../intents-registry.ts'
import type { FollowUp } from './afterwards/kinds.ts'
import { CERTAIN, LEAST, type Lesson, openersFor, SURE } from './lesson.ts'
import { thingsIn, wishesOf } from './read-wishes.ts'
import { isOfChanges } from './topics/change-words.ts'
import { SECTIONS } from '../knowledge/known-sections.ts'

export { asks } from './clauses.ts'

/** The label of what neither data nor documents answer. */
export const BEYOND = '!'
/** The label of questions that documents answer. */
export const QUESTION = '?'

/** The label of what asks for nothing. */
export const IDLE = '.'

/** The label of a subject of the documents. */
export const topicLabel = ({ ask }: Topic): string => `${QUESTION}${ask}`

/** Whether a label is of what documents answer. */
export const isOfDocuments = (label: string | null): boolean => label?.startsWith(QUESTION) === true

/** A question for the documents: that of its subject, if it has one of those that are known. */
export function documentQuestion(said: string, label: string | null, lesson: Lesson): Question {
  const topic = lesson.topics.find((one) => topicLabel(one) === label)
  return topic === undefined
    ? { type: 'ask-knowledge', question: said }
    : { type: 'ask-knowledge', question: topic.ask, offer: topic.offer }
}

/** Whether a question is of a subject for which something else can be done. */
const offersWays = (question: string, lesson: Lesson): boolean => {
  const { label } = lesson.classifier.classify(question)
  return (documentQuestion(question, label, lesson).offer ?? []).length > 0
}

type Question = Extract<Command, { readonly type: 'ask-knowledge' }>

/** Fewer words are a piece of something. */
const LEAST_WORDS = 3

/** More questions in one message are left to the next. */
const MOST_QUESTIONS = 3

/** Whether a text asks something in any of its clauses. */
export const asksAnywhere = (text: string): boolean =>
  text.includes('?') || clausesOf(text).some(asks)

/** Requests, and questions for the documents, that stand side by side in one message. */
export interface Parts {
  readonly commands: readonly Command[]
  readonly confidence: number
}

/**
 * Takes a message apart that holds a question for the documents beside something else: "where is my lamp, and what
 * does a return cost?" is both. `null` if it holds only one thing.
 */
export function partsOf(text: string, lesson: Lesson): Parts | null {
  const clauses = withoutFiller(clausesOf(text), lesson)
  const questions = clauses
    .filter((clause) => asks(clause) && !isRhetorical(clause) && isQuestion(clause, lesson))
    .slice(0, MOST_QUESTIONS)
  if (questions.length === 0 || clauses.length === 1) return null
  const rest = clauses.filter((clause) => !questions.includes(clause)).join(', ')
  const isOffering = questions.some((question) => offersWays(question, lesson))
  // "The shoes I bought yesterday are too small, can you change that?" does not ask where they are.
  const wishes = aboutOwnThings(sureWishes(rest, lesson), rest, lesson).filter(
    ({ intentId }) => !isOffering || isRequest(rest, openersFor(lesson, intentId)),
  )
  const [first] = questions
  // "I want to track it, how do I do that?" asks for nothing besides.
  const isAlone = wishes.length === 0 && questions.length === 1
  const isOfReport = !isOffering && isShort(first ?? '') && isReport(rest, lesson)
  // "It's nice, but too dark. Can I exchange it?" asks it first, whatever is reported.
  const isPlain = isOffering && isOfChanges(first ?? '')
  if (isAlone && !isPlain && (isOfReport || !isSure(first ?? '', lesson))) return null
  const asked = questions.map((question): Command => {
    const { label } = lesson.classifier.classify(question)
    const isBeyond = label === BEYOND
    return { ...documentQuestion(question, label, lesson), ...(isBeyond && { isBeyond }) }
  })
  return { commands: [...wishes, ...asked], confidence: Math.min(BY_RULE, lowest(wishes)) }
}

/** The pieces of a message without those that only ask how what is said beside them goes on. */
const withoutFiller = (clauses: readonly string[], lesson: Lesson): readonly string[] => {
  const rest = clauses.filter((clause) => !FILLER.test(clause) && !asksForOptions(clause, lesson))
  return rest.length === 0 ? clauses : rest
}

/** "What are my options?" asks what can be done about what is said beside it. */
export function asksForOptions(clause: string, { followUps }: Lesson): boolean {
  const { label = null, confidence = 0 } = followUps?.classify(clause) ?? {}
  return label === OPTIONS && confidence >= CERTAIN && asks(clause)
}

const OPTIONS: FollowUp = 'options'

/** "How does that work?", "what can you do for me": nothing of its own is asked. */
const FILLER =
  /^\W*(?:(?:so|and|but|ok|okay|please|or|then|now)[\s,]+)*(?:(?:how|where) (?:does|would|do|will|can|could) (?:that|this|it|i|we|you|one)(?: (?:best|usually|then|all))? (?:work|go|do (?:that|this|it)|help|go about (?:it|that|this))|what (?:can|could|do|would|will) (?:you|we|u) (?:do|offer|suggest|propose|recommend)|is (?:that|this|it) (?:possible|ok|okay|doable|fine|all right|alright)|would (?:that|this|it) be (?:possible|ok|okay|fine|all right|alright)|(?:can|could|would) (?:you|u) (?:do|manage|arrange|help(?: me)?(?: with)?|sort) ?(?:that|this|it)?|sorry (?:for|about) \p{L}[\p{L} ]{0,40})(?: (?:for (?:me|us)|about (?:that|this|it)|here|with (?:that|this|it)|now|then|exactly|please))*\W*$/iu

/**
 * A question that documents answer, whatever it names besides: an item, an order, "my". `null` unless the classifier
 * is sure of the whole text, and for what can be done about an order instead.
 */
export function documentsAsked(text: string, lesson: Lesson): Command | null {
  const { label, confidence } = lesson.classifier.classify(text)
  if (!isOfDocuments(label)) return null
  if (confidence < (asksAnywhere(text) ? SURE : SURE_OF_STATEMENT)) return null
  const question = documentQuestion(text, label, lesson)
  if ((question.offer ?? []).length > 0) return null
  const parts = partsOf(text, lesson)
  return parts !== null && parts.commands.length > 1 ? null : question
}

/** Confidence at which a statement asks for what documents say. */
export const SURE_OF_STATEMENT = 0.8

/** "Where is my shirt, and is the mug safe in an oven?": the request is about the shirt. */
const aboutOwnThings = (
  wishes: readonly StartTask[],
  rest: string,
  lesson: Lesson,
): readonly StartTask[] =>
  thingsIn(rest, lesson).length === 0
    ? wishes
    : wishes.map((wish) => (wish.said === undefined ? { ...wish, said: rest } : wish))

/** The requests of a text, or its questions: what may follow a yes or a no. */
export function requestsIn(text: string, lesson: Lesson): readonly Command[] {
  const parts = partsOf(text, lesson)
  if (parts !== null) return parts.commands
  const wishes = sureWishes(text, lesson)
  if (wishes.length > 0) return wishes
  const { label } = lesson.classifier.classify(text)
  return isSaid(text) && isQuestion(text, lesson) ? [documentQuestion(text, label, lesson)] : []
}

/** Whether it is more than a piece such as "yes both". */
export const isSaid = (text: string): boolean =>
  text.includes('?') || text.trim().split(/\s+/).length >= LEAST_WORDS

/** Requests that are sure enough to change the subject. */
const sureWishes = (text: string, lesson: Lesson): readonly StartTask[] =>
  wishesOf(text, lesson).filter(({ confidence }) => confidence >= SURE)

/** Questions that nothing here answers: "what are you people doing?"; and pieces of one, such as "can I". */
const isRhetorical = (clause: string): boolean =>
  clause.split(/\s+/).length < LEAST_WORDS || RHETORICAL.test(clause)

const RHETORICAL =
  /\bwhat (?:on earth |in the world |exactly )?(?:are|were) (?:you|u|they)(?: guys| people| lot| all)?(?: even)? (?:doing|thinking|playing at|up to)\b|\bwhat(?:'s| is) wrong with (?:you|your)\b|\bhow (?:hard|difficult) (?:can|could) (?:it|that|this) be\b|\bare you (?:serious|kidding|joking)\b|\bis (?:this|that) (?:a|some kind of) joke\b|\bwho do you think\b|\bdo you (?:guys |people )?even (?:care|work|read)\b|\bhow (?:is|can|could) (?:this|that) (?:even )?(?:be )?(?:possible|ok|okay|acceptable|happen)\b|\bwhat kind of (?:shop|service|company|store)\b|\bwhat (?:the )?(?:hell|heck)\b|\bhow dare\b|\bwhat did i do to\b/iu

const isShort = (text: string): boolean => text.split(/\s+/).length <= 5

/** "It came with a dent, what are my options?" asks about the dent, which one of several requests may mend. */
const isReport = (rest: string, { classifier }: Lesson): boolean => {
  const { label, confidence } = classifier.classify(rest)
  return label !== null && !isOfDocuments(label) && label !== IDLE && confidence >= LEAST
}

const isSure = (question: string, { classifier }: Lesson): boolean =>
  classifier.classify(question).confidence >= SURE

function isQuestion(text: string, lesson: Lesson): boolean {
  const { label, confidence } = lesson.classifier.classify(text)
  // A piece such as "do my scarf" asks for nothing.
  const isPiece = text.split(/\s+/).length <= LEAST_WORDS
  if (isPiece && (confidence < SURE || thingsIn(text, lesson).length > 0)) return false
  return (isOfDocuments(label) || label === BEYOND) && confidence >= (asks(text) ? LEAST : SURE)
}

/** Means of payment. */
const MEANS =
  '(?:my|the|that|this|an?|our|same|original|old|new|other)? ?(?:(?:same|original|old|new|other|credit|debit|bank|gift|payment) )*(?:card|paypal|bank|account|visa|mastercard|amex|american express|payment method|means of payment|way i paid|(?:same|original) place)'

/** "It goes back to the same card, right?", "will it be put on my PayPal?" */
const GOES_THERE = new RegExp(
  `\\b(?:go(?:es|ing)?|com(?:e|es|ing)|back|money|refund(?:ed)?|paid|put|credited|returned|sent|land(?:s|ed)?|end(?:s)? up|transferred|(?:get|have|see|receive) (?:it|that|this|the money|the refund|my money)(?: back)?|be)\\b[^.!?]{0,40}\\b(?:to|on|onto|into|in|via)\\s+${MEANS}\\b`,
  'iu',
)

/** "And where would the money go?" */
const WHERE =
  /\bwhere (?:will|would|does|do) (?:the |my |that )?(?:money|refund) (?:go|end up|land)\b/iu

/** "Which card did it go to?", "what account was that refunded to?" */
const WHICH_MEANS = new RegExp(
  `\\b(?:which|what) (?:of my )?(?:credit |debit |bank )?(?:cards?|accounts?|bank|payment method|means of payment) (?:did|does|will|would|was|is|has|have|do) (?:it|that|this|the (?:money|refund|amount)|my (?:money|refund)|you|u|they)\\b[^.!?]{0,30}\\b(?:go|gone|to|on|onto|into|back|sent|paid|use|used)\\b`,
  'iu',
)

/** A question by its end: "…, right?" */
const ASKS_BACK = /\?\W*$|\b(?:right|correct|yes|isn't it|doesn't it|won't it|is that right)\W*$/iu

/** "Card or paypal?" */
const EITHER = new RegExp(
  `\\b(?:card|paypal|bank|visa|mastercard|amex|account|cash) or (?:(?:to|on|onto) )?${MEANS}\\b`,
  'iu',
)

/** Whether a text asks where money that is given back goes. */
export const asksMoneyPlace = (text: string): boolean =>
  (text.includes('?') || asksAnywhere(text)) &&
  [GOES_THERE, WHERE, WHICH_MEANS, EITHER].some((words) => words.test(text))

/** Reports of what has happened or not, and wishes, do not ask about the rules. */
const OF_OTHER =
  /^\W*(?:(?:and|so|but|ok|okay|well|hey|hi)[\s,]+)*(?:did|has|have|was|were|had|when|how (?:long|soon|much|many)|why|where is|please|i (?:want|need|would))\b|\b(?:twice|charged?|took|taken|yet|already|nothing|haven't|hasn't|didn't|not)\b|\d{4}/iu

/** What an account holds besides money. */
const OF_ACCOUNT = /\b(?:e-?mails?|mail|name|password|phone|number|address|log ?in|sign in|one)\b/iu

const MOST_IN_CHECK = 120

/** "Which card did it go to?", whatever it is read like: the rules say it. */
export const meansOfMoney = (text: string): Reading | null =>
  text.length <= MOST_IN_CHECK && WHICH_MEANS.test(text) ? meansReading : null

/** A question, or a check, of where money that is given back goes: the rules say it. */
export const moneyPlace = (text: string): Reading | null =>
  text.length <= MOST_IN_CHECK &&
  !OF_ACCOUNT.test(text) &&
  (ASKS_BACK.test(text) || asks(text) || isAskedInPart(text)) &&
  (GOES_THERE.test(text) || WHERE.test(text)) &&
  !OF_OTHER.test(text)
    ? (meansOfMoney(text) ?? placeOfMoney)
    : null

/** "Is it coming to my card? or where" */
const isAskedInPart = (text: string): boolean =>
  text.split(/(?<=[?.!])\s+/u).some((part) => part.includes('?') && GOES_THERE.test(part))

const meansReading: Reading = readAs(
  [{ type: 'ask-knowledge', question: SECTIONS.moneyBackTo }],
  'it asks to which card the money goes',
)

export const placeOfMoney: Reading = readAs(
  [{ type: 'ask-knowledge', question: SECTIONS.refundTime }],
  'it asks where the money goes',
)
