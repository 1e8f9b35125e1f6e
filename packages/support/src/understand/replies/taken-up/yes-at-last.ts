import { SEND_BACK } from '../../questions/standard.ts'
import { doubtOfYes } from '../../../dialogue/veto.ts'
import { type Command, readAs, type Reading } from '../../command.ts'
import { type Lesson } from '../../lesson.ts'
import { thingsIn } from '../../read-wishes.ts'
import type { Asked } from '../asked.ts'
import { subjectsIn } from '../plain-reply.ts'

/** "I won't send it in, I only wondered if it's mine then. Yes, refund it": a plain yes behind what was only asked. */
export function yesAtLast(text: string, { about, isOffer }: Asked, lesson: Lesson): Reading | null {
  const sentences = text.split(/(?<=[.!;])\s+/u)
  const last = sentences.at(-1) ?? ''
  const before = sentences.slice(0, -1)
  if (isOffer || before.length === 0 || text.includes('?') || !isPlainYes(last)) return null
  const named = subjectsIn(last)
  if (named.length !== 1 || named[0] !== about || doubtOfYes(last) !== null) return null
  if (thingsIn(last, lesson).length > 0 || !before.every((one) => onlyAsked(one, about)))
    return null
  const question = about === REFUND && OF_KEEPING.test(text) ? SEND_BACK : before.join(' ')
  const asked: Command = { type: 'ask-knowledge', question }
  return readAs([{ type: 'confirm', said: last }, asked], 'it says yes behind what it asked')
}

const REFUND = 'refund'

const isPlainYes = (sentence: string): boolean => PLAIN_YES.test(sentence)

const PLAIN_YES =
  /^\W*(?:(?:so|and|ok|okay)[\s,]+)?(?:yes|yeah|yep|yup)\b[\s,!]*(?:please[\s,]+)?(?:just )?(?:do|make|start|go ahead with|cancel|refund|return)\b(?: (?:the|it|my|that|a|me|refund|return|cancell?ation|money))*(?: (?:please|now|then|thanks))*\W*$/iu

/** Whether a sentence only says what was asked, and at most that something else is not wanted. */
const onlyAsked = (sentence: string, about: string): boolean =>
  ONLY_ASKED.test(sentence) && !subjectsIn(sentence).includes(about)

const ONLY_ASKED =
  /^\W*(?:(?:no|sorry|ok|well|oh|but|and)[\s,]+)*(?:(?:i(?:'m| am)? |im )?(?:not|won'?t|don'?t want to) (?:be )?(?:return|send|ship|post)\p{L}*(?: (?:it|them|that|anything))?(?: (?:back|in))?[\s,;]+)?(?:(?:but|and)\s+)?(?:i(?:'m| am| was)? |im )?(?:(?:just|only|simply) )?(?:asking|asked|wondering|wondered|want(?:ed)? to know|curious)\b[^.!?]*[.!;]?$/iu

const OF_KEEPING = /\b(?:keep|mine|send|return)\b/iu
