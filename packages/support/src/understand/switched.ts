import { isConditional } from './directives.ts'
import { type Reading, readAs } from './command.ts'
import { byRule, type Lesson } from './lesson.ts'
import { subjectOf, subjectsIn } from './replies/plain-reply.ts'
import { ORDER } from '../customer/resolve-order.ts'
import { CONFIRMATION } from '../turn/dialogue.ts'

/** Longer texts tell more than what is preferred. */
const MOST_WORDS = 14

const REFUSES = /\b(?:no|not|don'?t|never|without|instead of|rather than)\b|n't\b/iu

/** A no to what is open. */
const AT_FIRST = /^\W*(?:(?:no|nope|nah|wait|oh|ok|okay|hm+|sorry|actually)[\s,.!-]+)+/iu

/** Words by which another thing is preferred to the one that is open. */
const INSTEAD =
  /\b(?:instead|rather|better|prefer|after all|on second thoughts?|changed my mind|actually|then)\b/iu

const AGREES_AND =
  /^\W*(?:yes|yeah|yep|yup|sure)\b[^.!?]{0,20}?[.,!]*\s+(?:and|also|plus|then also)\b/iu

/** What gives the money back does not name another thing. */
const OF_MONEY: ReadonlySet<string> = new Set(['refund', 'cancel'])

/**
 * "Ok then refund", "actually return it", "a refund is better", where something else is open: it is left for the one
 * other thing that is named.
 */
export function switched(text: string, { context }: Lesson): Reading | null {
  const { open, choices } = context.dialogue
  const [choice, ...others] = choices
  const target =
    open === null
      ? others.length > 0
        ? undefined
        : choice
      : open.param === CONFIRMATION
        ? open
        : undefined
  if (target === undefined || target.params[ORDER] === undefined) return null
  if (
    !INSTEAD.test(text) ||
    REFUSES.test(text.replace(AT_FIRST, '')) ||
    text.includes('?') ||
    isConditional(text)
  )
    return null
  // "Yes. And cancel the shipment then" agrees to what is open.
  if (AGREES_AND.test(text)) return null
  if (text.split(/\s+/u).length > MOST_WORDS) return null
  const own = subjectOf(target.intentId)
  const [named, ...more] = subjectsIn(text)
  if (named === undefined || more.length > 0 || named === own) return null
  if (OF_MONEY.has(own) && OF_MONEY.has(named) && !/\b(?:refund|cancel)\b/iu.test(text)) return null
  const other = context.intents.find(
    ({ id, confirm, requiredParams }) =>
      confirm &&
      subjectOf(id) === named &&
      requiredParams.length === 1 &&
      requiredParams[0] === ORDER,
  )
  return other === undefined
    ? null
    : readAs([byRule(other.id, { [ORDER]: target.params[ORDER] })], 'it prefers something else')
}
