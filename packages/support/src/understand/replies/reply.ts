import type { JsonObject } from 'echelon/runtime'
import { ORDER } from '../../customer/resolve-order.ts'
import { doubtOfYes, withoutIdioms } from '../../dialogue/veto.ts'
import { CONFIRMATION } from '../../turn/dialogue.ts'
import { isRequest } from '../clauses.ts'
import { BY_RULE, type Command, readAs, type Reading } from '../command.ts'
import { byRule, intentOf, LEAST, type Lesson, openersFor, type ReadText } from '../lesson.ts'
import { leavesIt, replyOf } from '../phrases.ts'
import { requestsIn } from '../read-questions.ts'
import { ofSendingBack } from '../readings/of-documents.ts'
import { onceArrived } from '../readings/once-arrived.ts'
import { smallTalkIn } from '../social.ts'
import { correctedParams } from '../read-wishes.ts'
import { askedOfSubject } from './of-subject.ts'
import { REPLY_KINDS, type ReplyKind } from './kinds.ts'
import { leftOrKept, neverWanted, refusedAndMore, restRead, withSubject } from './no-and-more.ts'
import { CHOICE, plainReply, subjectOf, subjectsIn } from './plain-reply.ts'
import { stillAsked } from './whole.ts'
import { namesPlace } from './places.ts'
import { WHICH } from './which.ts'
import { yesToNothing } from './yes-to-nothing.ts'
import { piecesOf, saidAndAsked } from './said-and-asked.ts'

/** Confidence at which a reply is a yes, and at which it is something else. */
const LEAST_YES = 0.55
/** The same with a word that is a yes by itself, or a please. */
const LEAST_STRONG = 0.4
/** The same beside a question, where no piece is a plain yes: what stands before a question may belong to it. */
const LEAST_BESIDE_QUESTION = 0.8
const LEAST_NO = 0.6
const LEAST_UNDECIDED = 0.5

/** Longer texts are stories. */
const MOST_WORDS = 60

/** What a message replies to: a confirmation, or what the last answer offered. */
interface Asked {
  readonly about: string
  readonly isOffer: boolean
}

/** The word of the intent that gets a person. */
const PERSON = 'hand'
/** Words that take note of what was said, and thanks. */
const NO_MORE =
  /^(?:\W*(?:ok(?:ay)?|k|fine|all ?right|right|good(?: to know)?|great|cool|perfect|nice|i see|understood|got it|(?:many |no,? )?thanks?(?: you)?(?: (?:so|very) much| a lot| for (?:your help|that|the info\p{L}*|telling me))?|thx|ty|cheers|too bad|no (?:problem|worries)|then|that|well|oh|ah)\b)*(?:\W*(?:thanks?|thank you|thx|ty|cheers|good to know|i see|too bad|understood|got it|no (?:problem|worries))\b)(?:\W*(?:so much|very much|a lot|then|anyway|you|for (?:your help|that|the info\p{L}*|telling me))\b)*\W*$/iu

/** Whether what was offered is not taken, although some word of it may agree. */
const takesNone = (said: string, question: string): boolean =>
  NO_MORE.test(said) ||
  ALONE.test(said) ||
  LEAVES.test(said) ||
  leavesIt(said) ||
  (THANKS.test(said) && !isStrong(said)) ||
  (question !== '' && WEAK.test(said))

const THANKS = /\b(?:thanks|thank you|thx|cheers)\b/iu
const LEAVES =
  /\b(?:good ?bye|bye|good night|have a (?:nice|good|great|lovely))\b|^\W*(?:oh )?come on\b/iu

/** Whether it agrees in a word that is more than a courtesy. */
const isStrong = (said: string): boolean =>
  /\bplease\b/iu.test(said) ||
  piecesOf(said).some(({ text }) => replyOf(text) === 'yes' && !WEAK.test(text))

/** What customers do themselves. */
const ALONE = /\b(?:myself|on my own)\b/iu

/** "Lovely service. Thank you!" agrees to nothing; "thanks, refund it" and "thanks, that helps" do. */
const onlyThanks = (said: string, { about }: Asked): boolean =>
  THANKS.test(said) && !isStrong(said) && !subjectsIn(said).includes(about) && !ACCEPTS.test(said)

const ACCEPTS =
  /\b(?:appreciate|yes|yeah|sure|ok|okay|do (?:it|that|so)|go (?:ahead|on)|(?:would|will|'d|'ll) (?:be|help|do)|helps?|works?|sounds|agreed?)\b/iu

/** What customers do in place of what is asked: "ok fine, I'll keep it". */
const OWN_WAY =
  /^(?:(?:ok|okay|fine|well|then|so|all ?right|right|good|oh|hm+)\W+)*(?:then )?(?:i(?:'ll| will|'d rather| would rather)|ill|we(?:'ll| will)|let me) (?:just |simply |rather |then |probably )?(?:keep|wait|leave|live with|manage|try|rephrase|call|write|check|look|see|pass|stay|give it (?:away|to)|fix|repair|use)(?!\p{L})/iu

const goesOwnWay = (said: string, { about }: Asked): boolean =>
  !isStrong(said) &&
  !subjectsIn(said).includes(about) &&
  piecesOf(said).some(({ text }) => OWN_WAY.test(text)) &&
  piecesOf(said).every(
    ({ text }) => OWN_WAY.test(text) || WEAK.test(text) || TELLS_OF_IT.test(text),
  )

/** What only gains time. */
const PAUSES =
  /^\W*(?:(?:actually|ok|okay|oh|hm+|well|but|sorry|no|hey|so|yes|and)\W+)*(?:wait|hold on|hang on|one (?:moment|second|sec|question|thing)|just a (?:sec|second|moment|minute)|stop|i meant?|before (?:that|you do(?: that)?)|(?:a )?quick question|first)(?: (?:a|for a) (?:sec|second|moment|minute))?\W*$/iu

/** Whether a message gives another value of what is open, or one that was not said before in place of a yes. */
function changes(said: string, lesson: Lesson): boolean {
  const { open, choices } = lesson.context.dialogue
  const target = open ?? choices[0]
  const intent = target === undefined ? undefined : intentOf(lesson, target.intentId)
  if (target === undefined || intent === undefined) return false
  // The whole is asked for, where a sum was offered.
  if (stillAsked(said, target.params) !== target.params) return true
  const isPlace = Object.values(intent.params).some(({ wholeAnswer }) => wholeAnswer)
  if (isPlace && /\d/u.test(said) && !isStrong(said)) return true
  const isYes = piecesOf(said).some(({ text }) => replyOf(text) === 'yes')
  return Object.entries(correctedParams(said, intent)).some(([name, value]) => {
    const known = target.params[name]
    if (Object.keys(intent.params[name]?.values ?? {}).length > 0) return false
    return known === undefined ? !isYes : known !== value && Number(known) !== Number(value)
  })
}

/** "Yeah 77 Dauphine Street": a yes, and words of a value that is to be confirmed. */
function repeats(said: string, { context }: Lesson): boolean {
  const { open, choices } = context.dialogue
  const values = Object.values((open ?? choices[0])?.params ?? {})
  const [, rest = ''] = YES_AND_VALUE.exec(said) ?? []
  const words = plainWords(rest)
  return (
    words.length >= LEAST_REPEATED &&
    values.some(
      (value) => typeof value === 'string' && ` ${plainWords(value)} `.includes(` ${words} `),
    )
  )
}

const YES_AND_VALUE =
  /^\W*(?:yes|yeah|yea|yep|yup|right|exactly|correct|sure)(?:\W+(?:please|exactly|correct|to|it'?s|its|the))*\W+(.+)$/iu
const LEAST_REPEATED = 4

const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** It objects. */
const PLEADS = /^\W*(?:oh|come on|pretty)\W+please\W*$/iu

/** What stays, or what alone is meant: whether that is so in the plan is weighed with the plan. */
const STAYS =
  /^(?:(?:and|but) )?(?:please )?(?:leave|keep|i(?:'ll| will|'m|m)? keep(?:ing)?|just|only) (?:the|my|that|this|those|these)\b/iu

/** It does not matter. */
const SHRUGS =
  /^\W*(?:(?:ok(?:ay)?|fine|well|oh|ugh)\W+)?(?:whatever|fine then|i don'?t care)\W*$/iu

/** A remark about the thing. */
const TELLS_OF_IT =
  /^(?:(?:because|since|as|cos|cause) )?(?:it|they|these|those|he|she|there)(?:'s|'re)?\b/iu

/** Whether a piece tells something, and asks for nothing: what it names is weighed with the plan. */
const tells = (piece: string, lesson: Lesson): boolean =>
  STATES.test(piece) &&
  !lesson.context.intents.some(({ id }) => isRequest(piece, openersFor(lesson, id)))

const STATES =
  /^(?:(?:because|since|as|cos|cause|and|but|so) )?(?:now )?(?:i|i'm|i've|im|ive|we|we've|my|our|the|a|an|that|this|nobody|no one|everyone|everybody)\b/iu

/** A no with a number may change what is open. */
const COUNTS = /\d|\b(?:one|two|three|half|only|just|both)\b/iu

const BUT = /^\W*but\b/iu

/** Words that agree only where they stand alone. */
const WEAK =
  /^\W*(?:(?:ok(?:ay)?|k|fine|all ?right|right|good|great|perfect|very well|well|then)(?:\W+|$))+$/iu

interface Found {
  readonly kind: ReplyKind | null
  readonly confidence: number
}

/** A message that agrees, refuses or hesitates where something is open, with what it asks or wants besides. */
export function repliedTo(text: string, lesson: Lesson, read: ReadText): Reading | null {
  const nothing = yesToNothing(text, lesson)
  if (nothing !== null) return nothing
  const asked = askedOf(lesson)
  const { open, blocked } = lesson.context.dialogue
  // What was agreed to waits for a person.
  if (asked === null && open === null && blocked.length > 0 && replyOf(text) === 'yes') {
    return readAs([{ type: 'ask-waiting' }], 'it says yes to what waits')
  }
  if (text.split(/\s+/u).length > MOST_WORDS) return null
  if (asked === null) return open === null ? neverWanted(text, lesson, read) : null
  const { said, asked: question } = saidAndAsked(text)
  if (asked.about === PERSON && PLEADS.test(text)) {
    return readAs([{ type: 'follow-up', about: 'why' }], 'it objects')
  }
  const about = {
    about: asked.about,
    isNo: (sentence: string): boolean => isNo(sentence, asked, lesson),
  }
  const refused = refusedAndMore(text, about, lesson, read) ?? leftOrKept(text, about, lesson, read)
  if (refused !== null) return refused
  // "Ok, thanks" is most often no more than that.
  if (said === '' || (asked.isOffer && takesNone(said, question))) return null
  const isSocial = NO_MORE.test(said) || smallTalkIn(said).length > 0
  if (isSocial && replyOf(said) !== 'yes' && !isStrong(said)) return null
  // "Ok, but what does it cost?" only asks first, as "wait, does that cost anything?" does.
  if (question !== '' && BUT.test(question) && !isStrong(said)) return null
  if (question !== '' && PAUSES.test(said)) return askedFirst(question, lesson, read)
  if (/^\W*i meant?\b/iu.test(question)) return null
  if (question === '' && repeats(said, lesson)) {
    return readAs([{ type: 'confirm' }], 'it says yes, and repeats what was asked')
  }
  if (onlyThanks(said, asked) || changes(said, lesson)) return null
  if (goesOwnWay(said, asked)) return readAs([{ type: 'deny' }], 'it goes its own way')
  if (asked.about === CHOICE && WHICH.test(text)) return null
  const { kind, confidence } = saysYes(said, asked, lesson) ?? kindOf(said, asked, lesson)
  if (kind === 'yes' || kind === 'yes+wish') {
    // Of several things, none is agreed to.
    if (asked.about === CHOICE) return null
    const isPlain = question === '' ? LEAST_YES : LEAST_BESIDE_QUESTION
    const least = isStrong(said) ? LEAST_STRONG : isPlain
    return confidence < least ? null : agreed(said, question, asked, lesson)
  }
  if (kind === 'no' && confidence >= LEAST_NO && !COUNTS.test(said)) {
    const rest = restRead(withSubject(question, said), lesson, read)
    return readAs([{ type: 'deny' }, ...rest], 'it says no')
  }
  const isUndecided = kind === 'later' || (kind === 'unsure' && !namesPlace(text))
  // Where a colleague was offered after a refusal, it may object.
  const mayObject = kind === 'unsure' && asked.about === PERSON
  // "Return, I guess" picks one, which is confirmed before it is done.
  if (asked.about === CHOICE && subjectsIn(said).length === 1) return null
  if (!isUndecided || mayObject || confidence < LEAST_UNDECIDED || question !== '') return null
  return kind === 'later' && asked.isOffer && asked.about !== CHOICE
    ? readAs([{ type: 'deny' }], 'it wants that later')
    : readAs([{ type: 'wait' }], 'it hesitates')
}

function askedOf({ context, replies }: Lesson): Asked | null {
  const { open, choices } = context.dialogue
  if (replies === undefined) return null
  if (open !== null) {
    return open.param === CONFIRMATION ? { about: subjectOf(open.intentId), isOffer: false } : null
  }
  const [choice, ...others] = choices
  if (choice === undefined) return null
  return { about: others.length > 0 ? CHOICE : subjectOf(choice.intentId), isOffer: true }
}

/** "Do it, I'll order anew": a plain yes in one piece, where no other piece is something else. */
function saysYes(said: string, asked: Asked, lesson: Lesson): Found | null {
  const pieces = piecesOf(withoutIdioms(said)).map(({ text }) => text)
  const rest = pieces.filter((piece) => WEAK.test(piece) || replyOf(piece) !== 'yes')
  const told = rest.filter(
    (piece) => !STAYS.test(piece) && !SHRUGS.test(piece) && !TELLS_OF_IT.test(piece),
  )
  const isElse = told.some((piece) => {
    const { kind, confidence } = kindOf(piece, asked, lesson)
    const isRemark = (kind === 'other' || isStory(piece)) && tells(piece, lesson)
    return kind !== 'yes' && kind !== 'yes+wish' && !isRemark && confidence >= LEAST_NO
  })
  return rest.length === pieces.length || isElse ? null : { kind: 'yes', confidence: BY_RULE }
}

function kindOf(said: string, { about }: Asked, { replies, context }: Lesson): Found {
  const plain = plainReply(said, about, context.itemWords)
  const { label = null, confidence = 0 } = replies?.classify(plain) ?? {}
  return { kind: REPLY_KINDS.find((one) => one === label) ?? null, confidence }
}

/** "No wait, do I have to send it back?" asks that first, and wants nothing else. */
function askedFirst(question: string, lesson: Lesson, read: ReadText): Reading | null {
  const reading = read(question, lesson)
  const isPlain = reading.commands.every(({ type }) => type === 'ask-knowledge')
  return isPlain ? reading : null
}

/** Whether a sentence refuses; of several things, one that is named alone is left for the others. */
function isNo(sentence: string, asked: Asked, lesson: Lesson): boolean {
  const reply = replyOf(sentence)
  if (reply === 'yes' || saysYes(sentence, asked, lesson) !== null) return false
  if (asked.about === CHOICE && subjectsIn(sentence).length > 0) return false
  const { kind, confidence } = kindOf(sentence, asked, lesson)
  return reply !== null || (kind === 'no' && confidence >= LEAST_NO)
}

/** A yes, what is asked with it, and what is wished besides; no yes if anything in it speaks against it. */
function agreed(said: string, question: string, asked: Asked, lesson: Lesson): Reading | null {
  if (DOUBTS.test(question)) return readAs([{ type: 'wait' }], 'it asks whether it should')
  const pieces = piecesOf(said)
  const wishes = pieces.map(({ text, isAdded }, at) =>
    at > 0 && isAdded ? wishedIn(text, lesson) : [],
  )
  const limits = pieces.some(({ text }, at) => (wishes[at] ?? []).length > 0 && isLimit(text))
  if (limits) return null
  const own = pieces.filter((_, at) => wishes[at]?.length === 0).map(({ text }) => text)
  if (own.length === 0 || !agrees(own.join(', '), asked)) return null
  if (doubtOfYes(own.join(', ')) !== null) return null
  const more = [...wishes.flat(), ...(question === '' ? [] : asking(question, lesson))]
  const plain = own.filter((piece) => !isStory(piece))
  return readAs([{ type: 'confirm', said: plain.join(', ') }, ...more], 'it says yes')
}

/**
 * Whether a word of it agrees, or names what is asked. "That is a pity" and "sorry, I'm on the train" are like some
 * yeses in all but that.
 */
const agrees = (said: string, { about }: Asked): boolean =>
  AGREEING.test(said) ||
  piecesOf(said).some(({ text }) => !TELLS.test(text) && subjectsIn(text).includes(about))

const TELLS = /^\W*(?:that|this|it|they|these|those|there|the|my|our)\b/iu

const AGREEING =
  /\b(?:y|ye|yes+|yess\w*|yas|yea+h*|yep+|yup+|ya|yh|aye|si|oui|ja|jep|da|sim|o?k(?:ay|ey|k|i|ie)?|okey|sure\w*|fine|right|correct|exactly|precisely|al+right|all right|good|great|perfect\w*|lovely|nice|wonderful|excellent|awesome|brilliant|cool|absolutely|definitely|certainly|indeed|of course|naturally|gladly|happily|please|pls+|plz+|pleas|do|does|doing|go|going|proceed|continue|carry|start|begin|make|confirm\w*|agree\w*|accept\w*|approve\w*|affirmative|roger|deal|works|appreciate|want|wish|like|love|need|happy|glad|grateful|why not|by all means|objections?|problem|lets|let's|let us|mhm+|uh huh|aha|take|send|give|get|bring|ask|call|let|have)\b|\u{1F44D}/iu

/** Whether a piece tells something, and wants, keeps or limits nothing. */
const isStory = (piece: string): boolean =>
  (STATES.test(piece) || TELLS_OF_IT.test(piece)) && !NAMES_ONE.test(piece) && !LIMITING.test(piece)

/** "The chair" may be another one than the plan's. */
const NAMES_ONE = /^(?:and |but )?(?:the|an?|that|this)\b/iu

const LIMITING =
  /\b(?:keep\p{L}*|leav\p{L}*|wait\p{L}*|rather|instead|only|just|both|except|but|not|no|never|stay\p{L}*|want|would|prefer|like|wish|cancel\p{L}*|refund\p{L}*|return\p{L}*|send|change|still|sure|maybe|half|works?|working|arrived|here|found|fixed|solved|fits?|\d+)\b|n't\b/iu

/** A question that doubts what is agreed to. */
const DOUBTS =
  /^\W*or\b|^\W*(?:but |and )?should i\b(?! (?:send|put|wait|expect|pack|write))|\bis (?:it|that) (?:wise|a yes|better)\b|\bor not\b/iu

const isLimit = (piece: string): boolean =>
  doubtOfYes(piece.replace(/^(?:and |but |so )?(?:after|before) that\b|\balso\b/iu, ' ')) !== null

const AND = /^(?:and|also|then|plus|so|but)\s+/iu

/** Requests besides what is open: more than a thing that is named. */
function wishedIn(said: string, lesson: Lesson): readonly Command[] {
  const piece = said
    .replace(AND, '')
    .replace(AND, '')
    .replace(/\balso\s+/iu, '')
  const isAsked = lesson.context.intents.some(({ id }) => isRequest(piece, openersFor(lesson, id)))
  if (!isAsked) return []
  const { open, choices } = lesson.context.dialogue
  const asked = open ?? choices[0]
  const found = requestsIn(piece, lesson)
  const { label, confidence } = lesson.classifier.classify(piece)
  const likely = confidence >= LEAST ? intentOf(lesson, label ?? '') : undefined
  const tasks =
    found.length === 0 && likely !== undefined
      ? [byRule(likely.id, correctedParams(piece, likely))].map((task) => ({
          ...task,
          said: piece,
        }))
      : found
  return tasks.filter(
    (one) =>
      one.type === 'ask-knowledge' ||
      (one.type === 'start-task' &&
        (one.intentId !== asked?.intentId || isOfOtherOrder(one.params, asked.params))),
  )
}

const isOfOtherOrder = (said: JsonObject, own: JsonObject): boolean =>
  said[ORDER] !== undefined && said[ORDER] !== own[ORDER]

/** What a question asks: a request, or else the documents. */
function asking(question: string, lesson: Lesson): readonly Command[] {
  const subject = askedOfSubject(question, lesson)
  if (subject !== null) return [subject]
  const own = onceArrived(question, lesson) ?? ofSendingBack(question, lesson)
  if (own !== null) return own.commands
  const found = requestsIn(question, lesson)
  return found.length > 0 ? found : [{ type: 'ask-knowledge', question }]
}

/** Whether a message takes one of several things that were offered. */
export function isPick(text: string, lesson: Lesson): boolean {
  const asked = askedOf(lesson)
  if (asked?.about !== CHOICE) return false
  const { kind, confidence } = kindOf(text, asked, lesson)
  return kind === 'pick' && confidence >= LEAST_YES
}

/** Whether a message is something else than a yes to what is open. */
export function isNoYes(text: string, lesson: Lesson): boolean {
  const asked = askedOf(lesson)
  if (asked === null) return false
  const { said } = saidAndAsked(text)
  if (said === '') return true
  const { kind, confidence } = kindOf(said, asked, lesson)
  return kind !== 'yes' && kind !== 'yes+wish' && confidence >= LEAST_NO && replyOf(said) !== 'yes'
}

/** Confidence at which a message only asks about what is open. */
const SURE_TO_ASK = 0.8

/** Whether a message only asks something about what is open. */
export function onlyAsks(text: string, lesson: Lesson): boolean {
  const asked = askedOf(lesson)
  if (asked === null || !text.includes('?')) return false
  const { kind, confidence } = kindOf(text, asked, lesson)
  return kind === 'ask' && confidence >= SURE_TO_ASK
}
