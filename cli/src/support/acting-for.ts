import { EchelonError } from 'echelon/runtime'
import type { Customer, Message } from '@echelon/support'
import { clean } from '../terminal/clean.ts'
import { STARTED_AS } from '../started-as.ts'
import type { Shop } from './shop.ts'

/** For whom the agent acts, as whoever sits here vouches. */
export interface ActingFor {
  readonly id: string | null
  readonly record: Customer | null
  /** Such as `Maya Patel (C-001), standard customer`. */
  readonly title: string
}

/** Who it is where nobody is named, of the demo orders. */
const DEMO_CUSTOMER = 'C-001'

/** What stands for no customer at all. */
const NOBODY = 'none'

/**
 * The customer that is named, or whose conversation it is already.
 * @throws EchelonError INVALID_INPUT for one that is unknown, and for another's conversation
 */
export async function actingFor(
  asked: string | undefined,
  shop: Shop,
  history: readonly Message[],
): Promise<ActingFor> {
  const before = whoseConversation(history)
  const id = idOf(asked, shop, before)
  if (before !== undefined && before !== id) {
    throw usage(
      `this conversation was begun for ${before === null ? 'nobody' : clean(before)}, and what was said in it is theirs; leave out --customer, or name another --session`,
    )
  }
  if (id === null) return { id, record: null, title: 'nobody: no customer is known' }
  const record = await shop.source.getCustomer(id)
  if (record === null) throw usage(`there is no customer ${clean(id)} here; ${whoThereIs(shop)}`)
  return { id, record, title: titleOf(id, record) }
}

/** Nothing before anybody said anything. */
function whoseConversation(history: readonly Message[]): string | null | undefined {
  const said = history.findLast(({ role }) => role === 'user')
  if (said === undefined) return undefined
  const id = said.metadata['customerId']
  return typeof id === 'string' ? id : null
}

function idOf(
  asked: string | undefined,
  { isDemo }: Shop,
  before: string | null | undefined,
): string | null {
  if (asked === NOBODY) return null
  if (asked !== undefined) return asked
  if (before !== undefined) return before
  if (isDemo) return DEMO_CUSTOMER
  throw usage('--data needs a customer to act for; add --customer and an id, or --customer none')
}

const whoThereIs = ({ customerIds }: Shop): string => {
  if (customerIds === undefined) return 'name one that the database has, or none'
  if (customerIds.length === 0) return 'there are none: put customers.json beside the orders'
  return `${STARTED_AS} support --customers lists those there are, and --customer none acts for nobody`
}

export function titleOf(id: string, { name, tier }: Customer): string {
  const named = typeof name === 'string' ? `${clean(name)} (${clean(id)})` : clean(id)
  return typeof tier === 'string' ? `${named}, ${clean(tier)} customer` : named
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
