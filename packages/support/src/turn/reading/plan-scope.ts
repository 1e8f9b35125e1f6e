import { askedItems } from '../../customer/asked-items.ts'
import { addressOf } from '../../customer/merged-address.ts'
import { type OwnItem, type OwnOrder, ownOrdersIn } from '../../customer/own-order.ts'
import { AMOUNT, ITEMS, ORDER } from '../../customer/resolve-order.ts'
import type { Intent } from '../../intent.ts'
import { CONFIRMATION, type QueuedIntent } from '../dialogue.ts'
import type { SupportState } from '../support-state.ts'

/** What a plan covers that waits for its confirmation. */
export interface PlanScope {
  readonly intent: Intent
  readonly order: OwnOrder
  /** All of the customer's orders, whose other things the plan does not touch. */
  readonly orders: readonly OwnOrder[]
  /** The items that the plan is about, one for each piece. */
  readonly items: readonly OwnItem[]
  /** Whether it is about the whole order, and all the money that is left of it. */
  readonly isWhole: boolean
  /** The amount that its question names; `null` if it names none. */
  readonly amount: number | null
  readonly address: string | null
}

/** The scope of the plan that waits; `null` if none does, or it is not clear what it is about. */
export function planScope(state: SupportState, intent: Intent | undefined): PlanScope | null {
  const open = askedFor(state)
  if (open === null || intent === undefined) return null
  const orders = ownOrdersIn(state.orders)
  const order = orders.find(({ id }) => id === open.params[ORDER])
  if (order === undefined) return null
  const isDivisible = [AMOUNT, ITEMS].some((name) => intent.optionalParams.includes(name))
  const items = isDivisible ? askedItems(order, open.params) : order.items
  if (items === null) return null
  const said = open.params[AMOUNT]
  const takesAmount = intent.optionalParams.includes(AMOUNT)
  const amount = takesAmount ? (said === undefined ? order.left : Number(said)) : order.amount
  const isAll = said === undefined || Number(said) === order.left
  const isWhole = items.length === order.items.length && isAll
  const address = addressOf(intent, open.params)?.value ?? null
  return { intent, order, orders, items, isWhole, amount, address }
}

/** What a yes would do at once: the plan that waits for its confirmation, or an offer that names all of it. */
export function askedFor({ dialogue }: SupportState): QueuedIntent | null {
  const { open, choices } = dialogue
  if (open !== null) return open.param === CONFIRMATION ? open : null
  const [choice, ...others] = choices
  return choice?.agreed !== undefined && others.length === 0 ? choice : null
}
