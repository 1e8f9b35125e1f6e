import { type Command, readAs, type Reading } from '../../command.ts'
import type { Lesson } from '../../lesson.ts'
import { MEANS } from '../../questions/standard.ts'
import type { Asked } from '../asked.ts'
import { SECTIONS } from '../../../knowledge/known-sections.ts'

/** How a parcel is to be handed over, which nobody here can pass on. */
const FOR_DRIVER =
  /\b(?:leave|drop|put|place|hand|set|hide|give) (?:it|them|the (?:parcel|package|box|order))(?: off)? (?:with (?!me\b)|to (?:my|the) (?:neighbou?r|doorman|concierge|front desk|reception|porter|janitor)|by the|behind|under|next to|inside|outside|in (?:the|my) (?:garage|mailbox|letter ?box|hall\p{L}*|lobby|shed|basement|back ?yard|garden|car ?port)|on (?:the|my) (?:porch|step|steps|door\p{L}*|patio|balcony|terrace|deck)|at (?:the|my) (?:door|front door|back\p{L}*|side|reception|front desk|gate|neighbou?r\p{L}*))|\b(?:ring|knock|buzz)(?:ing)?\b|\b(?:door ?bell|gate code|intercom|side door|back door|safe place|signature|sign for it|(?:the|your) (?:driver|courier|delivery (?:guy|man|person))|call me (?:before|when)|text me (?:before|when))\b/iu

/** Another way to get the money than the one by which it was paid. */
const OTHER_MEANS =
  /\b(?:to|on|onto|into|via|by|in|as|through|with) (?:my |a |an |the |another |store )*(?:paypal|venmo|zelle|apple pay|google pay|cash|gift card|store credit|voucher|credit|iban|(?:(?:other|another|new|different|bank|debit|credit|second|savings|checking|wife'?s|husband'?s|girlfriend'?s|boyfriend'?s|partner'?s|mom'?s|dad'?s) )+(?:credit |debit |bank )?(?:card|account))\b|\b(?:by|as a|with a|via|in a) (?:check|cheque)\b|\b(?:my|a|another|the) (?:(?:other|new|different|wife'?s|husband'?s|girlfriend'?s|boyfriend'?s|partner'?s|mom'?s|dad'?s) )+(?:credit |debit |bank )?(?:card|account)(?=\W*(?:please|instead|pls)?\W*$)/iu

/** What gives the money back. */
const OF_MONEY: ReadonlySet<string> = new Set(['refund', 'cancel', 'return'])

/** A part of what is open that is wrong, without the right one. */
const PART =
  '(?:zip(?: ?code)?|post(?:al)? ?code|street(?: (?:name|number))?|house number|number|address|house|city|town|state|apartment|apt|unit|amount|sum|price|name|spelling|quantity)'
const WRONG = new RegExp(
  `^\\W*(?:(?:no|oh|wait|sorry|hmm+|oops|but|and|ah|hey|ok|okay)\\W+)*(?:(?:the|that|this|your|my) )?(?:wrong ${PART}|${PART} (?:is|was|looks|seems|'s)(?: (?:still|all|completely|totally))? (?:wrong|incorrect|off|not right|not correct|mistaken|misspelled|false)|${PART} isn'?t (?:right|correct)|(?:there(?:'s| is) )?(?:a )?(?:typo|mistake|error|spelling mistake) in (?:it|there|that|the ${PART})|misspelled(?: the ${PART})?|(?:a )?typo)[\\s.!]*(?:(?:sorry|please|there)[\\s.!]*)*$`,
  'iu',
)

/** A detail beside what is open: one that can't be passed on, or a part of it that is wrong. It agrees to nothing. */
export function detail(text: string, asked: Asked, lesson: Lesson): Reading | null {
  if (asked.isOffer && lesson.context.dialogue.choices[0]?.agreed === undefined) return null
  if (WRONG.test(text))
    return readAs([{ type: 'wait', for: 'value' }], 'it says that a part is wrong')
  if (text.includes('?') || REFUSES.test(text)) return null
  const question = detailOf(text, asked)
  return question === null ? null : readAs([lookUp(question)], 'it adds what can not be done')
}

const lookUp = (question: string): Command => ({ type: 'ask-knowledge', question })

function detailOf(text: string, { about }: Asked): string | null {
  if (about === 'address' && FOR_DRIVER.test(text)) return SECTIONS.toDriver
  return OF_MONEY.has(about) && OTHER_MEANS.test(text) ? MEANS : null
}

const REFUSES = /^\W*(?:(?:oh|ok|okay|hm+|well|sorry)\W+)*(?:no|nope|nah|don'?t|do not|never)\b/iu
