import type { Command } from '../../command.ts'
import type { Lesson } from '../../lesson.ts'
import { CANCELLED_MONEY, HOURS, SEND_BACK, WHICH_REMEDY } from '../../questions/standard.ts'
import { thingsIn } from '../../read-wishes.ts'
import type { Asked } from '../asked.ts'
import { CHOICE, subjectsIn } from '../plain-reply.ts'
import { wantsNewOne } from './preferred.ts'
import { SECTIONS } from '../../../knowledge/known-sections.ts'

/** Longer questions ask for more. */
const MOST_WORDS = 16

const COSTS =
  /\b(?:costs?|fees?|free(?: of charge)?|charged?|charges|penalty|postage|(?:have to|need to|must|do i|would i|will i|who) pays?|who(?:'s| is) paying|pay for (?:it|that|this|the (?:label|shipping|return|postage)))\b/iu
const HOW_LONG = /\b(?:how (?:long|soon|fast|quickly)|when|what time|until when)\b/iu
/** What it costs to have a thing sent that is ordered anew. */
const SENDING = /\b(?:shipping|postage)\b/iu
/** When a person would answer. */
const TODAY =
  /\b(?:they|he|she|someone|somebody|your|the|a|anyone)\b[^.!?]*\b(?:today|tomorrow|tonight|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|right away|immediately)\b/iu
const ALL_MONEY =
  /\b(?:all|full|whole|everything|complete|entire|the same)\b[^.!?]{0,30}\b(?:money|back|amount|price|sum|refund\p{L}*)\b|\b(?:money|refund\p{L}*)\b/iu
/** A time that the rules give, and no person. */
const PERIOD =
  /\b(?:\d+|thirty|those|these|the) days\b|\bcount(?:s|ed|ing)?\b|\b(?:period|window|deadline|delivery|delivered)\b/iu
/** What has happened, or has not. */
const OF_NOW = /\b(?:already|yet|on (?:its|the) way|been|was|were|did|has|arrived|sent)\b/iu
const COMES_LATER =
  /\b(?:if|when|once|in case|should|and if)\b[^.!?]{0,25}\b(?:comes?|arrives?|(?:shows?|turns?) up|gets? here|delivered|arrive)\b/iu
const SENT_BACK = /\b(?:send|return|give|ship|mail|keep|post|back|then)\b/iu
const ALONE =
  /^\W*(?:(?:and|but|so|ok|what)\W+)*(?:what )?(?:if|when|should) (?:it|they|the \p{L}+(?: \p{L}+)?) (?:still |then |does |actually |ever )*(?:comes?|arrives?|(?:shows?|turns?) up)\b[^,.]{0,25}\?\W*$/iu
const WRAPPED = /\b(?:box|boxes|packag\p{L}*|carton|wrap\p{L}*|envelope|receipt|tags?|bag)\b/iu

const GIVEN_BACK = /\bhow much\b[^.!?]*\bback\b/iu

const GETS = /\bhow (?:do|can|could|would|should) (?:i|we|one) (?:then |now )?(?:get|order|buy)\b/iu

/** Words of something else than what is open. */
const ELSE =
  /\b(?:deliver\p{L}*|express|address|exchange|swap|new one|another|other|compensat\p{L}*|discount|voucher|invoice|warranty|driver|neighbou?r)\b/iu

/** What a question asks about what is open or offered, in words that name nothing of their own; `null` for others. */
export function askedOfPlan(question: string, { about }: Asked, lesson: Lesson): Command | null {
  if (!question.includes('?') || question.split(/\s+/u).length > MOST_WORDS || ELSE.test(question))
    return null
  const isOther = subjectsIn(question).some((one) => one !== about && !OF_MONEY.has(one))
  if (isOther && about !== CHOICE) return null
  const found = questionOf(question, about, lesson)
  return found === null ? null : { type: 'ask-knowledge', question: found }
}

const OF_MONEY: ReadonlySet<string> = new Set(['refund'])

function questionOf(text: string, about: string, lesson: Lesson): string | null {
  const { choices } = lesson.context.dialogue
  if (GETS.test(text) && wantsNewOne(text)) return SECTIONS.placingOrder
  switch (about) {
    case 'cancel':
      if (SENDING.test(text)) return SECTIONS.deliveryCost
      if (COSTS.test(text)) return SECTIONS.cancelFee
      if (GIVEN_BACK.test(text)) return CANCELLED_MONEY
      return ALL_MONEY.test(text) && !HOW_LONG.test(text) && !OF_NOW.test(text)
        ? CANCELLED_MONEY
        : null
    case 'return':
      if (COSTS.test(text) && !ALL_MONEY.test(text)) return SECTIONS.returnCost
      return WRAPPED.test(text) && thingsIn(text, lesson).length === 0 ? SECTIONS.packaging : null
    case 'hand':
      if (PERIOD.test(text) || thingsIn(text, lesson).length > 0) return null
      return HOW_LONG.test(text) || TODAY.test(text) ? HOURS : null
    case 'refund':
      return ALONE.test(text) || (COMES_LATER.test(text) && SENT_BACK.test(text)) ? SEND_BACK : null
    case CHOICE: {
      if (!choices.some(({ intentId }) => intentId === 'return')) return null
      if (COSTS.test(text) && !/\brefund/iu.test(text)) return SECTIONS.returnCost
      return /\ball\b|\bfull\b|\bwhole\b/iu.test(text) && subjectsIn(text).includes('return')
        ? WHICH_REMEDY
        : null
    }
    default:
      return null
  }
}
