import { ITEM } from '../../customer/resolve-order.ts'
import { ALL_DONE } from '../../wording/sentences.ts'
import { isConditional } from '../directives.ts'
import { intentOf, type Lesson, SURE } from '../lesson.ts'
import { replyOf } from '../phrases.ts'
import { asksAnywhere, documentsAsked, requestsIn } from '../read-questions.ts'
import { thingsIn } from '../read-wishes.ts'
import { BY_RULE, type Command, readAs, type Reading } from '../command.ts'
import { facetsOf } from '../facets.ts'
import { FOLLOW_UPS, type FollowUp } from './kinds.ts'
import { asksMoneyTime } from './money-time.ts'
import { CERTAIN, isClear, isOfDone, OF_DONE } from './clear-reading.ts'
import { mayFollow, OF_MONEY, wasDenied } from './may-follow.ts'
import { ASKS_DUTY } from './prospects.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'

/** Longer texts are stories of their own. */
const MOST_WORDS = 30

/** Confidence at which a message is a follow-up; more is needed against a clear reading of another kind. */
const LIKELY = 0.5
/** The same right after something was done, or where nothing else fits. */
const ELSE_UNCLEAR = 0.4
/** After a refusal, a message without a clear request is an objection. */
const AFTER_REFUSAL = 0.35

/**
 * A message that makes sense only after what came before: an objection to a refusal, a question about what was done.
 * It is learned apart from the intents, and read only where it has something to follow.
 */
export function followUp(text: string, lesson: Lesson, reading: Reading): Reading | null {
  const { open, handedOver } = lesson.context.dialogue
  if (open !== null || handedOver !== null || text.split(/\s+/).length > MOST_WORDS) return null
  // What waits for a person is taken back, and a return is stopped, whatever came before.
  if (reading.commands.some(takesBack)) return null
  // A plain yes, or a choice, takes what was offered.
  if (reading.commands.some((command) => takes(command, lesson))) return null
  const said = byWords(text, lesson)
  if (said !== null) return said
  // "And the hoodie too" wants the same for another thing.
  if (AS_WELL.test(text) && thingsIn(text, lesson).length > 0) return null
  if (asksMoneyTime(text) && isOfDoing(text, lesson)) {
    return readAs([{ type: 'follow-up', about: 'money_when' }], 'it asks when the money is there')
  }
  const found = likeliest(text, lesson)
  if (found === null) return null
  const { about, confidence } = found
  // A person who is asked for in so many words comes, whatever the reason.
  const isPerson = reading.commands.some(({ type }) => type === 'ask-person')
  if (isPerson && reading.confidence >= BY_RULE && about !== 'call') return null
  // "No, nothing else goes back", behind what was done, asks for nothing any more.
  if (about === 'untouched' && !asksAnywhere(text) && wasToldDone(lesson)) {
    return readAs([{ type: 'deny' }], 'it only wanted to be sure', CERTAIN)
  }
  // "And what about the desk?", where the chair's refund waits, asks of another thing.
  if (OF_DONE.has(about) && isOfOtherThing(text, lesson)) return null
  if (about === 'accepts' && !isAcceptance(text, lesson, reading)) return null
  if (isOfRules(reading) && about === 'accepts') return null
  if (about === 'options' && isOfRules(reading) && NOT_IN.test(text)) return null
  if (about === 'money_missing' && !isOfOwnMoney(text) && !wasOfMoney(lesson)) return null
  // "Refund it if it isn't here by Tuesday" misses no money yet.
  if (about === 'money_missing' && isConditional(text)) return null
  if (about === 'money_when' && !OF_TIME_OR_MONEY.test(text)) return null
  // "And if I return them, when do I see the money?": what comes after a return is started says it.
  if (about === 'money_when' && IF_RETURNED.test(text)) {
    return readAs(
      [{ type: 'ask-knowledge', question: SECTIONS.afterReturn }],
      'it asks of a return',
    )
  }
  // After an order was changed, "when does it come there?" is about its parcel.
  if (about === 'money_when' && OF_COMING.test(text) && !NAMES_MONEY.test(text)) return null
  if (LESS_THAN_DOCUMENTS.has(about) && isOfRules(reading) && reading.confidence >= CERTAIN) {
    return null
  }
  // "Would a new order come later?" has a section of its own.
  if (about === 'order_again' && OF_NEW_ORDER.test(text) && isOfSection(reading)) return null
  // "I need the 43" wants another one, and not sooner.
  if (about === 'sooner' && isOfSubject(reading)) return null
  if (about === 'my_part' && isOfOtherSection(text, reading, lesson)) return null
  const isReport = reading.commands.some((one) => one.type === 'unclear' && one.isReport)
  if (about === 'money_missing' && isReport && !NAMES_MONEY.test(text)) return null
  // "Yes" to nothing wants nothing back.
  if (about !== 'accepts' && replyOf(text) === 'yes') return null
  if (about === 'sure' && OF_ELSE_THAN_STATE.test(text)) return null
  if (about === 'order_again' && OF_PAYMENT.test(text)) return null
  // "Do I need to send it back?" is no wish to.
  const isDuty = about === 'send_back' && ASKS_DUTY.test(text)
  const isPlain = !isDuty && isClear(text, reading, about, lesson)
  // "No refund! Which address does it go to?": one sentence, where the whole is another thing.
  if (isPlain && !found.isWhole && isOfElse(text, lesson)) return null
  const least = isPlain
    ? CERTAIN
    : isOfDone(about, text, lesson)
      ? ELSE_UNCLEAR
      : leastFor(found, reading, lesson)
  return confidence < least
    ? null
    : readAs(
        [...askedBeside(text, about, lesson), { type: 'follow-up', about }],
        `it follows up: ${about}`,
        Math.max(confidence, SURE),
      )
}

const takesBack = (command: Command): boolean =>
  command.type === 'cancel-task' ||
  (command.type === 'ask-knowledge' && OF_STARTED_RETURN.has(command.question))

const OF_STARTED_RETURN: ReadonlySet<string> = new Set([
  SECTIONS.stoppedReturn,
  SECTIONS.returnNeverSent,
])

/** What its words alone say, after a refusal or while something waits. */
function byWords(text: string, lesson: Lesson): Reading | null {
  if (OF_WARRANTY.test(text) && wasDenied(lesson)) {
    const question = { type: 'ask-knowledge', question: WARRANTY } as const
    return readAs([question], 'it asks for a warranty', CERTAIN)
  }
  if (ASKS_ADVICE.test(text) && wasDenied(lesson) && mayFollow('options', lesson)) {
    return readAs([{ type: 'follow-up', about: 'options' }], 'it asks for advice', CERTAIN)
  }
  if (ASKS_WHY.test(text) && wasDenied(lesson)) {
    return readAs([{ type: 'follow-up', about: 'why' }], 'it asks why', CERTAIN)
  }
  if (IF_LATE.test(text) && mayFollow('sure', lesson)) {
    return readAs(
      [{ type: 'ask-knowledge', question: SECTIONS.late }],
      'it asks what if it is late',
    )
  }
  if (IF_DECLINED.test(text) && mayFollow('declined', lesson)) {
    return readAs([{ type: 'follow-up', about: 'declined' }], 'it asks what if it is declined')
  }
  return null
}

/**
 * "Is my floor on the label? And will it really come on Friday?": questions for the documents beside what follows, and
 * wishes for a thing: "when do they answer? Can you at least refund the chair?"
 */
function askedBeside(text: string, about: FollowUp, lesson: Lesson): readonly Command[] {
  const asking = text.split(SENTENCE_END).filter(asksAnywhere)
  const others = asking.filter((one) => lesson.followUps?.classify(one).label !== about)
  return others.length === 0 || others.length === asking.length
    ? []
    : others.flatMap((one): readonly Command[] => {
        const wishes = thingsIn(one, lesson).length === 0 ? [] : requestsIn(one, lesson)
        const acting = wishes.filter(
          (wish) => wish.type === 'start-task' && intentOf(lesson, wish.intentId)?.confirm === true,
        )
        const asked = documentsAsked(one, lesson)
        return acting.length > 0 ? acting : asked === null ? [] : [asked]
      })
}

const SENTENCE_END = /(?<=[.!?;])\s+/u

/** What makers promise for longer than the rules; to guarantee something is another thing. */
const OF_WARRANTY =
  /\bwarrant(?:y|ies|ee)\b|\b(?:an?|the|any|some|no|under|of|on|there|year|years|it'?s|for) guarantees?\b/iu
const IF_RETURNED = /\b(?:if|when|once|after) (?:i|we) (?:return|sen[dt]|ship|mail|post)\b/iu

/** "And if it isn't there by then?" */
const IF_LATE =
  /^\W*(?:(?:and|but|so|ok|okay|what)[\s,]+)*(?:if|when) (?:it|they|that|the \p{L}+)(?:'?s| is| are|'re| does| do)? ?(?:n'?t|not|late|later|still not|delayed|takes longer)\b[^.,!?]{0,24}(?:,? (?:then what|what then|what (?:do|can|should) i do)(?: then)?)?\??\W*$/iu
const WARRANTY = 'is there a warranty'
/** "Do I have to sign for it?", before anything was done: its own section says it. */
const isOfOtherSection = (text: string, reading: Reading, { context }: Lesson): boolean =>
  !facetsOf(text).includes('todo') &&
  context.dialogue.done === null &&
  context.dialogue.blocked.length === 0 &&
  isOfRules(reading) &&
  reading.confidence >= CERTAIN &&
  reading.commands.every((one) => one.type === 'ask-knowledge' && one.question !== SECTIONS.ownPart)

/** When a new order would come, and where to. */
const OF_NEW_ORDER =
  /\b(?:when|arriv\p{L}*|com(?:e|es|ing)|here|later?|longer|sooner|how (?:long|many days)|take|box|address|deliver\p{L}*)\b/iu

/** Whether the documents are asked what they say, and nothing that is beyond them. */
const isOfSection = ({ commands, confidence }: Reading): boolean =>
  confidence >= CERTAIN &&
  commands.some((one) => one.type === 'ask-knowledge' && one.isBeyond === undefined)

/** Whether it is read as a subject for which something else can be done. */
const isOfSubject = ({ commands }: Reading): boolean =>
  commands.some((one) => one.type === 'ask-knowledge' && (one.offer ?? []).length > 0)

/** A parcel rather than money. */
const OF_COMING =
  /\b(?:when|what (?:day|date)|which day|how long|eta)\b[^.!?]*\b(?:com(?:e|es|ing)|arriv\p{L}*|deliver\p{L}*|(?:be|get|gets|land|lands) (?:here|there)|ships?|shipped|parcel|package)\b(?! back)/iu

/** A thing may be missing as well. */
const NAMES_MONEY =
  /\b(?:money|refund\p{L}*|cash|paid|pay|credited|card|bank|accounts?|paypal|statements?|dollars?|amount|sum)\b|[$]\d/iu

const takes = (command: Command, { context }: Lesson): boolean =>
  command.type === 'confirm' ||
  (command.type === 'start-task' &&
    command.confidence >= BY_RULE &&
    context.dialogue.choices.length > 1 &&
    context.dialogue.choices.some(({ intentId }) => intentId === command.intentId))

/** Nobody who could take the parcel in: the documents say whose matter that is. */
const NOT_IN =
  /\b(?:(?:not|n't|nobody(?:'s| is)?|no one(?:'s| is)?|nobody will be) (?:\p{L}+ )?(?:in|there|home|at home|around)|(?:away|out|at work|gone) (?:that day|then|on|when)|miss (?:it|him|them|the \p{L}+))\b/iu

/** What else can be done, such as not to take it in. */
const ASKS_ADVICE =
  /\bwhat (?:would|do|can|could|else (?:would|do|can|could)) you (?:suggest|recommend|advise|propose)\b|\b(?:another|a better|any other) (?:idea|suggestion|solution)s?\b[^.!]*\?|\b(?:can|could|may|should|do) i (?:\p{L}+ )?(?:refuse|decline|reject|turn (?:down|away)|not (?:accept|take)) (?:it|the (?:package|parcel|delivery)|to (?:take|accept) it)\b/iu

/** Words that speak of money beside its own words: "nothing shows yet", "was I charged?" */
const HINTS_AT_MONEY = /\b(?:pay(?:ing|ment)|credit|back|charge[ds]?|shows?|showing)\b|\$/iu

const isOfOwnMoney = (text: string): boolean => NAMES_MONEY.test(text) || HINTS_AT_MONEY.test(text)

const wasOfMoney = ({ context }: Lesson): boolean =>
  OF_MONEY.test(context.history.findLast(({ role }) => role === 'agent')?.text ?? '')

const ASKS_WHY =
  /^\W*(?:(?:but|and|so|ok|okay|oh)[\s,]+)*(?:why(?: not| so| is that| can'?t (?:i|you))?|how come)\W*$/iu

/** "What if they say no?", of what waits. */
const IF_DECLINED =
  /\b(?:if|when|suppose|supposing|should|say|in case)\b[^.!?]{0,40}\b(?:refus\p{L}*|declin\p{L}*|reject\p{L}*|den(?:y|ies|ied)|disagrees?|turn\p{L}* (?:it|me|that) down|turned down|say(?:s|ing)? no|said no|(?:is|are|be|it'?s|gets?|will|does|do|won|don|isn|doesn|not)(?:n'?t|'t| not)? (?:be |been )?(?:not )?(?:approv\p{L}*|accept\p{L}*|agree\p{L}*)(?<=\b(?:not|n'?t|'t)\b.*))/iu

const AS_WELL = /\b(?:too|as well|also)(?:[\s,]+(?:please|pls|then))*\W*$/iu

const OF_TIME_OR_MONEY =
  /\b(?:when|how (?:long|soon|fast|quick\p{L}*|many)|until|by what|days?|weeks?|money|refund\p{L}*|cash|paid|back|payment|amount|\p{L}*days|tomorrow|today|get it|have it)\b/iu

/** How a new order is paid, and what it costs, is a question of its own. */
const OF_PAYMENT =
  /\b(?:pay(?:ing|ment)?|paypal|klarna|(?:credit|debit|gift) cards?|voucher|discounts?|codes?|shipping|delivery|fee)\b/iu

/** Whether it is about what was done, or what waits, rather than about another thing. */
const isOfDoing = (text: string, lesson: Lesson): boolean => {
  const { done, blocked } = lesson.context.dialogue
  return thingsIn(text, lesson).length === 0 && (done !== null || blocked.length > 0)
}

interface Found {
  readonly about: FollowUp
  readonly confidence: number
  /** Whether the whole text is classified, and not one of its sentences. */
  readonly isWhole: boolean
}

/** Whether the whole text is nothing that follows an answer. */
function isOfElse(text: string, { followUps }: Lesson): boolean {
  const { label, confidence = 0 } = followUps?.classify(text) ?? { label: null }
  return !FOLLOW_UPS.some((one) => one === label) && confidence >= CERTAIN
}

/** The likeliest kind, of the whole text or of one of its sentences. */
function likeliest(text: string, lesson: Lesson): Found | null {
  const sentences = text.split(/[.!?;]+\s+/u)
  const parts = sentences.length > 1 ? [text, ...sentences] : [text]
  const found = parts.flatMap((part): readonly Found[] => {
    const { label = null, confidence = 0 } = lesson.followUps?.classify(part) ?? {}
    const about = FOLLOW_UPS.find((one) => one === label)
    return about === undefined || !mayFollow(about, lesson)
      ? []
      : [{ about, confidence, isWhole: part === text }]
  })
  const [whole] = found
  // Beside something else, an acceptance says little.
  const others = found.filter(({ about }) => about !== 'accepts')
  return (
    others.toSorted((one, other) => weightOf(other) - weightOf(one))[0] ??
    (whole !== undefined && (found.length === parts.length || isPlainly(whole)) ? whole : null)
  )
}

/** The whole text tells more than one sentence of about the same confidence. */
const weightOf = ({ confidence, isWhole }: Found): number => confidence + (isWhole ? 0.1 : 0)

const isPlainly = ({ isWhole, confidence }: Found): boolean => isWhole && confidence >= CERTAIN

function leastFor({ about, isWhole }: Found, reading: Reading, lesson: Lesson): number {
  if (about === 'why' && isWhole && wasDenied(lesson)) return AFTER_REFUSAL
  // One sentence says little against a reading of the whole by its own words.
  if (!isWhole && reading.confidence >= BY_RULE) return CERTAIN
  const isEmpty = reading.commands.every(
    (one) => one.type === 'unclear' && one.readings.length === 0,
  )
  return isEmpty ? ELSE_UNCLEAR : LIKELY
}

/** Whether the last answer told all that was done. */
const wasToldDone = ({ context }: Lesson): boolean =>
  context.history.findLast(({ role }) => role === 'agent')?.text.startsWith(ALL_DONE) === true

/** Whether nothing else is asked for. */
function isAcceptance(text: string, lesson: Lesson, reading: Reading): boolean {
  if (AGREES.test(text) || asksAnywhere(text)) return false
  // What names a sum asks for that.
  if (QUESTIONS.test(text) || NAMES_SUM.test(text)) return false
  return reading.commands.every((command) => {
    if (command.type === 'small-talk') return false
    if (command.type === 'ask-person') return reading.confidence < CERTAIN && !PERSON.test(text)
    const isActing =
      command.type === 'start-task' && intentOf(lesson, command.intentId)?.confirm === true
    return !isActing || reading.confidence < SURE || LATER.test(text)
  })
}

/** A sum of money, and no day. */
const NAMES_SUM = /\d[.,]\d\d\b|\$ ?\d/u

/** "Oh nice, so how much is it": a question behind any words. */
const QUESTIONS =
  /\b(?:how (?:much|many|long|soon|do|does|can)|(?:so|and|but|then) (?:what|when|where|which|who|how|why)) /iu

/** Whom a request for a person names. */
const PERSON =
  /\b(?:person|human|people|someone|somebody|anyone|colleague|agent|manager|supervisor|boss|team|speak|talk|call)\b/iu

/** What is rather a yes to something. */
const AGREES = /\b(?:do (?:it|that|so|this)|go ahead|yes|yeah|please|sure)\b/iu

/** What the customer does themselves later. */
const LATER = /\b(?:when|once|as soon as|after) (?:it|they|the|i|my)\b/iu

/** Whether it names things, and none of them is what was done, or waits. */
function isOfOtherThing(text: string, lesson: Lesson): boolean {
  const { done, blocked } = lesson.context.dialogue
  const items = [...blocked, done].flatMap((one) => one?.params[ITEM] ?? [])
  const said = items
    .filter((one) => typeof one === 'string')
    .join(' ')
    .toLowerCase()
  const things = thingsIn(text, lesson)
  return said !== '' && things.length > 0 && things.every((one) => !said.includes(one))
}

/** "I only make sure", "you're an AI, right?": it doubts no state of an order. */
const OF_ELSE_THAN_STATE =
  /\bmak(?:e|ing) sure\b|\b(?:an? )?(?:ai|(?:chat ?|ro)?bot|machine|computer|program|human)\b/iu

/** What is answered less well than a question that documents hold. */
const LESS_THAN_DOCUMENTS: ReadonlySet<FollowUp> = new Set<FollowUp>(['call', 'sooner', 'turns_up'])

/** Whether it is read as a question for the documents alone. */
const isOfRules = ({ commands }: Reading): boolean =>
  commands.every((command) => command.type === 'ask-knowledge' && command.isBeyond !== true)
