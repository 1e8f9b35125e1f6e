import { hesitates } from '../../dialogue/veto.ts'
import { type Command, isUnclear, readAs, type Reading } from '../command.ts'
import { isRequest } from '../clauses.ts'
import { type Lesson, openersFor, type ReadText } from '../lesson.ts'
import { replyOf } from '../phrases.ts'
import { asksAnywhere } from '../read-questions.ts'
import { smallTalkIn } from '../social.ts'
import { askedOfSubject } from './of-subject.ts'
import { CHOICE, plainReply, subjectsIn } from './plain-reply.ts'
import { piecesOf, saidAndAsked } from './said-and-asked.ts'

/** What is refused, and how a sentence is told to be a no. */
export interface Refusable {
  /** The word for what is open or offered. */
  readonly about: string
  readonly isNo: (sentence: string) => boolean
}

/**
 * A no in its first sentence, whatever is asked or told behind it: "No, I'll keep it. Do you have it in green?" The
 * rest is read as a message of its own, where nothing is open any more.
 */
export function refusedAndMore(
  text: string,
  { about, isNo }: Refusable,
  lesson: Lesson,
  read: ReadText,
): Reading | null {
  const [first = '', ...rest] = sentencesOf(text)
  if (rest.length === 0 || first.includes('?') || counts(first)) return null
  if (!isNo(first) || PAUSES.test(first)) return null
  const asking = rest.filter((sentence) => asksFor(sentence))
  const others = rest.filter((sentence) => !asking.includes(sentence))
  // "No. I only want one of them" may change what is open, and "no. Refund it instead" wants something else.
  const isBare = isBareNo(first)
  if (isBare && (asking.length === 0 || others.length > 0)) return null
  if (others.some((one) => replyOf(one) === 'yes' || requests(one, lesson))) return null
  // "No, it isn't broken. I'd rather return it" picks one of two.
  if (about === CHOICE && subjectsIn(others.join(' ')).length === 1) return null
  // "That helped, thanks. Bye" takes its leave.
  if (asking.length === 0 && smallTalkIn(text).length > 0) return null
  const more = withSubject(asking.join(' '), [first, ...others].join(' '))
  return readAs([{ type: 'deny' }, ...restRead(more, lesson, read)], 'it says no')
}

/** "No, I don't want a refund. Is my address right?", where nothing is open: only the rest asks for something. */
export function neverWanted(text: string, lesson: Lesson, read: ReadText): Reading | null {
  const [first = '', ...rest] = sentencesOf(text)
  const subjects = subjectsIn(first)
  const isRefused = subjects.every((about) => {
    const plain = plainReply(first, about)
    return plain.includes('nottheact') && !/\btheact/u.test(plain)
  })
  const isUnwanted = NOT_WANTED.test(first) && !NOT_COME.test(first)
  if (subjects.length === 0 || !isRefused || !isUnwanted || first.includes('?')) return null
  const asking = rest.filter(asksFor)
  return asking.length === 0
    ? null
    : readAs(restRead(asking.join(' '), lesson, read), 'it asks for something else than it refuses')
}

/** What has not come: "no refund yet". */
const NOT_COME = /\b(?:yet|so far|still|arrived|came|come|received|got|seen|showing)\b/iu

/** What is not wanted. */
const NOT_WANTED =
  /^\W*(?:(?:oh|ok|okay|well|but|hey|please)[\s,.!-]+)*(?:no|not a|don'?t|do not|stop)\b|\b(?:don'?t|do not|didn'?t|did not|never|not) (?:\p{L}+ )?(?:want|need|ask\p{L}*|like|looking|say|said|mean|meant)\b/iu

/** A sentence that leaves all as it is, where no other one wants it: "if it comes on Friday I can wait. Leave it." */
export function leftOrKept(
  text: string,
  { about }: Refusable,
  lesson: Lesson,
  read: ReadText,
): Reading | null {
  const { said, asked } = saidAndAsked(text)
  if (said.includes('?') || hesitates(said)) return null
  const pieces = piecesOf(said).map((piece) => piece.text)
  const others = pieces.filter((piece) => !LEAVES.test(piece))
  if (others.length === pieces.length) return null
  // "If you refund me I'll keep it" wants it.
  if (/\btheact/u.test(plainReply(said, about))) return null
  const isElse = others.some(
    (piece) => replyOf(piece) === 'yes' || requests(piece, lesson) || counts(piece),
  )
  return isElse
    ? null
    : readAs([{ type: 'deny' }, ...restRead(asked, lesson, read)], 'it leaves it')
}

/** "No, I'll rate it then. Where do I do that?": the question with what it refers to. */
export function withSubject(question: string, said: string): string {
  const told = piecesOf(said).slice(1)
  return told.length > 0 && /\b(?:do|find|get) (?:that|it|this)\b/iu.test(question)
    ? `${told.map(({ text }) => text).join('. ')}. ${question}`
    : question
}

/** What a question or a wish behind a no asks for; the documents where it reads like nothing. */
export function restRead(text: string, lesson: Lesson, read: ReadText): readonly Command[] {
  if (text === '') return []
  const subject = askedOfSubject(text, lesson)
  if (subject.length > 0) return subject
  const { context } = lesson
  const dialogue = { ...context.dialogue, open: null, choices: [] }
  const reading = read(text, { ...lesson, context: { ...context, dialogue } })
  const commands = reading.commands.filter(({ type }) => !REPLIES.has(type))
  return isUnclear(reading) || commands.length === 0
    ? [{ type: 'ask-knowledge', question: text }]
    : commands
}

const REPLIES: ReadonlySet<string> = new Set(['confirm', 'deny', 'cancel-task', 'wait', 'remark'])

const sentencesOf = (text: string): readonly string[] =>
  text.split(/(?<=[.!?;\n])\s+/u).filter((one) => /[\p{L}\p{N}]/u.test(one))

/** Whether a sentence asks something, or says what was asked. */
const asksFor = (sentence: string): boolean =>
  asksAnywhere(sentence) || SAYS_WHAT_WAS_ASKED.test(sentence)

const SAYS_WHAT_WAS_ASKED =
  /^\W*(?:(?:but|and|what|i mean)\W+)*(?:(?:(?:just|please|only) )*(?:tell|show) me\b|i(?:'m| am)? (?:just |only )?(?:asked|asking|was asking|wanted to know|meant|mean)\b|(?:my|the) question (?:is|was)\b)/iu

const requests = (piece: string, lesson: Lesson): boolean =>
  lesson.context.intents.some(({ id }) => isRequest(piece, openersFor(lesson, id)))

/** A no that says nothing of what is refused. */
const isBareNo = (sentence: string): boolean =>
  /^\W*(?:(?:oh|ok|okay|well|hm+|uh+|um+|ah|but|and|sorry|actually)[\s,.!-]+)*(?:no+|nope|nah|na|not really|no,? sorry|sorry,? no)\W*$/iu.test(
    sentence,
  )

/** What only gains time. */
const PAUSES =
  /\b(?:wait(?! (?:for|until|till))|hold on|hang on|one (?:moment|second|sec)|not (?:now|yet)|later)\b/iu

/** Whether a number or a limit may change what is open; "a different one" and "I just want" are none. */
const counts = (text: string): boolean => COUNTS.test(text.replace(NO_COUNT, ' '))

const NO_COUNT =
  /\b(?:an?|another|other|different|new) (?:\p{L}+ )?ones?\b|\bjust (?=want|need|was\b|am\b|looking|asking)/giu

const COUNTS = /\d|\b(?:one|two|three|half|only|just|both)\b/iu

const LEADS =
  '(?:(?:ok|okay|so|then|but|no|nope|just|please|actually|and|well|oh|ah|alright|fine|ugh|sorry|wait|rather|in that case)[\\s,]+)*'
const IF_IT_COMES =
  "(?:(?:if|when|since|as|because|as long as|now that) (?:it|they|the \\p{L}+|my \\p{L}+|that)(?:'s|'ll|'re)? [^,.]{0,40}?(?:com(?:e|es|ing)|arriv\\p{L}*|here|there|deliver\\p{L}*|on (?:its|the|their) way|days?|week|\\p{L}+day|tomorrow|today)\\b[^,.]{0,30}? )?"
const KEEPS =
  "(?:(?:i|we)(?:'ll| will| would|'d| can| could)? (?:rather |just |also |gladly |happily |then )?(?:keep|wait|hold on to)|(?:i(?:'m| am)|we(?:'re| are)) (?:just )?(?:keeping|waiting)|keep|leave|let it (?:be|come|ship|arrive))"
const WHAT_STAYS =
  '(?:[\\s,]+(?:it|both|them|that|this|everything|all|the order|my order|as it is|as they are|as is|for it|for them|then|anyway|after all|please|alone|thanks|thank you|a bit|a little|longer|a (?:few|couple of) days(?: more)?))*'

/** A piece that leaves all as it is. */
const LEAVES = new RegExp(`^\\W*${LEADS}${IF_IT_COMES}${KEEPS}${WHAT_STAYS}\\W*$`, 'iu')
