import { namedOrder } from '../../../customer/resolution.ts'
import { ORDER } from '../../../customer/resolve-order.ts'
import { doubtOfYes } from '../../../dialogue/veto.ts'
import { BY_RULE, readAs, type Reading } from '../../../understand/command.ts'
import type { SupportState } from '../../support-state.ts'
import { askedFor } from '../plan-scope.ts'

/** "Yes, and the kettle too", where another order is to be confirmed: a yes, and the same for the order of that thing. */
export function yesForTwo(state: SupportState): Reading | null {
  const asked = askedFor(state)
  const [, yes = '', rest = ''] = YES_AND_THING.exec(state.text) ?? []
  if (asked === null || rest === '' || doubtOfYes(yes) !== null) return null
  if (doubtOfYes(rest.replaceAll('?', '')) !== null) return null
  const other = namedOrder({ ...state, text: rest })
  if (other === null || other === asked.params[ORDER]) return null
  const task = { intentId: asked.intentId, params: { [ORDER]: other }, confidence: BY_RULE }
  return readAs(
    [
      { type: 'confirm', said: yes },
      { type: 'start-task', ...task, said: rest },
    ],
    'it says yes, and wants the same for another order',
  )
}

/** A yes, and behind it a thing that is wanted as well; "what about the kettle?" only asks. */
const YES_AND_THING =
  /^\W*((?:yes|yeah|yep|yup|sure|ok(?:ay)?)(?:[\s,]+(?:please|pls|sure|do it|do that|go ahead))*)[\s,.!;-]+((?:(?:and|plus|also) )*(?:can you |could you |please )?(?:do |cancel |refund |return )?(?:the|my|that)? ?(?:\p{L}+ ){0,2}\p{L}+(?:,? (?:too|also|as well|please|pls))*(?:,? can (?:that|it) (?:one )?be (?:cancell?ed|refunded|returned|done)(?: too| as well| also)?)?)\W*$/iu
