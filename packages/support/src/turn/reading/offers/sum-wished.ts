import type { Intent } from '../../../intent.ts'
import { readAs, type Reading } from '../../../understand/command.ts'
import type { SupportState } from '../../support-state.ts'
import { askedFor, planScope } from '../plan-scope.ts'
import { REFUND } from '../../../dialogue/known-intents.ts'

/** "$40 back to my card please": that very sum, asked for where just its refund is to be confirmed, or is offered. */
export function sumWished(state: SupportState, intent: Intent | undefined): Reading | null {
  const [, sum, back, wish] = SUM_WISHED.exec(state.text) ?? []
  if (sum === undefined || (back === undefined && wish === undefined)) return null
  if (askedFor(state)?.intentId !== REFUND || intent?.id !== REFUND) return null
  return planScope(state, intent)?.amount === Number(sum)
    ? readAs([{ type: 'confirm' }], 'it asks for the very sum')
    : null
}

const ACCOUNT =
  '(?:to|on|onto|into|in) (?:my|the|that) (?:\\p{L}+ )?(?:card|account|paypal|bank|visa|mastercard)'

const SUM_WISHED = new RegExp(
  `^\\W*(?:(?:ok(?:ay)?|fine|then|so|just|the|my|all|full|whole|entire|i(?:'d| would) like|i want|i'?ll take|give me|refund(?: me)?) )*\\$?(\\d+(?:\\.\\d\\d)?)(?: (?:dollars|bucks|usd))?( back(?: ${ACCOUNT})?| ${ACCOUNT})?([\\s,.]+(?:please|pls|plz|would be (?:great|good|perfect|nice|lovely)))?(?:[\\s,.!]+(?:please|pls|then|thanks?|thank you|thx))*\\W*$`,
  'iu',
)
