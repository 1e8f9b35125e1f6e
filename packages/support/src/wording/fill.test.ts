import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { fill } from './fill.ts'

const ORDER = {
  order_id: 'O-12345',
  status: 'in_transit',
  carrier: 'UPS',
  tracking: null,
  eta: '2025-10-20',
  amount: 29.99,
  items: ['Blue T-Shirt (M)', 'Socks', 'Cap'],
}

const POST = 'Your order {order_id} is {status}[ via {carrier}][, ETA {eta|date}]'

test('the document’s sentence, with and without its optional parts', () => {
  const order = { ...ORDER, status: 'shipped' }
  assert.equal(fill(POST, order), 'Your order O-12345 is shipped via UPS, ETA Oct 20')
  assert.equal(fill(POST, { ...order, carrier: null }), 'Your order O-12345 is shipped, ETA Oct 20')
  assert.equal(fill(POST, { ...order, eta: '' }), 'Your order O-12345 is shipped via UPS')
})

test('each form of a value', () => {
  const rows = [
    ['{status}', ORDER, 'in transit'],
    ['{amount}', ORDER, '29.99'],
    ['{amount|money}', ORDER, '$29.99'],
    ['{amount|money}', { amount: '1234.5' }, '$1,234.50'],
    ['{amount|money}', { amount: -5 }, '-$5.00'],
    ['{amount|money}', { amount: 5, currency: 'EUR' }, '€5.00'],
    ['{amount|money}', { amount: 5, currency: 'much' }, '$5.00'],
    ['{amount|money}', { amount: 'free' }, 'free'],
    ['{eta|date}', { eta: '2025-02-03T10:00:00Z' }, 'Feb 3'],
    ['{eta|date}', { eta: '2025-02-31' }, '2025-02-31'],
    ['{eta|date}', { eta: 'soon' }, 'soon'],
    ['{items|list}', ORDER, 'Blue T-Shirt (M), Socks and Cap'],
    ['{items|list}', { items: ['a', 'b'] }, 'a and b'],
    ['{items|list}', { items: [{ name: 'a', price: 1 }] }, 'a'],
    ['{ order_id | upper }', ORDER, 'O-12345'],
    ['{gift}', { gift: true }, 'yes'],
    ['{toString}{__proto__}', {}, ''],
  ] as const
  for (const [template, values, said] of rows) assert.equal(fill(template, values), said, template)
})

test('a name without a value leaves no extra blank, and brackets with one are omitted', () => {
  const rows = [
    ['Hello {name}, welcome', 'Hello, welcome'],
    ['{name} hello', 'hello'],
    ['hello {name}', 'hello'],
    ['a {name} b', 'a b'],
    ['a {name} {name} b', 'a b'],
    ['a [{name} ]b', 'a b'],
    ['a[ ({name})].', 'a.'],
    ['a[ {name} {other}] b', 'a b'],
    ['[no name] stays', 'no name stays'],
    ['an open [ {other}', 'an open [ x'],
  ] as const
  for (const [template, said] of rows) {
    assert.equal(fill(template, { name: null, other: 'x' }), said, template)
  }
  assert.equal(fill('[{items|list} in it.]', { items: [] }), '')
})

test('a value is never read as a template', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', 'b', '|') }), (value) => {
      assert.equal(fill('<{a}>', { a: value, b: 'LEAK' }), `<${value}>`)
    }),
  )
})

test('any template is filled, with values in place of their names', () => {
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), fc.string()), (template, values) => {
      assert.equal(typeof fill(template, values), 'string')
    }),
  )
})
