import type { JsonObject } from 'echelon/runtime'
import { itemsNamed } from '../../customer/items-named.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import type { Weighed } from '../../dialogue/work.ts'
import { fill } from '../../wording/fill.ts'
import * as sentences from '../../wording/sentences.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import { CANCEL, REFUND, RETURN } from '../../dialogue/known-intents.ts'

/** When money is back, or something is done. */
const WHEN =
  /\b(?:when|what (?:day|date)|which (?:day|date)|how (?:long|soon|fast|quick\p{L}*|many (?:\p{L}+ )?days)|by what time|(?:take|be|last|wait) (?:very |too |that |really )?long)\b/iu

/** What it costs the customer. */
const COSTS =
  /\b(?:(?:do|would|will|must|should|does|have to|need to) (?:i |we |it )?(?:have to |need to )?(?:pay|cost)|pays?|costs?|fees?|free|charged?|postage|shipping|label)\b/iu

/** What follows from it. */
const HAPPENS = /\bwhat (?:\p{L}+ )?(?:happens?|if)\b/iu

const HOW_MUCH =
  /\b(?:how much|what amount|which amount|(?:full|whole) (?:amount|sum|price|refund|money|[$]?\d)|all (?:of )?(?:the|my) money|everything|in full|entire|whole|the \p{L}+ sum|will i get|would i get)\b|[$]?\d+\.\d\d/iu

/** Whether it is done without waiting. */
const AT_ONCE =
  /\b(?:at once|today|right away|straight ?away|immediately|instant\p{L}*|now|directly|approv\p{L}*|colleague|same day|go through|need to wait|have to wait)\b/iu

/** What of a condition has not happened. */
const NOT_COME =
  /\b(?:n't|not|never|still|late|later|missing|lost)\b[^.!?]{0,40}\b(?:come|came|here|arriv\p{L}*|show\p{L}*|turn\p{L}*|deliver\p{L}*|make it|get here|by)\b|\b(?:late|lost|delay\p{L}*)\b/iu

/** What else a question of what would be asks: amounts from the order, times and costs from the documents. */
export function furtherAsked(
  settings: SupportSettings,
  state: SupportState,
  { intentId, params, verdict }: Weighed,
): readonly string[] {
  const { text } = state
  const about = ABOUT[intentId]
  const looked = [
    ...(verdict === 'denied' && intentId === REFUND && NOT_COME.test(text) ? [RULES] : []),
    ...(verdict !== 'denied' && COSTS.test(text)
      ? [isOfNewOrder(text, intentId) ? SECTIONS.deliveryCost : about?.costs]
      : []),
    ...(verdict !== 'denied' && (WHEN.test(text) || HAPPENS.test(text)) ? [about?.time] : []),
    ...(verdict === 'approval' && (AT_ONCE.test(text) || WHEN.test(text))
      ? [SECTIONS.approval]
      : []),
  ].flatMap((question) => question ?? [])
  const passages = looked.flatMap((question) => settings.knowledge(question) ?? [])
  const told = [...new Set(passages.map(sentences.fromSource))]
  const isPaid = intentId === RETURN && verdict !== 'denied' && HOW_MUCH.test(text)
  const paid = isPaid ? paidFor(state, params) : null
  return [...(paid === null ? [] : [paid]), ...told]
}

/** What it costs to have a thing sent that is ordered anew, after its order is cancelled. */
const isOfNewOrder = (text: string, intentId: string): boolean =>
  intentId === CANCEL && OF_SENDING.test(text)

const OF_SENDING = /\b(?:shipping|delivery|postage)\b/iu

const RULES = 'in which cases can I get my money back'
export const HOURS = 'when does a colleague answer'
export const MONEY_OF_CANCELLED = 'what happens to my money if I cancel'
export const RETURN_COSTS = 'does a return cost anything'
export const MONEY_TIME = 'how long does a refund take'

/** Questions that documents answer about what is weighed. */
const ABOUT: Readonly<Record<string, { readonly time: string; readonly costs: string }>> = {
  refund: { time: MONEY_TIME, costs: 'what if it arrived damaged' },
  return: { time: MONEY_TIME, costs: RETURN_COSTS },
  cancel: { time: MONEY_OF_CANCELLED, costs: 'is there a cancellation fee' },
}

function paidFor({ orders }: SupportState, params: JsonObject): string | null {
  const order = ownOrdersIn(orders).find(({ id }) => id === params[ORDER])
  const item = params[ITEM]
  if (order === undefined) return null
  const price = typeof item === 'string' ? itemsNamed(item, order).price : order.left
  return price === null ? null : fill('You paid {price|money} for it.', { price })
}
