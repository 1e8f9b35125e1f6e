import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callToApprove } from '../conversation/question.ts'
import { fold } from './fold.ts'

const prices = Array.from({ length: 30 }, (_, n) => ({ date: `2018-04-${n}`, close: n }))

test('folds long lists and texts at any depth', () => {
  assert.deepEqual(fold({ deep: [{ prices }] }), {
    deep: [{ prices: [prices[0], prices[1], '… 28 more'] }],
  })
  const text = fold({ text: 'x'.repeat(5000) })
  assert.deepEqual(text, { text: `${'x'.repeat(400)}… 4,600 more characters` })
})

test('leaves short values unchanged', () => {
  const short = [
    null,
    'x'.repeat(600),
    [1, 2, 3, 4, 5, 6, 7, 8],
    prices.slice(0, 3),
    { to: 'Ann', lines: ['a', 'b', 'c'] },
  ]
  for (const value of short) assert.deepEqual(fold(value), value)
})

test('keeps messages whole, and folds the data in them', () => {
  const messages = [1, 2, 3, 4].map((n) => ({ role: 'tool', text: 'y'.repeat(700), of: n, prices }))
  const folded = fold(messages, { isSaid: (item) => messages.some((one) => one === item) })
  assert.deepEqual(
    folded,
    messages.map((one) => ({ ...one, prices: [prices[0], prices[1], '… 28 more'] })),
  )
})

test('[C-13] folds a call to approve only with a command that shows all of it', () => {
  const call = { tool: 'send', input: { prices } }
  assert.match(callToApprove(call), /"2018-04-29"/)
  assert.match(
    callToApprove(call, 'echelon runs show ab --json'),
    /"… 28 more"\]\)\n {2}all of it: echelon runs show ab --json$/,
  )
  const short = { tool: 'pay', input: { to: 'Ann' } }
  assert.equal(callToApprove(short, 'echelon runs show ab --json'), 'pay(to: "Ann")')
})
