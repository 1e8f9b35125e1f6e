import { EchelonError, sameJson } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { LocalTool, LocalToolContext, ToolAnswer } from '../local-tool.ts'
import {
  isToCome,
  orderWithArrival,
  orderWithSum,
  type OwnOrder,
  ownOrdersIn,
} from '../customer/own-order.ts'
import { textField } from '../text-field.ts'
import { fill } from '../wording/fill.ts'
import { SHOWN_FIELDS, shownOrder } from './shown-order.ts'

const ORDER_ID = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'The order ID, such as O-12345',
} as const

const REASON = {
  type: 'string',
  maxLength: 500,
  description: 'Why, in the customer’s words',
} as const

const ITEMS = {
  type: 'string',
  minLength: 1,
  maxLength: 500,
  description: 'The items of it that are meant; the whole order when absent',
} as const

const TICKET = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'The ticket of the conversation',
} as const

const parameters = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/**
 * The built-in tools by name. Each acting tool works in the order states in which it makes sense, and gives a
 * reason in the others.
 * @param shown the fields of an order that a customer may see
 */
export const orderTools = (
  shown: readonly string[] = SHOWN_FIELDS,
): Readonly<Record<string, LocalTool>> => ({
  check_order_status: checkOrderStatus(shown),
  list_orders: listOrders,
  get_invoice: invoice(shown),
  issue_refund: issueRefund(shown),
  cancel_order: cancelOrder(shown),
  change_address: changeAddress(shown),
  start_return: startReturn(shown),
  hand_over: {
    description: 'Hands the conversation over to a person',
    acts: true,
    parameters: parameters({ reason: REASON }, []),
    run: handOver,
  },
  close_hand_over: {
    description: 'Takes the conversation back from a person, and closes the ticket',
    acts: true,
    parameters: parameters({ ticket: TICKET }, ['ticket']),
    run: closeHandOver,
  },
})

const checkOrderStatus = (shown: readonly string[]): LocalTool => ({
  description: 'Looks up the status, delivery and items of an order',
  parameters: parameters({ order_id: ORDER_ID }, ['order_id']),
  run: async (params, { data }) => {
    const order = await data.getOrder(textField(params, 'order_id'))
    return order === null ? notFound(params) : { data: shownOrder(order, shown) }
  },
})

/** The newest orders of the customer; older ones are named by their id. */
const MOST_LISTED = 10

const listOrders: LocalTool = {
  description: "Lists the customer's orders with their items and status",
  parameters: parameters({}, []),
  run: async (_, { data, customerId }) => {
    if (data.listOrders === undefined || customerId === null) {
      return {
        error: 'Orders cannot be listed here; name the order by its id',
        code: 'not_supported',
      }
    }
    const orders = ownOrdersIn(await data.listOrders(customerId))
    const listed = (
      some: readonly OwnOrder[],
      none: string,
      inWords: (order: OwnOrder) => string = orderWithArrival,
    ): string => some.slice(0, MOST_LISTED).map(inWords).join('; ') || none
    const open = orders.filter(isToCome)
    return {
      data: {
        list: listed(orders, 'none yet'),
        priced: listed(orders, 'none yet', orderWithSum),
        open: listed(open, 'nothing'),
        late: listed(
          open.filter(({ status }) => status === 'delayed'),
          'none',
        ),
        count: orders.length,
      },
    }
  },
}

/** The order with its items and prices as lines. */
const invoice = (shown: readonly string[]): LocalTool => ({
  description: 'Shows the invoice of an order: its items with their prices, and the total',
  parameters: parameters({ order_id: ORDER_ID }, ['order_id']),
  run: async (params, { data }) => {
    const order = await data.getOrder(textField(params, 'order_id'))
    if (order === null) return notFound(params)
    const [own] = ownOrdersIn([order])
    const lines = (own?.items ?? []).map(({ name, price }) =>
      price === null ? name : `${name} ${fill('{price|money}', { price })}`,
    )
    return { data: { ...shownOrder(order, shown), lines: lines.join('; ') } }
  },
})

const issueRefund = (shown: readonly string[]): LocalTool => ({
  description: 'Refunds an order that was delivered, is late or is being returned',
  acts: true,
  parameters: parameters(
    {
      order_id: ORDER_ID,
      amount: {
        type: 'number',
        exclusiveMinimum: 0,
        description: 'In the currency of the order; the whole of it when absent',
      },
      reason: REASON,
    },
    ['order_id'],
  ),
  outcome: changedBefore(shown),
  run: (params, context) => refund(params, context, shown),
})

const cancelOrder = (shown: readonly string[]): LocalTool => ({
  description: 'Cancels an order that has not been shipped',
  acts: true,
  parameters: parameters({ order_id: ORDER_ID, reason: REASON }, ['order_id']),
  outcome: changedBefore(shown),
  run: (params, context) =>
    changed(params, context, {
      shown,
      allowed: ['processing'],
      cannot: 'it cannot be cancelled any more',
      set: {
        status: 'cancelled',
        cancelled_at: timeOf(context),
        ...given(params, 'cancel_reason'),
      },
    }),
})

const changeAddress = (shown: readonly string[]): LocalTool => ({
  description: 'Changes where an order goes that has not been shipped',
  acts: true,
  parameters: parameters(
    {
      order_id: ORDER_ID,
      address: { type: 'string', minLength: 5, maxLength: 300, description: 'The new address' },
    },
    ['order_id', 'address'],
  ),
  outcome: changedBefore(shown),
  run: (params, context) =>
    changed(params, context, {
      shown,
      allowed: ['processing'],
      cannot: 'its address cannot be changed any more',
      set: { address: textField(params, 'address') },
    }),
})

const startReturn = (shown: readonly string[]): LocalTool => ({
  description: 'Starts the return of an order that was delivered',
  acts: true,
  parameters: parameters({ order_id: ORDER_ID, items: ITEMS, reason: REASON }, ['order_id']),
  outcome: changedBefore(shown),
  run: (params, context) =>
    changed(params, context, {
      shown,
      allowed: ['delivered'],
      cannot: 'no return can be started',
      set: {
        status: 'return_started',
        return_started_at: timeOf(context),
        ...(params['items'] !== undefined && { return_items: params['items'] }),
        ...given(params, 'return_reason'),
      },
    }),
})

async function handOver(params: JsonObject, context: LocalToolContext): Promise<ToolAnswer> {
  const { data, sessionId, customerId, idempotencyKey } = context
  if (data.handOver === undefined) {
    return { error: 'Nobody can take over here', code: 'not_supported' }
  }
  const reason = textField(params, 'reason') || 'the customer asked for a person'
  return {
    data: { ticket: await data.handOver({ sessionId, customerId, reason }, idempotencyKey) },
  }
}

async function closeHandOver(params: JsonObject, context: LocalToolContext): Promise<ToolAnswer> {
  const { data, sessionId, idempotencyKey } = context
  const ticket = textField(params, 'ticket')
  await data.closeHandOver?.({ sessionId, ticket }, idempotencyKey)
  return { data: { ticket } }
}

/** In cents, so that sums are exact. */
const cents = (amount: unknown): number => Math.round(Number(amount ?? 0) * 100)

async function refund(
  params: JsonObject,
  context: LocalToolContext,
  shown: readonly string[],
): Promise<ToolAnswer> {
  const order = await context.data.getOrder(textField(params, 'order_id'))
  if (order === null) return notFound(params)
  const { amount } = params
  if (typeof amount === 'number' && Math.abs(amount * 100 - cents(amount)) > 1e-6) {
    return { error: 'An amount has at most two decimals', code: 'not_allowed' }
  }
  const before = cents(order['refund_amount'])
  const left = cents(order['amount']) - before
  const asked = params['amount'] === undefined ? left : cents(params['amount'])
  const isTooMuch = asked > left || asked <= 0
  const done = await changed(params, context, {
    shown,
    // The data source is still asked: it knows whether this call has already been made.
    allowed: isTooMuch ? [] : ['delivered', 'delayed', 'return_started'],
    cannot: 'it cannot be refunded',
    set: {
      ...(asked === left ? { status: 'refunded' } : {}),
      refunded_at: timeOf(context),
      refund_amount: (before + asked) / 100,
      last_refund: asked / 100,
      ...given(params, 'refund_reason'),
    },
    // The refund is computed from both.
    onlyIf: {
      amount: order['amount'] ?? null,
      refund_amount: order['refund_amount'] ?? null,
    },
  })
  if ('error' in done && isTooMuch && left > 0) {
    const most = `At most ${(left / 100).toFixed(2)} of order ${textField(params, 'order_id')} can be refunded`
    return { error: most, code: 'not_allowed' }
  }
  return done
}

interface StateChange {
  readonly shown: readonly string[]
  /** The states that allow it. */
  readonly allowed: readonly string[]
  /** The message in the other states. */
  readonly cannot: string
  readonly set: JsonObject
  readonly onlyIf?: JsonObject
}

/** A status that no order has. */
const NO_STATUS = 'none that allows it'

async function changed(
  params: JsonObject,
  { data, idempotencyKey }: LocalToolContext,
  { shown, allowed, cannot, set, onlyIf }: StateChange,
): Promise<ToolAnswer> {
  const orderId = textField(params, 'order_id')
  const order = await data.getOrder(orderId)
  if (order === null) return notFound(params)
  if (data.changeOrder === undefined) {
    return { error: 'Orders cannot be changed here', code: 'not_supported' }
  }
  const status = textField(order, 'status')
  const isAllowed = allowed.includes(status)
  try {
    // Also called if the state does not allow it: a call repeated after a crash finds its own earlier change, and
    // the data source returns the same answer. Nothing else is changed.
    const expected = { ...onlyIf, status: isAllowed ? status : NO_STATUS }
    const now = await data.changeOrder({ orderId, set, onlyIf: expected }, idempotencyKey)
    return { data: shownOrder(now, shown) }
  } catch (error) {
    if (!isAllowed) return notAllowed(orderId, status, cannot)
    const now = await data.getOrder(orderId)
    const nowStatus = textField(now, 'status')
    if (nowStatus !== status) return notAllowed(orderId, nowStatus, cannot)
    if (sameJson(now, order)) throw error
    return { error: `Order ${orderId} was being changed by somebody else`, code: 'transient' }
  }
}

/** Returns an earlier change under a key: a source repeats its answer, and makes no change that is not allowed. */
const changedBefore =
  (shown: readonly string[]): NonNullable<LocalTool['outcome']> =>
  async (params, { data, idempotencyKey }) => {
    const orderId = textField(params, 'order_id')
    const nothing = { orderId, set: {}, onlyIf: { status: NO_STATUS } }
    try {
      const order = await data.changeOrder?.(nothing, idempotencyKey)
      return order === undefined ? 'not-done' : { data: shownOrder(order, shown) }
    } catch (error) {
      // A source that cannot be reached, or that hides the order by now, has not refused.
      const isAsked = error instanceof EchelonError && error.code === 'INVALID_INPUT'
      const order = isAsked ? await data.getOrder(orderId).catch(() => null) : null
      return order === null ? 'unknown' : 'not-done'
    }
  }

const notFound = (params: JsonObject): ToolAnswer => ({
  error: `Order ${textField(params, 'order_id')} not found`,
  code: 'not_found',
})

function notAllowed(orderId: string, status: string, cannot: string): ToolAnswer {
  const standing = STANDING.get(status) ?? `is ${status}`
  const so = standing.endsWith('already') ? '' : `, so ${cannot}`
  return { error: `Order ${orderId} ${standing}${so}`, code: 'not_allowed' }
}

const STANDING: ReadonlyMap<string, string> = new Map([
  ['processing', 'has not been shipped yet'],
  ['shipped', 'is on its way'],
  ['in_transit', 'is on its way'],
  ['delayed', 'is on its way, though late'],
  ['delivered', 'has been delivered'],
  ['return_started', 'is being returned'],
  ['refunded', 'has been refunded already'],
  ['cancelled', 'has been cancelled already'],
])

const timeOf = ({ at }: LocalToolContext): string => new Date(at).toISOString()

const given = (params: JsonObject, field: string): JsonObject =>
  params['reason'] === undefined ? {} : { [field]: params['reason'] }
