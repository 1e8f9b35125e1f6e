import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DatabaseHash, TUPLES } from '../tau/database-hash.ts'
import { called, RETAIL_FILES } from '../tau/in-tests.ts'
import { retailTools } from './retail-tools.ts'

const retail = (): ReturnType<typeof called> => called(retailTools, RETAIL_FILES)

const ADDRESS = {
  address1: '2 Oak St',
  address2: 'Suite 1',
  city: 'Town',
  state: 'NY',
  country: 'USA',
  zip: '10002',
}
const PRINTED =
  '"address": {"address1": "2 Oak St", "address2": "Suite 1", "city": "Town", "state": "NY", "country": "USA", "zip": "10002"}'

suite('the tools of the shop', () => {
  test('there are 16, with distinct names', () => {
    assert.equal(new Set(retailTools.map(({ name }) => name)).size, 16)
  })

  test('users are found by email and by name and zip', () => {
    const { call } = retail()
    assert.equal(call('find_user_id_by_email', '{"email": "ann.berg@EXAMPLE.org"}'), 'ann_1')
    assert.equal(call('find_user_id_by_email', '{"email": "x"}'), 'Error: user not found')
    const byName = (zip: string): string =>
      call(
        'find_user_id_by_name_zip',
        `{"first_name": "ANN", "last_name": "berg", "zip": "${zip}"}`,
      )
    assert.equal(byName('10001'), 'ann_1')
    assert.equal(byName('10002'), 'Error: user not found')
  })

  test('records are shown, with the order of ids that look like numbers', () => {
    const { call } = retail()
    assert.equal(call('list_all_product_types'), '{"Lamp": "8001", "Mug": "9001"}')
    assert.match(call('get_product_details', '{"product_id": "9001"}'), /"20": .*"3": .*"100": /)
    assert.equal(call('get_product_details', '{"product_id": "1"}'), 'Error: product not found')
    assert.equal(call('get_order_details', '{"order_id": "W1"}'), 'Error: order not found')
    assert.match(call('get_order_details', '{"order_id": "#W1"}'), /^\{"order_id": "#W1"/)
    assert.equal(call('get_user_details', '{"user_id": "x"}'), 'Error: user not found')
  })

  test('an order is cancelled, and a gift card credited', () => {
    const { call } = retail()
    const cancel = (order: string, reason = 'no longer needed'): string =>
      call('cancel_pending_order', JSON.stringify({ order_id: order, reason }))
    assert.equal(cancel('#W9'), 'Error: order not found')
    assert.equal(cancel('#W2'), 'Error: non-pending order cannot be cancelled')
    assert.equal(cancel('#W1', 'a whim'), 'Error: invalid reason')
    assert.match(
      cancel('#W1'),
      /"status": "cancelled", "payment_history": \[\{[^}]*\}, \{"transaction_type": "refund", "amount": 10\.1, "payment_method_id": "gift_card_1"\}\], "cancel_reason": "no longer needed"\}$/,
    )
    assert.match(call('get_user_details', '{"user_id": "ann_1"}'), /"balance": 12\.1,/)
  })

  test('items of a pending order are changed, with the difference unrounded', () => {
    const { call } = retail()
    const modify = (
      ids: readonly string[],
      newIds: readonly string[],
      payment: string,
      order = '#W1',
    ): string =>
      call(
        'modify_pending_order_items',
        JSON.stringify({
          order_id: order,
          item_ids: ids,
          new_item_ids: newIds,
          payment_method_id: payment,
        }),
      )
    assert.equal(modify(['20'], ['3'], 'paypal_1', '#W9'), 'Error: order not found')
    assert.equal(
      modify(['20'], ['3'], 'paypal_1', '#W2'),
      'Error: non-pending order cannot be modified',
    )
    assert.equal(modify(['3'], ['20'], 'paypal_1'), 'Error: 3 not found')
    assert.equal(
      modify(['20'], [], 'paypal_1'),
      'Error: the number of items to be exchanged should match',
    )
    assert.equal(modify(['20'], ['100'], 'paypal_1'), 'Error: new item 100 not found or available')
    assert.equal(modify(['20'], ['3'], 'cash'), 'Error: payment method not found')
    assert.equal(
      modify(['20'], ['3'], 'gift_card_1'),
      'Error: insufficient gift card balance to pay for the new item',
    )
    assert.match(
      modify(['20'], ['3'], 'paypal_1'),
      /"item_id": "3", "price": 12\.42, "options": \{"color": "blue"\}\}\], "status": "pending \(item modified\)", "payment_history": \[\{[^}]*\}, \{"transaction_type": "payment", "amount": 2\.3200000000000003, "payment_method_id": "paypal_1"\}\]/,
    )
    assert.equal(modify(['3'], ['20'], 'paypal_1'), 'Error: non-pending order cannot be modified')
  })

  test('how a pending order is paid', () => {
    const { call } = retail()
    const pay = (payment: string, order = '#W1'): string =>
      call(
        'modify_pending_order_payment',
        JSON.stringify({ order_id: order, payment_method_id: payment }),
      )
    assert.equal(pay('paypal_1', '#W9'), 'Error: order not found')
    assert.equal(pay('paypal_1', '#W2'), 'Error: non-pending order cannot be modified')
    assert.equal(pay('cash'), 'Error: payment method not found')
    assert.equal(
      pay('gift_card_1'),
      'Error: the new payment method should be different from the current one',
    )
    assert.match(
      pay('paypal_1'),
      /"payment_method_id": "paypal_1"\}, \{"transaction_type": "refund", "amount": 10\.1, "payment_method_id": "gift_card_1"\}\]/,
    )
    assert.match(call('get_user_details', '{"user_id": "ann_1"}'), /"balance": 12\.1,/)
    assert.equal(
      pay('credit_card_1'),
      'Error: there should be exactly one payment for a pending order',
    )
  })

  test('addresses of orders and users', () => {
    const { call } = retail()
    const order = (id: string): string =>
      call('modify_pending_order_address', JSON.stringify({ order_id: id, ...ADDRESS }))
    assert.equal(order('#W9'), 'Error: order not found')
    assert.equal(order('#W2'), 'Error: non-pending order cannot be modified')
    assert.ok(order('#W1').includes(PRINTED))
    const user = (id: string): string =>
      call('modify_user_address', JSON.stringify({ user_id: id, ...ADDRESS }))
    assert.equal(user('x'), 'Error: user not found')
    assert.ok(user('bob_2').includes(PRINTED))
  })

  test('an exchange is asked for, and nothing else moves', () => {
    const { call } = retail()
    const exchange = (payment: string, order = '#W2'): string =>
      call(
        'exchange_delivered_order_items',
        JSON.stringify({
          order_id: order,
          item_ids: ['3', '20'],
          new_item_ids: ['20', '3'],
          payment_method_id: payment,
        }),
      )
    assert.equal(exchange('paypal_1', '#W9'), 'Error: order not found')
    assert.equal(exchange('paypal_1', '#W1'), 'Error: non-delivered order cannot be exchanged')
    assert.equal(exchange('cash'), 'Error: payment method not found')
    assert.match(
      exchange('paypal_1'),
      /"status": "exchange requested".*"exchange_items": \["20", "3"\], "exchange_new_items": \["20", "3"\], "exchange_payment_method_id": "paypal_1", "exchange_price_difference": 0\.0\}$/,
    )
  })

  test('a dearer exchange needs a gift card that holds it', () => {
    const { call } = retail()
    const args = {
      order_id: '#W2',
      item_ids: ['20'],
      new_item_ids: ['3'],
      payment_method_id: 'gift_card_1',
    }
    assert.equal(
      call('exchange_delivered_order_items', JSON.stringify(args)),
      'Error: insufficient gift card balance to pay for the price difference',
    )
    assert.match(
      call(
        'exchange_delivered_order_items',
        JSON.stringify({ ...args, payment_method_id: 'paypal_1' }),
      ),
      /"exchange_price_difference": 2\.32\}$/,
    )
  })

  test('a return is asked for', () => {
    const { call } = retail()
    const back = (payment: string, ids = ['3'], order = '#W2'): string =>
      call(
        'return_delivered_order_items',
        JSON.stringify({ order_id: order, item_ids: ids, payment_method_id: payment }),
      )
    assert.equal(back('paypal_1', ['3'], '#W9'), 'Error: order not found')
    assert.equal(back('paypal_1', ['3'], '#W1'), 'Error: non-delivered order cannot be returned')
    assert.equal(back('cash'), 'Error: payment method not found')
    assert.equal(
      back('credit_card_1'),
      'Error: payment method should be either the original payment method or a gift card',
    )
    assert.equal(back('paypal_1', ['3', '3']), 'Error: some item not found')
    assert.match(
      back('gift_card_1', ['3', '20']),
      /"status": "return requested".*"return_items": \["20", "3"\], "return_payment_method_id": "gift_card_1"\}$/,
    )
  })

  test('the hash equals that of CPython for the same files', () => {
    assert.equal(
      new DatabaseHash(TUPLES).of(retail().data),
      '2980528c2ba71e45f58c884248ce1d0f82ecbd341354324612a5e95fc45200e7',
    )
  })
})
