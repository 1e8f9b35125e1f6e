import type { Message } from '../../packages/support/src/message.ts'
import { PlainMemory, PlainPolicy, plainRouter, YES } from './kit.ts'
import type { PolicyDecision } from '../../packages/support/src/primitives/policy-engine.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'

export const ESCALATED: PolicyDecision = {
  allowed: false,
  violations: ['it is a lot'],
  requiresEscalation: true,
}

/** The text said after these events, using the router itself. */
async function after(
  texts: readonly string[],
  decide: () => PolicyDecision = () => YES,
  id = 'before',
): Promise<readonly Message[]> {
  const memory = new PlainMemory()
  const { router } = plainRouter({ memory, policy: new PlainPolicy(decide) })
  for (const [nth, text] of texts.entries()) {
    await router.resolve({ id: nth === 0 ? id : `${id}-${nth}`, text, customerId: 'C-001' }, 's')
  }
  return memory.getHistory('s')
}

/** The same, as if the intents had been renamed. */
const renamed = (history: Json): Json =>
  JSON.parse(JSON.stringify(history).replaceAll('"intentId":"refund"', '"intentId":"repay"'))

const confirmation = await after(['refund O-11111'])
const blocked = await after(['refund O-11111', 'yes'], () => ESCALATED)

/** Every open state of a conversation. */
export const STANDINGS: Readonly<Record<string, Json>> = {
  'nothing was said': [],
  'nothing is open': await after(['status O-11111']),
  'a question is open': await after(['status; refund O-22222']),
  'a question was asked in vain twice': await after(['status', 'hm', 'hm']),
  'nothing was understood twice': await after(['hm', 'hm']),
  'a confirmation is open': confirmation,
  'a plan is blocked': blocked,
  'a plan is blocked, and a question is open': await after(
    ['refund O-11111', 'yes', 'status'],
    () => ESCALATED,
  ),
  'a person has it': await after(['person']),
  'a confirmation is open of an intent that is no more': renamed(confirmation),
  'a plan is blocked of an intent that is no more': renamed(blocked),
  'this was answered before': await after(['status O-11111'], () => YES, 'm'),
  'it is no conversation': 'broken',
}
