import { cents } from '../../customer/own-order.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import type { Command } from '../../understand/command.ts'
import { asksAnywhere } from '../../understand/read-questions.ts'
import { intentsOf } from '../reading/offered.ts'
import { askedFor, planScope } from '../reading/plan-scope.ts'
import { isReading } from '../reading/reads-only.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { ORDER_PAYMENT, REFUND } from '../../dialogue/known-intents.ts'

const IN_FULL =
  /\b(?:full|whole|entire|complete|total)\b|\ball (?:of )?(?:it|that|(?:the|my) money)\b|\b(?:everything|it all|all) back\b|\bthe same (?:amount|sum|price)\b|\bin full\b/iu
/** Other questions with such words. */
const OF_ELSE =
  /\b(?:when|how (?:long|soon|fast|quick\p{L}*)|order|parcel|package|box|shipping|delivery|inside|contents?|why|address)\b/iu
const MOST_WORDS = 14

/** "Would that be the full price?", where a refund waits for a yes: whether its amount is all that was paid. */
export function refundInFull(
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly TaskCommand[] | null {
  const { text } = state
  const plan = state.dialogue.open === null ? null : askedFor(state)
  if (plan?.intentId !== REFUND || !mayAsk(settings, command)) return null
  if (!asksAnywhere(text) || !IN_FULL.test(text) || OF_ELSE.test(text)) return null
  if (text.split(/\s+/u).length > MOST_WORDS) return null
  const scope = planScope(state, settings.registry.find(REFUND))
  const tells = intentsOf(settings, state).find(({ id }) => id === ORDER_PAYMENT)
  if (scope === null || tells === undefined) return null
  const paid =
    plan.params[ITEM] === undefined
      ? scope.order.amount
      : cents(scope.items.reduce((sum, { price }) => sum + (price ?? Number.NaN), 0))
  const item = plan.params[ITEM]
  const params = { [ORDER]: scope.order.id, ...(typeof item === 'string' && { [ITEM]: item }) }
  const isAll = scope.amount !== null && scope.amount === paid
  return [
    {
      type: 'start-task',
      intentId: tells.id,
      params,
      confidence: 1,
      ...(isAll && { asks: ['in_full'] }),
    },
  ]
}

/** Whether such a question may have been read as this. A yes or a no is not a question. */
const mayAsk = (settings: SupportSettings, command: Command): boolean =>
  command.type === 'ask-knowledge' ||
  command.type === 'unclear' ||
  command.type === 'follow-up' ||
  command.type === 'remark' ||
  (command.type === 'start-task' &&
    (command.intentId === REFUND || isReading(settings, command.intentId)))
