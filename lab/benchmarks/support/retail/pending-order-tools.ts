import { absolute, less } from '../python/arithmetic.ts'
import { dumps } from '../python/json.ts'
import { at, contains, dictOf, equals, listOf } from '../python/access.ts'
import { deepCopy, PyError } from '../python/value.ts'
import type { TauTool } from '../tau/tau-tool.ts'
import {
  ADDRESS_PARAMETERS,
  addressOf,
  credit,
  itemOf,
  methodsOf,
  ORDER_NOT_FOUND,
  priceDifference,
  transaction,
  variantsOf,
} from './retail-parts.ts'

const NOT_PENDING = 'Error: non-pending order cannot be modified'
const REASONS = ['no longer needed', 'ordered by mistake']

const cancel: TauTool = {
  name: 'cancel_pending_order',
  description: 'Cancels an order that is pending, and refunds what was paid.',
  parameters: { order_id: 'string', reason: 'string' },
  acts: true,
  run(data, args) {
    const order = data.table('orders').edit(args.get('order_id'))
    if (order === undefined) return ORDER_NOT_FOUND
    if (at(order, 'status') !== 'pending') return 'Error: non-pending order cannot be cancelled'
    if (!contains(REASONS, args.get('reason'))) return 'Error: invalid reason'
    const history = listOf(at(order, 'payment_history'))
    const refunds = history.map((payment) => {
      const id = at(payment, 'payment_method_id')
      const amount = at(payment, 'amount')
      if (contains(id, 'gift_card')) credit(dictOf(at(methodsOf(data, order), id)), amount, '+=')
      return transaction('refund', amount, id)
    })
    order.set('status', 'cancelled')
    order.set('cancel_reason', args.get('reason'))
    history.push(...refunds)
    return dumps(order)
  },
}

const address: TauTool = {
  name: 'modify_pending_order_address',
  description: 'Changes where a pending order is sent.',
  parameters: { order_id: 'string', ...ADDRESS_PARAMETERS },
  acts: true,
  run(data, args) {
    const order = data.table('orders').edit(args.get('order_id'))
    if (order === undefined) return ORDER_NOT_FOUND
    if (at(order, 'status') !== 'pending') return NOT_PENDING
    order.set('address', addressOf(args))
    return dumps(order)
  },
}

const items: TauTool = {
  name: 'modify_pending_order_items',
  description: 'Puts other variants in the place of items of a pending order.',
  parameters: {
    order_id: 'string',
    item_ids: 'array',
    new_item_ids: 'array',
    payment_method_id: 'string',
  },
  acts: true,
  run(data, args) {
    const order = data.table('orders').edit(args.get('order_id'))
    if (order === undefined) return ORDER_NOT_FOUND
    if (at(order, 'status') !== 'pending') return NOT_PENDING
    const ids = [args.get('item_ids'), args.get('new_item_ids')] as const
    const difference = priceDifference(data, order, ids)
    if (typeof difference === 'string') return `Error: ${difference}`
    const paymentId = args.get('payment_method_id')
    const methods = methodsOf(data, order)
    if (!contains(methods, paymentId)) return 'Error: payment method not found'
    const method = dictOf(at(methods, paymentId))
    const isGiftCard = at(method, 'source') === 'gift_card'
    if (isGiftCard && less(at(method, 'balance'), difference)) {
      return 'Error: insufficient gift card balance to pay for the new item'
    }
    const kind = difference > 0 ? 'payment' : 'refund'
    const history = listOf(at(order, 'payment_history'))
    history.push(transaction(kind, absolute(difference), paymentId))
    if (isGiftCard) credit(method, difference, '-=')
    for (const [index, id] of listOf(ids[0]).entries()) {
      const item = itemOf(order, id)
      const newId = listOf(ids[1])[index] ?? null
      const variant = at(variantsOf(data, item), newId)
      item.set('item_id', newId)
      item.set('price', at(variant, 'price'))
      item.set('options', deepCopy(at(variant, 'options')))
    }
    order.set('status', 'pending (item modified)')
    return dumps(order)
  },
}

const payment: TauTool = {
  name: 'modify_pending_order_payment',
  description: 'Changes how a pending order is paid.',
  parameters: { order_id: 'string', payment_method_id: 'string' },
  acts: true,
  run(data, args) {
    const order = data.table('orders').edit(args.get('order_id'))
    if (order === undefined) return ORDER_NOT_FOUND
    if (at(order, 'status') !== 'pending') return NOT_PENDING
    const newId = args.get('payment_method_id')
    const methods = methodsOf(data, order)
    if (!contains(methods, newId)) return 'Error: payment method not found'
    const history = listOf(at(order, 'payment_history'))
    const [first] = history
    if (history.length > 1 || isRefund(first)) {
      return 'Error: there should be exactly one payment for a pending order'
    }
    const oldId = at(first ?? null, 'payment_method_id')
    if (equals(oldId, newId)) {
      return 'Error: the new payment method should be different from the current one'
    }
    const amount = at(first ?? null, 'amount')
    const method = dictOf(at(methods, newId))
    const isGiftCard = at(method, 'source') === 'gift_card'
    if (isGiftCard && less(at(method, 'balance'), amount)) {
      return 'Error: insufficient gift card balance to pay for the order'
    }
    history.push(transaction('payment', amount, newId), transaction('refund', amount, oldId))
    if (isGiftCard) credit(method, amount, '-=')
    if (contains(oldId, 'gift_card')) credit(dictOf(at(methods, oldId)), amount, '+=')
    return dumps(order)
  },
}

export const pendingOrderTools: readonly TauTool[] = [cancel, address, items, payment]

function isRefund(first: Parameters<typeof at>[0] | undefined): boolean {
  if (first === undefined) throw new PyError('list index out of range')
  return at(first, 'transaction_type') !== 'payment'
}
