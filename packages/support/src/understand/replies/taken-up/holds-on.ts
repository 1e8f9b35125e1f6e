import { HAND_OVER } from '../../../turn/hand-over.ts'
import { type Reading, readAs } from '../../command.ts'
import { isRequest } from '../../clauses.ts'
import { type Lesson, openersFor, type ReadText } from '../../lesson.ts'
import { replyOf } from '../../phrases.ts'
import { restRead } from '../no-and-more.ts'
import { subjectsIn } from '../plain-reply.ts'
import { tellsOfIt } from '../remarks-beside.ts'
import { piecesOf, saidAndAsked } from '../said-and-asked.ts'

/** What only gains time: "hang on", "one sec, let me look", "give me five minutes". */
const HOLDS_ON =
  /^\W*(?:(?:actually|ok|okay|oh|hm+|uh+|um+|well|but|sorry|no|hey|so|yes|and|please|pls|wait|just|can you|could you|you)\W+)*(?:(?:please )?wait(?!ed|ing)(?! (?:for(?! me\b| a\b)|until|till|to|and see)\b)|hold (?:on|it|the line|your horses)|hang on|stand by|bear with me|brb|be right back|(?:i'?ll|i will|i'?m) (?:be )?(?:right )?back in a\b|not so fast|(?:(?:just|only|in) )?(?:a|one|1)(?: (?:quick|short|little))? (?:moment|mo|second|sec|minute|min)\b|moment please|(?:give me|gimme|need) (?:just )?(?:a|an|one|two|three|five|ten|\d+|some)(?: (?:more|few))? (?:moments?|sec(?:ond)?s?|minutes?|mins?|bit|while|time)|(?:i (?:have|need) to|i'?ll|let me|i want to|gotta) (?:just |quickly |first )*(?:check|look|see|ask|find|grab|get|verify|compare|measure|test|try|think|read|count|go and)(?!\p{L}))/iu

/** What waits for longer than this conversation: "leave it for now". */
const LEAVES_FOR_NOW =
  /\b(?:leave|keep|let) (?:it|that|this|them|these|everything|the order)(?: (?:be|open|alone|there|like (?:that|this)|as (?:it|they) (?:is|are)|as is|at that))? for (?:now|the moment|the time being|today)\b|\bnothing for now\b/iu

/** What customers do themselves in the meantime. */
const OWN =
  /^\W*(?:(?:ok|okay|so|then|and|but|no|well)\W+)*(?:i'?ll|i will|let me|i'?m going to|i have to)\b/iu

/** Another value, or another wish, behind it. */
const GIVES_MORE =
  /\d|\b(?:i mean[t]?|rather|instead|prefer|wrong|half|only|both|other|want|changed my mind|never ?mind|forget|works? (?:again|now|after)|found|arrived|keep|leave)\b/iu

/** "Someone" may be at the door. */
const PERSON = /\b(?:colleagues?|human|agent|manager|real person)\b/iu

/** Longer texts tell more. */
const MOST_WORDS = 20

/** Whether a text only gains time, whatever it tells beside that: "hang on, it makes a weird noise". */
export function holdsOn(text: string, lesson: Lesson): boolean {
  if (text.includes('?') || text.split(/\s+/u).length > MOST_WORDS) return false
  const rest = afterHold(text)
  if (rest === text) return false
  const isReply = piecesOf(rest).some(
    (piece) => replyOf(piece.text) !== null && !isPause(piece.text),
  )
  return (
    !GIVES_MORE.test(rest) &&
    !isReply &&
    !subjectsIn(rest).some((one) => one !== 'hand' || PERSON.test(rest)) &&
    !asksFor(rest, lesson)
  )
}

function afterHold(text: string): string {
  const [lead = ''] = HOLDS_ON.exec(text) ?? []
  return lead === '' ? text : afterHold(text.slice(lead.length))
}

/** "Hold on, first tell me what it costs": what is asked before anything is said to what is open. */
export function askedAfterHold(text: string): string | null {
  const rest = afterHold(text.replace(NO_BEFORE, ''))
  const [, question] = rest === text ? [] : (FIRST.exec(rest) ?? [])
  return question ?? null
}

/** "No, first I want to know when it comes" refuses nothing yet. */
const NO_BEFORE = /^\W*(?:no|not yet|not now)[\s,.!-]+(?=(?:but |and )?(?:first|before that)\b)/iu

const FIRST = /^\W*(?:but |and )?(?:first|before that)\b[\s,:]*(.+)$/iu

const isPause = (piece: string): boolean => HOLDS_ON.test(piece)

const asksFor = (text: string, lesson: Lesson): boolean =>
  piecesOf(text).some(
    (piece) =>
      !tellsOfIt(piece.text) &&
      lesson.context.intents.some(
        ({ id }) =>
          (id !== HAND_OVER || PERSON.test(piece.text)) &&
          isRequest(piece.text, openersFor(lesson, id)),
      ),
  )

/** "Leave it for now, does it ship today?": what is open is left, and what is asked is read as if it were said alone. */
export function leftForNow(text: string, lesson: Lesson, read: ReadText): Reading | null {
  const { said, asked } = saidAndAsked(text)
  if (!LEAVES_FOR_NOW.test(said)) return null
  const others = piecesOf(said.replace(LEAVES_FOR_NOW, ' ')).filter((one) => !OWN.test(one.text))
  const isElse = others.some(
    (piece) =>
      replyOf(piece.text) === 'yes' &&
      !/^\W*(?:ok(?:ay)?|fine|all ?right|good|right|thanks?|please|pls|\s)+\W*$/iu.test(piece.text),
  )
  return isElse ||
    subjectsIn(said).length > 0 ||
    asksFor(others.map((one) => one.text).join(', '), lesson)
    ? null
    : readAs([{ type: 'deny' }, ...restRead(asked, lesson, read)], 'it leaves it for now')
}
