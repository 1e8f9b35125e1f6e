import { EchelonError } from 'echelon/runtime'
import type { Customer, Message } from '@echelon/support'
import { clean } from '../terminal/clean.ts'
import { STARTED_AS } from '../started-as.ts'
import type { Shop } from './shop.ts'

/** The customer for whom the agent acts. The person at the terminal vouches for them. */
export interface ActingFor {
  readonly id: string | null
  readonly record: Customer | null
  /** Such as `Maya Patel (C-001), standard customer`. */
  readonly title: string
}

/** The default customer of the demo orders. */
const DEMO_CUSTOMER = 'C-001'

/** Names no customer. */
const NOBODY = 'none'

/**
 * Finds the named customer, or the one to whom the conversation belongs.
 * @throws EchelonError INVALID_INPUT for an unknown customer, and for a conversation of another
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

/** @returns undefined before the first message */
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
