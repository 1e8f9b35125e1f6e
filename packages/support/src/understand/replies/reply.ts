import { readAs, type Reading } from '../command.ts'
import { intentOf, type Lesson, type ReadText } from '../lesson.ts'
import { replyOf } from '../phrases.ts'
import { isStrong, repeats, saysYes } from './agrees.ts'
import { askedOfPlan } from './taken-up/asked-of-plan.ts'
import { askedOfApproval } from './taken-up/asked-of-approval.ts'
import { approves } from './taken-up/approves.ts'
import { type Asked, askedOf, kindOf, LEAST_NO, LEAST_YES } from './asked.ts'
import { detail } from './taken-up/details.ts'
import { askedAfterHold, holdsOn, leftForNow } from './taken-up/holds-on.ts'
import { leftOrKept, neverWanted, refusedAndMore, restRead, withSubject } from './no-and-more.ts'
import {
  changes,
  goesOwnWay,
  isCourtesy,
  meansAnother,
  onlyThanks,
  pauses,
  takesNone,
} from './no-yes.ts'
import { withoutDismissed } from './taken-up/dismissed-beside.ts'
import { withoutOutcry } from './taken-up/outcry.ts'
import { namesPlace } from './places.ts'
import { preferred } from './taken-up/preferred.ts'
import { yesAtLast } from './taken-up/yes-at-last.ts'
import { yesFirst } from './taken-up/yes-first.ts'
import { CHOICE, subjectsIn } from './plain-reply.ts'
import { saidAndAsked } from './said-and-asked.ts'
import { WHICH } from './which.ts'
import { agreed } from './yes-and-more.ts'
import { yesToNothing } from './yes-to-nothing.ts'

/** Longer texts are stories. */
const MOST_WORDS = 60

/** Confidence at which a reply is a yes with a word that is one by itself, or a please. */
const LEAST_STRONG = 0.4
/** The same beside a question, where no piece is a plain yes: what stands before a question may belong to it. */
const LEAST_BESIDE_QUESTION = 0.8
/** Confidence at which it hesitates, or wants it later. */
const LEAST_UNDECIDED = 0.5

/** A message that agrees, refuses or hesitates where something is open, with what it asks or wants besides. */
export function repliedTo(given: string, lesson: Lesson, read: ReadText): Reading | null {
  const asked = askedOf(lesson)
  const text = asked === null ? given : withoutOutcry(withoutDismissed(given, asked), asked)
  const reading = replyIn(text, lesson, read)
  if (text === given) return reading
  if (reading !== null) return ofPart(reading, text)
  // What an outcry stood before is read as if it were said alone.
  return read(text, lesson)
}

/** A yes is given by the part that says it. */
const ofPart = (reading: Reading, said: string): Reading => ({
  ...reading,
  commands: reading.commands.map((one) => (one.type === 'confirm' ? { said, ...one } : one)),
})

function replyIn(text: string, lesson: Lesson, read: ReadText): Reading | null {
  const nothing = yesToNothing(text, lesson)
  if (nothing !== null) return nothing
  const asked = askedOf(lesson)
  const { open, blocked } = lesson.context.dialogue
  // What was agreed to waits for a person.
  if (asked === null && open === null && blocked.length > 0 && replyOf(text) === 'yes') {
    return readAs([{ type: 'ask-waiting' }], 'it says yes to what waits')
  }
  if (text.split(/\s+/u).length > MOST_WORDS || meansAnother(text)) return null
  if (asked === null) return open === null ? neverWanted(text, lesson, read) : null
  const approval = askedOfApproval(text, lesson)
  if (approval !== null) return readAs([approval], 'it asks about the approval')
  const yes = yesAtLast(text, asked, lesson) ?? yesFirst(text, asked)
  if (yes !== null) return yes
  if (THINKS_ABOUT.test(text)) return readAs([{ type: 'deny' }], 'it says no, and thinks about it')
  if (holdsOn(text, lesson)) return readAs([{ type: 'wait', for: 'time' }], 'it only gains time')
  const first = askedAfterHold(text)
  const before = first === null ? null : askedFirst(first, lesson, read)
  if (before !== null) return before
  const [, told] = ONLY_TELLS.exec(text) ?? []
  if (told !== undefined) {
    return readAs([{ type: 'deny' }, ...restRead(told, lesson, read)], 'it only asks')
  }
  const besides = detail(text, asked, lesson)
  if (besides !== null) return besides
  const later = leftForNow(text, lesson, read)
  if (later !== null) return later
  if (approves(text, lesson)) {
    return readAs([{ type: 'confirm', said: text }], 'it says who is to approve it')
  }
  const { said, asked: question } = saidAndAsked(text)
  if (asked.about === PERSON && PLEADS.test(text)) {
    return readAs([{ type: 'follow-up', about: 'why' }], 'it objects')
  }
  if (asked.about === PERSON && wantsItAfterAll(text)) {
    return readAs([{ type: 'ask-person', params: {} }], 'it wants the person who was offered')
  }
  const other = preferred(text, asked, lesson, read)
  if (other !== null) return other
  const about = {
    about: asked.about,
    isNo: (sentence: string): boolean => isNo(sentence, asked, lesson),
  }
  const refused = refusedAndMore(text, about, lesson, read) ?? leftOrKept(text, about, lesson, read)
  if (refused !== null) return refused
  const plain = said === '' || IF.test(said) ? askedOfPlan(text, asked, lesson) : null
  if (plain !== null) return readAs([plain], 'it asks about what is open')
  // "Ok, thanks" is most often no more than that.
  if (said === '' || (asked.isOffer && takesNone(said, question))) return null
  if (isCourtesy(said)) return null
  // "Ok, but what does it cost?" only asks first, as "wait, does that cost anything?" does.
  if (question !== '' && BUT.test(question) && !isStrong(said)) return null
  if (question !== '' && pauses(said)) return askedFirst(question, lesson, read)
  if (/^\W*i meant?\b/iu.test(question)) return null
  if (question === '' && repeats(said, lesson)) {
    return readAs([{ type: 'confirm' }], 'it says yes, and repeats what was asked')
  }
  if (onlyThanks(said, asked) || changes(said, lesson)) return null
  if (goesOwnWay(said, asked)) return readAs([{ type: 'deny' }], 'it goes its own way')
  if (asked.about === CHOICE && WHICH.test(text)) return null
  return byKind({ text, said, question }, asked, lesson, read)
}

/** A message, what it says, and what it asks. */
interface Said {
  readonly text: string
  readonly said: string
  readonly question: string
}

/** What the learned kind of a reply makes of it. */
function byKind(
  { text, said, question }: Said,
  asked: Asked,
  lesson: Lesson,
  read: ReadText,
): Reading | null {
  const { kind, confidence } = saysYes(said, asked, lesson) ?? kindOf(said, asked, lesson)
  if (kind === 'yes' || kind === 'yes+wish') {
    // Of several things, none is agreed to.
    if (asked.about === CHOICE) return null
    const isPlain = question === '' ? LEAST_YES : LEAST_BESIDE_QUESTION
    const least = isStrong(said) ? LEAST_STRONG : isPlain
    return confidence < least ? null : agreed(said, question, asked, lesson)
  }
  if (kind === 'no' && asked.about === CHOICE && picksOne(said)) return null
  if (kind === 'no' && confidence >= LEAST_NO && !COUNTS.test(said)) {
    const rest = restRead(withSubject(question, said), lesson, read)
    return readAs([{ type: 'deny' }, ...rest], 'it says no')
  }
  if (question !== '' || confidence < LEAST_UNDECIDED) return null
  // "Return, I guess" picks one, which is confirmed before it is done.
  if (asked.about === CHOICE && subjectsIn(said).length === 1) return null
  if (kind === 'later' && asked.isOffer && asked.about !== CHOICE) {
    return readAs([{ type: 'deny' }], 'it wants that later')
  }
  // Where a colleague was offered after a refusal, it may object.
  const isUnsure = kind === 'unsure' && asked.about !== PERSON && !namesPlace(text)
  return kind === 'later' || isUnsure ? readAs([{ type: 'wait' }], 'it hesitates') : null
}

/**
 * "No wait, it isn't broken. I'd rather return it" picks one of two in its last sentence; "the money please, I won't
 * post anything" in its first piece, where no other one wants something else.
 */
function picksOne(said: string): boolean {
  const last = said.split(/(?<=[.!;])\s+/u).at(-1) ?? ''
  if (last !== said && isWanted(last)) return true
  const [first = '', ...rest] = said.split(/[,.;!]\s+|\s+-+\s+/u)
  return isWanted(first) && !rest.some((one) => LEAVES.test(one))
}

const isWanted = (piece: string): boolean =>
  subjectsIn(piece).length === 1 && WANTS.test(piece) && !NEGATES.test(piece) && !LEAVES.test(piece)

/** What leaves it. */
const LEAVES =
  /\b(?:keep(?! the money)|leave|forget|skip|drop|stop|wait|later|never ?mind|changed my mind|nothing)\b/iu

const WANTS = /\b(?:rather|prefer|want|please|pls|plz|like|take|need|instead|then|just)\b/iu
const NEGATES = /\b(?:no|not|never|neither)\b|n't\b/iu

/** The word of the intent that gets a person. */
const PERSON = 'hand'

/** "No, just tell me when it comes": what was offered is declined, and the question stays. */
const ONLY_TELLS =
  /^\W*(?:no|nope|nah)(?: thanks?| thank you)?\b[\s,.!-]*(?:(?:please|i|just|only|simply|really|am|'m) )*((?:tell me|let me know|answer|want(?:ed)? to know|need(?:ed)? to know|asked|was asking|asking)\b.{8,})$/iu

/** "No, let me think about it". */
const THINKS_ABOUT =
  /^\W*(?:no|nope|nah)[\s,.!-]+(?:thanks[\s,.!-]+)?(?:let me|i(?:'ll| will| have to| need to| want to| must)?) (?:first |just )?(?:think|sleep|talk|ask)\b[^?]*$/iu

/** "Hmm, no. I'd rather talk to a colleague", where just that was offered. */
function wantsItAfterAll(text: string): boolean {
  const [, ...rest] = text.split(/(?<=[.!;])\s+/u)
  return rest.some(
    (one) => subjectsIn(one).includes(PERSON) && WANTS.test(one) && !NEGATES.test(one),
  )
}

/** It objects. */
const PLEADS = /^\W*(?:oh|come on|pretty)\W+please\W*$/iu

/** What a question depends on is no reply. */
const IF = /^\W*(?:(?:and|but|so|ok|hm+)\W+)*(?:if|when|once)\b[^.!?]*$/iu

const BUT = /^\W*but\b/iu

/** A no with a number may change what is open. */
const COUNTS = /\d|\b(?:one|two|three|half|only|just|both)\b/iu

/** "No wait, do I have to send it back?" asks that first, and wants nothing else. */
function askedFirst(question: string, lesson: Lesson, read: ReadText): Reading | null {
  const reading = read(question, lesson)
  const isPlain = reading.commands.every(
    (one) =>
      one.type === 'ask-knowledge' ||
      (one.type === 'start-task' && intentOf(lesson, one.intentId)?.confirm === false),
  )
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
