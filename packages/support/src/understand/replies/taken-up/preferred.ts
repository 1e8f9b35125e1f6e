import { ORDER } from '../../../customer/resolve-order.ts'
import { CONFIRMATION, type QueuedIntent } from '../../../turn/dialogue.ts'
import { HAND_OVER } from '../../../turn/hand-over.ts'
import { type Command, readAs, type Reading } from '../../command.ts'
import { isConditional } from '../../directives.ts'
import { byRule, type Lesson, type ReadText } from '../../lesson.ts'
import { newOneOf } from '../../questions/standard.ts'
import { thingsIn } from '../../read-wishes.ts'
import type { Asked } from '../asked.ts'
import { restRead } from '../no-and-more.ts'
import { chosen } from '../chosen.ts'
import { picked } from '../pick-choice.ts'
import { CHOICE, subjectOf, subjectsIn } from '../plain-reply.ts'
import { SECTIONS } from '../../../knowledge/known-sections.ts'

/** Longer texts tell more than what is preferred. */
const MOST_WORDS = 30

const PREFERS =
  /\b(?:i'?d|i would|we'?d|we would|id) (?:much |really |still |actually )?(?:rather|prefer|like|love)\b|\b(?:i|we) (?:just |really |only |still |actually )?(?:want|wanted|need|prefer)\b|\b(?:can|could) (?:you|i|we) (?:just |not |please )*(?=\p{L})|^\W*(?:no|nope|not)\b[^.!?]*[.,;!]\s*(?:please )?(?:just |simply )?(?:send|give|get|refund|return|cancel|exchange|replace|swap|make it)\b|\b(?:an? |the )?(?:\p{L}+ )?\p{L}+ (?:would be|is|sounds) (?:much )?(?:better|preferable)\b/iu

/** What is not wanted, said beside it. */
const NOT_WANTED =
  /\bto (?:the|my|a) (?:money|cash|refund)\b|\b(?:than|instead of|not|no|without|don'?t want|do not want)\b[^.,;!?]*|\b(?:it'?s|it is|they'?re|they are) (?:not|n't)\b[^.,;!?]*/giu

/** "And those, can I send them back?" takes what was offered. */
const CAN_I =
  /\bcan (?:i|we) (?:just |also |still )?(?:send|return|ship|give|bring) (?:it|them|those|these|this|that|the \p{L}+)(?: back)?\W*$/iu

/** A no that only introduces what is wanted. */
const NO_FIRST =
  /^\W*(?:(?:hm+|oh|well|ok|okay|sorry|actually|and|but)\W+)*(?:(?:no|nope|nah|wait|hang on|thanks|thank you)(?=[\s,.!-]+(?:no|wait|i|we|id|thanks|thank|please|then|just|can|could|actually|rather|an?)\b)[\s,.!-]+)*/iu

/** What stays with the customer asks for nothing. */
const STAYS =
  /\b(?:rather|prefer|like|want|need|just)\b (?:to |just |simply |it to )*(?:keep|wait|leave|hold|not|stay|think|stop|know|ask|check|see|talk|speak)(?:ing)?\b/iu

const NEW =
  '(?:a |an |the |my |me |us |it |one |two |both |some |for |with )*(?:brand[- ])?(?:new|another|replacements?|different|fresh|intact|unbroken|undamaged|working|missing|correct|right|proper|whole|second|bigger|smaller|larger|next|other (?:size|colou?r))\\b(?! (?:day|date|time|address|card|order|week|place|street|one of your|colleague|person))'
const NEW_THING = new RegExp(
  `\\b(?:send|sent|get|give|ship|have|want|like|prefer|need|with|for|into|rather)\\b (?:me |us |to |you |have |get |receive |it |them )*${NEW}|\\b(?:exchang\\p{L}*|replac\\p{L}*|swap\\p{L}*|trade (?:it|them) in)\\b|\\bin (?:a )?(?:size|another|a different)\\b|^(?:and )?(?:a|another|two) new (?:one|ones)\\b|\\b(?:want|need|like|have|get|prefer|take) (?:an?|the|size|it in|them in) (?:a |an |size )*(?:[1-5]?\\d(?:\\.5)?|xs|xxl|xl|small|medium|large)(?! ?(?:dollars|bucks|%|percent|of|refund|back))(?![\\p{L}\\d.])|\\b(?:an?|one) \\p{L}+ (?:that|which)(?:'s| is| isn'?t| works| fits)\\b`,
  'iu',
)

/** Whether a piece wants a new thing in place of the one it is about. */
export const wantsNewOne = (text: string): boolean =>
  NEW_THING.test(text.replaceAll(NOT_WANTED, ' '))

/** "No wait, I'd rather return it", "I'd rather have a new one than the money": another thing in place of what is asked. */
export function preferred(
  text: string,
  asked: Asked,
  lesson: Lesson,
  read: ReadText,
): Reading | null {
  if (text.split(/\s+/u).length > MOST_WORDS || isConditional(text)) return null
  if (!PREFERS.test(text) || STAYS.test(text)) return null
  const said = text.replace(NO_FIRST, '')
  const wanted = said.replaceAll(NOT_WANTED, ' ')
  const subjects = subjectsIn(wanted)
  const { open, choices } = lesson.context.dialogue
  const target = open?.param === CONFIRMATION ? open : choices[0]
  if (subjects.length === 0) {
    const isRefused = subjectsIn(said).includes(asked.about) && thingsIn(wanted, lesson).length > 0
    return (
      newOne(wanted, asked, lesson) ??
      // "I'd rather have the mat than the money", where it is still to come.
      (isRefused && open !== null ? readAs([{ type: 'deny' }], 'it wants the thing itself') : null)
    )
  }
  const [named, ...more] = subjects
  if (named === undefined || more.length > 0) return null
  if (text.includes('?') && !(asked.about === CHOICE && CAN_I.test(text))) return null
  if (asked.about === CHOICE) {
    const sentence = lastOf(wanted, named)
    return chosen(sentence, lesson) ?? picked(sentence, lesson)
  }
  if (named === asked.about || target === undefined) return null
  if (target.params[ORDER] !== undefined) return otherAct(named, target, lesson)
  // Where only a person was offered, it is read as if it were said alone.
  const rest = restRead(said, lesson, read)
  return rest.every(({ type }) => type === 'start-task')
    ? readAs([{ type: 'deny' }, ...rest], 'it wants something else than a person')
    : null
}

/** The sentence that names what is wanted. */
const lastOf = (text: string, subject: string): string =>
  (
    text.split(/(?<=[.!;])\s+/u).findLast((one) => subjectsIn(one).includes(subject)) ?? text
  ).replace(/^\W*(?:(?:and|but|so)\W+)*what about [^,?]*[,?]\s*(?=\p{L})/iu, '')

/** Another thing that can be done with the same order. */
function otherAct(named: string, { params }: QueuedIntent, { context }: Lesson): Reading | null {
  const other = context.intents.find(
    ({ id, confirm, requiredParams }) =>
      confirm &&
      subjectOf(id) === named &&
      requiredParams.length === 1 &&
      requiredParams[0] === ORDER,
  )
  if (other === undefined) return null
  if (params[ORDER] === undefined)
    return readAs([{ type: 'follow-up', about: 'why' }], 'it objects')
  return readAs([byRule(other.id, { [ORDER]: params[ORDER] })], 'it prefers something else')
}

/** The thing itself, or a new one: what can be done is offered again behind the answer. */
function newOne(wanted: string, { about }: Asked, lesson: Lesson): Reading | null {
  const { choices } = lesson.context.dialogue
  if (about === 'address' && PICKS_UP.test(wanted)) {
    return readAs(
      [{ type: 'ask-knowledge', question: SECTIONS.howDelivered }],
      'it wants to pick it up',
    )
  }
  const isOfThing =
    about === CHOICE
      ? choices.some(({ intentId }) => OF_THINGS.has(intentId))
      : OF_THINGS.has(about)
  const isItself = ITSELF.test(wanted) && thingsIn(wanted, lesson).length > 0
  const isOfMissing = about === CHOICE && choices.some(({ intentId }) => intentId === HAND_OVER)
  if (!isOfThing || !(NEW_THING.test(wanted) || (isItself && isOfMissing))) return null
  const command: Command = { type: 'ask-knowledge', question: newOneOf(wanted) }
  return readAs([command], 'it wants a new one')
}

const OF_THINGS: ReadonlySet<string> = new Set(['refund', 'return'])
const PICKS_UP = /\b(?:pick|collect|get|fetch) (?:it|them|the \p{L}+)(?: up)?\b/iu
const ITSELF = /\b(?:have|get|want|like|receive|prefer)\b (?:just |only )?(?:the|my|a)\b/iu
