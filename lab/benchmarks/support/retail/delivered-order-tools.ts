import { less, round2 } from '../python/arithmetic.ts'
import { dumps } from '../python/json.ts'
import { at, contains, dictOf, equals, listOf } from '../python/access.ts'
import type { TauTool } from '../tau/tau-tool.ts'
import {
  methodsOf,
  notInOrder,
  ORDER_NOT_FOUND,
  priceDifference,
  sortedTexts,
} from './retail-parts.ts'

const exchange: TauTool = {
  name: 'exchange_delivered_order_items',
  description: 'Asks for an exchange of items of a delivered order for other variants.',
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
    if (at(order, 'status') !== 'delivered') return 'Error: non-delivered order cannot be exchanged'
    const ids = [args.get('item_ids'), args.get('new_item_ids')] as const
    const exact = priceDifference(data, order, ids)
    if (typeof exact === 'string') return `Error: ${exact}`
    const difference = round2(exact)
    const paymentId = args.get('payment_method_id')
    const methods = methodsOf(data, order)
    if (!contains(methods, paymentId)) return 'Error: payment method not found'
    const method = dictOf(at(methods, paymentId))
    if (at(method, 'source') === 'gift_card' && less(at(method, 'balance'), difference)) {
      return 'Error: insufficient gift card balance to pay for the price difference'
    }
    order.set('status', 'exchange requested')
    order.set('exchange_items', sortedTexts(ids[0]))
    order.set('exchange_new_items', sortedTexts(ids[1]))
    order.set('exchange_payment_method_id', paymentId)
    order.set('exchange_price_difference', difference)
    return dumps(order)
  },
}

const returns: TauTool = {
  name: 'return_delivered_order_items',
  description: 'Asks for the return of items of a delivered order.',
  parameters: { order_id: 'string', item_ids: 'array', payment_method_id: 'string' },
  acts: true,
  run(data, args) {
    const order = data.table('orders').edit(args.get('order_id'))
    if (order === undefined) return ORDER_NOT_FOUND
    if (at(order, 'status') !== 'delivered') return 'Error: non-delivered order cannot be returned'
    const paymentId = args.get('payment_method_id')
    if (!contains(methodsOf(data, order), paymentId)) return 'Error: payment method not found'
    const [first = null] = listOf(at(order, 'payment_history'))
    if (!contains(paymentId, 'gift_card') && !equals(paymentId, at(first, 'payment_method_id'))) {
      return 'Error: payment method should be either the original payment method or a gift card'
    }
    const ids = args.get('item_ids')
    if (notInOrder(order, listOf(ids)) !== undefined) return 'Error: some item not found'
    order.set('status', 'return requested')
    order.set('return_items', sortedTexts(ids))
    order.set('return_payment_method_id', paymentId)
    return dumps(order)
  },
}

export const deliveredOrderTools: readonly TauTool[] = [exchange, returns]
