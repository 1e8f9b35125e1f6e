import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { spanIn } from './order-dates.ts'
import { isNear, withPlainIds } from './order-ids.ts'
import { itemsNamed } from './items-named.ts'
import { orderMention } from './order-mentions.ts'
import { ownOrdersIn } from './own-order.ts'

const NOW = Date.parse('2025-10-18T12:00:00Z')
const ORDERS = ownOrdersIn([
  {
    order_id: 'O-12345',
    status: 'shipped',
    carrier: 'UPS',
    amount: 29.99,
    items: ['Blue T-Shirt (M)'],
    prices: [29.99],
    ordered_at: '2025-10-15T08:00:00Z',
  },
  {
    order_id: 'O-12346',
    status: 'delivered',
    carrier: 'USPS',
    amount: 46.7,
    items: ['Stoneware Mug, 350 ml', 'Stoneware Mug, 350 ml', 'The Salt Path, Paperback'],
    prices: [14.95, 14.95, 16.8],
    ordered_at: '2025-09-27T16:28:00Z',
  },
  {
    order_id: 'O-12347',
    status: 'processing',
    amount: 97.39,
    items: ['Desk Lamp, Brass', 'LED Bulb E27, Pack of 4'],
    prices: [79.9, 17.49],
    ordered_at: '2025-10-17T08:48:00Z',
  },
])
const IDS = ORDERS.map(({ id }) => id)
const FORM = { prefix: 'O-', digits: 5 }

describe('identifiers', () => {
  const plain = (text: string, isAsked = false): string =>
    withPlainIds(text, FORM, IDS, isAsked).text

  test('are read as people write them', () => {
    for (const said of [
      'o12345',
      '0-12345',
      'O 12 345',
      'O-12345',
      '#12345',
      'order 12345',
      'my order number is 12345',
      '12345',
    ]) {
      assert.match(plain(said), /O-12345/, said)
    }
  })

  test('are not made of amounts, zip codes and longer numbers', () => {
    for (const said of [
      '$12345',
      'Portland, OR 97205',
      '123456',
      '12345.50',
      'refund 12.50',
      '1 2 3',
    ]) {
      assert.equal(plain(said), said)
    }
  })

  test('with a digit too many, too few or swapped are guessed, if only one is meant', () => {
    const guess = (text: string): string | null => withPlainIds(text, FORM, IDS, false).guess
    assert.equal(guess('cancel O-123477'), 'O-12347')
    assert.equal(guess('cancel order 1237'), 'O-12347')
    assert.equal(guess('cancel order 1234'), null)
    assert.equal(guess('where is O-12348'), null)
    assert.equal(guess('where is O-12345'), null)
    assert.ok(isNear('O-12347', 'O-12374') && isNear('O-1234', 'O-12347') && !isNear('a', 'a'))
  })

  test('any text is read without fail, and once more the same', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.boolean(), (text, isAsked) => {
        const once = plain(text, isAsked)
        assert.equal(plain(once, isAsked), once)
      }),
    )
  })
})

describe('the order that a message means', () => {
  const found = (text: string, candidates: readonly string[] = []): readonly string[] =>
    orderMention(text, ORDERS, { now: NOW, candidates }).orders.map(({ id }) => id)

  test('is found by its things, its time, its state, its amount and its carrier', () => {
    const rows = {
      'where is my t-shirt': 'O-12345',
      'the lamp one': 'O-12347',
      'did the mugs arrive': 'O-12346',
      'the book': 'O-12346',
      'my latest order': 'O-12347',
      'the order from last month': 'O-12346',
      'what I ordered yesterday': 'O-12347',
      'the order that was delivered': 'O-12346',
      'the $97 order': 'O-12347',
      'the parcel with UPS': 'O-12345',
      'the stonware mug': 'O-12346',
    }
    for (const [text, id] of Object.entries(rows)) assert.deepEqual(found(text), [id], text)
  })

  test('is left open where several fit, and where none is named', () => {
    assert.deepEqual(found('the shirt and the lamp').toSorted(), ['O-12345', 'O-12347'])
    assert.deepEqual(found('where is my order'), [])
    assert.deepEqual(found('I want to talk to a person at the help desk'), [])
  })

  test('is picked from a choice by its place', () => {
    assert.deepEqual(found('the second one', ['O-12347', 'O-12346']), ['O-12346'])
    assert.deepEqual(found('1', ['O-12347', 'O-12346']), ['O-12347'])
  })

  test('has the items that are named, with their price', () => {
    const order = ORDERS.find(({ id }) => id === 'O-12346')
    assert.ok(order)
    const price = (text: string): number | null => itemsNamed(text, order).price
    assert.equal(price('refund the book'), 16.8)
    assert.equal(price('one of the mugs'), 14.95)
    assert.equal(price('both mugs'), 29.9)
    assert.equal(price('the mug order'), null)
    assert.equal(price('the mugs and the book'), null)
  })
})

test('times are read relative to the day', () => {
  const day = (text: string): string | undefined => {
    const span = spanIn(text, NOW)
    return span === null ? undefined : new Date(span.from).toISOString().slice(0, 10)
  }
  assert.equal(day('yesterday'), '2025-10-17')
  assert.equal(day('last week'), '2025-10-06')
  assert.equal(day('two days ago'), '2025-10-16')
  assert.equal(day('in September'), '2025-09-01')
  assert.equal(day('on October 15'), '2025-10-15')
  assert.equal(day('in December'), '2024-12-01')
  assert.equal(day('hello'), undefined)
})
