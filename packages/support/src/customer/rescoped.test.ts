import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import { loadIntents } from '../defaults/intents-file.ts'
import { ownOrdersIn } from './own-order.ts'
import { rescoped } from './rescoped.ts'

const { intents } = (await loadIntents()).config
const intentOf = (id: string): Intent => {
  const found = intents.find((intent) => intent.id === id)
  assert.ok(found)
  return found
}
const orders = ownOrdersIn([
  {
    order_id: 'O-12346',
    status: 'delivered',
    amount: 46.7,
    items: ['Stoneware Mug, 350 ml', 'Stoneware Mug, 350 ml', 'The Salt Path, Paperback'],
    prices: [14.95, 14.95, 16.8],
  },
])
const [order] = orders

const inShort = ({ item, amount }: JsonObject): string =>
  [item, amount].filter((value) => typeof value === 'string').join(': ')

/** The item and the amount that each text makes of an open refund. */
function makes(
  open: JsonObject,
  cases: Readonly<Record<string, string | null>>,
  id = 'refund',
): void {
  assert.ok(order)
  const around = { order, orders }
  const found = Object.keys(cases).map((text) => {
    const changed = rescoped(text, intentOf(id), { order_id: order.id, ...open }, around)
    return [text, changed === null ? null : inShort(changed)]
  })
  assert.deepEqual(Object.fromEntries(found), cases)
}

const ONE = { item: 'Stoneware Mug, 350 ml', amount: '14.95' }
const BOTH = { item: '2 × Stoneware Mug, 350 ml', amount: '29.90' }

describe('an open refund', () => {
  test('[S-13] of one of two equal things becomes one of both', () => {
    const both = '2 × Stoneware Mug, 350 ml: 29.90'
    makes(ONE, {
      'yes both': both,
      'wait, the other one too. refund for both please': both,
      'both mugs please': both,
      'all of them': both,
      'the two of course': both,
      'both are fine, no refund': null,
      'both, if that is possible': null,
      'both the mug and the book': null,
      yes: null,
    })
  })

  test('[S-13] of both becomes one of one', () => {
    const one = 'Stoneware Mug, 350 ml: 14.95'
    makes(BOTH, {
      'just one of them is wrong, the other one is ok': one,
      'only one please': one,
      'i mean one of the 2 mugs, can you refund it': one,
      'refund for the one pls': one,
      'only the one of them': one,
      'yes both': null,
      'why only one?': null,
      'both are broken but refund just one': null,
      'the one from the green box is nice': null,
    })
  })

  test('[S-13] becomes one of a share of what the things cost', () => {
    makes(ONE, {
      'half the price would be fair and I keep it': '7.48',
      'just refund me half': '7.48',
      'half of the money is enough': '7.48',
      '20% off would be fine': '2.99',
      'ten dollars back is ok': '10.00',
      'not half': null,
      'half the price, if you can': null,
      'give me half an hour': null,
      'it was half empty': null,
      'half of it is broken': null,
      'fifty dollars back': null,
      'half the price or ten dollars': null,
    })
    makes(BOTH, { 'half the price': '14.95' })
    // Repeating what is already asked changes nothing.
    makes({ ...ONE, amount: '7.48' }, { 'yes, half the price': null })
  })

  test('[S-13] is the only request that takes a share', () => {
    makes(ONE, { 'half the price': null, 'yes both': null }, 'cancel')
  })
})
