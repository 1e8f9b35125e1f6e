import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answeredAfter, each, lastAnswer, writes } from './writes.ts'

const SUM = /\$191\.99 .*\$177\.29 .*\$124\.40 .*: \$493\.68 together\.$/

test('[S-13] the sum of all orders that are to come is told', async () => {
  await each(
    ['C-008'],
    [
      'what do my open orders add up to, how much did I pay?',
      "how much have I paid for everything that hasn't come yet?",
      "what's the total of the orders still on the way",
    ],
    SUM,
  )
  await answeredAfter(
    'C-008',
    ['when do the three parcels come that are still on the way?'],
    ['what do they come to in total?', 'and how much did I pay for all three added up?'],
    SUM,
  )
})

test('[S-13] several things are told with their own prices, and what one piece cost', async () => {
  await each(
    ['C-001'],
    [
      'how much were the mugs, each, and the paperback?',
      'price of the mugs per piece and of the book please',
    ],
    /^You paid \$29\.90 for 2 × Stoneware Mug, 350 ml \(\$14\.95 each\) and \$16\.80 for The Salt Path/,
  )
  const { answers } = await writes(
    'C-007',
    'what did the paperback and the jigsaw cost me?',
    'and the shawl?',
    'what is that altogether?',
  )
  assert.match(answers[0] ?? '', /\$16\.80 .* and \$21\.50 /)
  assert.match(answers[1] ?? '', /\$34\.00/)
  assert.match(answers[2] ?? '', /: \$72\.30 together\.$/)
})

test('[S-13] invoices of several orders are each shown', async () => {
  await each(
    ['C-002'],
    ['send me all the invoices please', 'I need the receipts of everything I ordered this year'],
    /O-12348[^]*O-12350[^]*O-12349/,
  )
  const two = await lastAnswer(
    'C-002',
    'I need the invoice of the shoes',
    'and the tent and the hoodie',
  )
  assert.match(two, /^Invoice of order O-12350[^]*Invoice of order O-12349/)
})

test('[S-13] whether delivery was paid is told for each order that was just spoken of', async () => {
  await answeredAfter(
    'C-005',
    ['where are my backpack and my yoga mat?'],
    [
      'so two parcels, do I pay shipping for both?',
      'was a delivery fee charged on either of them?',
    ],
    /^No delivery fee is in any of these orders: .*O-12360 \$98\.75 and O-12359 \$42\.00\.$/,
  )
})

test('[S-13] a price beside another wish leaves both', async () => {
  const answer = await lastAnswer(
    'C-008',
    'please cancel the watch order and tell me the price of the hoodie and the jeans',
  )
  assert.match(answer, /\$54\.50 .* \$69\.90 [^]*Shall I cancel order O-12369/)
})

test('[S-13] what is asked of one order, or of the rules, is no question of sums', async () => {
  await each(['C-008'], ['what does delivery cost?'], /^Delivery is free from \$50/)
  await each(
    ['C-008'],
    [
      'how much do I get back for the lamps and the jeans?',
      'refund the lamps and the jeans in total',
    ],
    /^(?!You paid .* together)/,
  )
  await each(['C-002'], ['my tent has not come, and the invoice for the hoodie please'], /O-12349/)
})

test('[S-13] a new place for all that is to come is asked for where it can be, and refused where not', async () => {
  await each(
    ['C-006'],
    [
      "please send everything that hasn't arrived yet to 12 Oak Lane, Austin, TX 78701",
      'all my orders that are on the way still: please change their address to 12 Oak Lane, Austin, TX 78701',
    ],
    /^No: order O-12361 is in transit[^]*Shall I send order O-12363, .* to 12 Oak Lane, Austin/,
  )
  const { answers, data } = await writes(
    'C-006',
    'send all my open orders to 12 Oak Lane, Austin, TX 78701',
    'no, leave it',
  )
  assert.match(answers[1] ?? '', /I'll leave it/)
  const orders = JSON.stringify(await data.listOrders('C-006'))
  assert.ok(!orders.includes('12 Oak Lane'))
})

test('[S-13] what a new order would take, and a PO box, stand in the documents', async () => {
  await answeredAfter(
    'C-006',
    ['can I still cancel the tent order?'],
    [
      'hm, and would a new order be here later than this one?',
      'if I order again, how long does it take',
    ],
    /new order leaves within two business days/,
  )
  await each(
    ['C-019'],
    ['do you ship to a PO box?', 'could my next order go to a po box'],
    /PO box/,
  )
})

test('[S-13] the time and the cost of a return are both told at its question', async () => {
  await answeredAfter(
    'C-003',
    ['I want to return the bedding'],
    ['wait, how many days do I have left for it, and is there a fee?'],
    /Returns are free[^]*Nov 8[^]*Shall I start the return/,
  )
})

test('[S-13] a sum that is waited for tells its order, beside a question of the calendar', async () => {
  const answer = await lastAnswer(
    'C-008',
    'cancel the watch order',
    'yes',
    'when do my jeans come?',
    'the 21st is a Tuesday, right? and when do I get the 191.99?',
  )
  assert.match(answer, /Oct 21 is a Tuesday\.[^]*O-12369 was cancelled[^]*Oct 28/)
})
