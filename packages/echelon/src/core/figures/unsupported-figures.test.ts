import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Json } from '../value/json.ts'
import { MONTHS } from './calendar.ts'
import { unsupportedFigures } from './unsupported-figures.ts'

const ORDER = {
  order_id: 'O-12345',
  customer_id: 'C-001',
  status: 'shipped',
  carrier: 'UPS',
  tracking: '1Z999AA10123456784',
  eta: '2025-10-20',
  shipped_at: '2025-10-17T17:05:00Z',
  amount: 29.99,
  items: ['Blue T-Shirt (M)', '2-pack of socks'],
  discount: 0.15,
  contact: { phone: '1-800-555-0199', mail: 'help@shop.example' },
}
const SOURCES: readonly Json[] = [ORDER, { order_id: 'O-12345' }, 'Where is my order o-12345?']

const TRUE_SENTENCES = [
  'Your order O-12345 is shipped via UPS, ETA Oct 20',
  'Your order o‑12345 is on its way.',
  'Order 12345 arrives on October 20th.',
  'It should be there by 20 October 2025.',
  'It should be there by the 20th of October.',
  'It should be there by Oct. 20, 2025.',
  'ETA: 2025-10-20.',
  'ETA 10/20/2025 (20.10.2025).',
  'It will arrive on Monday, October 20.',
  'It will arrive in October 2025.',
  'It arrives on the 20th.',
  'It cost $29.99.',
  'It cost 29.99 USD, that is 29,99 dollars.',
  'You paid **$29.99** for it.',
  'You got 15% off.',
  'You got 15 percent off.',
  'There are 2 items in it.',
  'There are two items in it.',
  'A 2-pack of socks is part of it.',
  'The tracking number is 1Z999AA10123456784.',
  'The tracking number is 1z999aa10123456784!',
  'It left at 17:05 on Friday.',
  'It left at 5:05 pm.',
  'Call 1-800-555-0199 or write to help@shop.example.',
  'One moment: I may first look at the other one, in half a second.',
  'Maybe you may march on; the deciding mark is a second marble.',
  'Nothing here is a figure.',
  'In it:\n1. Blue T-Shirt (M)\n2. 2-pack of socks\n\n1) Done\n2) Sent\n3) On its way',
  '**1.** Blue\n- **Option 2:** Socks\n  3. Neither',
  'The two reservations of yours: 2 active reservations.',
  'It should be there by the twentieth of October, or October twentieth.',
] as const

test('a figure of the sources is supported in any notation', () => {
  for (const text of TRUE_SENTENCES) assert.deepEqual(unsupportedFigures(text, SOURCES), [], text)
})

/** Each with its made-up parts. */
const FALSE_SENTENCES: readonly (readonly [string, ...string[]])[] = [
  ['Your order O-12346 is shipped.', 'O-12346'],
  ['Your order O-1234 is shipped.', 'O-1234'],
  ['Your order O-123456 is shipped.', 'O-123456'],
  ['Your order O12345X is shipped.', 'O12345X'],
  ['Order 12346 is shipped.', '12346'],
  ['Order 2345 is shipped.', '2345'],
  ['It is shipped with 1Z999AA10123456785.', '1Z999AA10123456785'],
  ['It is shipped with 1Z999AA1.', '1Z999AA1'],
  ['The tracking number is 10123456784.', '10123456784'],
  [
    'Your reference is 6f1b2c3d-0000-4000-8000-000000000000.',
    '6f1b2c3d-0000-4000-8000-000000000000',
  ],
  ['ETA Oct 21', 'Oct 21'],
  ['ETA November 20', 'November 20'],
  ['ETA October 20, 2026', 'October 20, 2026'],
  ['ETA 20 Oct 2024', '20 Oct 2024'],
  ['ETA 2025-10-21', '2025-10-21'],
  ['ETA 10/21/2025', '10/21/2025'],
  ['ETA 10/21', '10/21'],
  ['ETA 21.10.2025', '21.10.2025'],
  ['ETA the 22nd of October', '22nd of October'],
  ['It arrives on the 22nd.', '22nd'],
  ['It arrives in November.', 'November'],
  ['It arrives in October 2026.', 'October 2026'],
  ['It arrives on Tuesday.', 'Tuesday'],
  ['It arrives on Tuesday, October 20.', 'Tuesday'],
  ['It arrives tomorrow.', 'tomorrow'],
  ['It arrived yesterday.', 'yesterday'],
  ['It arrives in 3 days.', '3'],
  ['It arrives in three days.', 'three'],
  ['It takes 3-5 business days.', '3-5'],
  ['You have a 30-day return window.', '30-day'],
  ['It takes twenty-one days.', 'twenty-one'],
  ['It cost $30.', '$30'],
  ['It cost about $29.90.', '$29.90'],
  ['It cost $29.99 and shipping $4.99.', '$4.99'],
  ['In all that is $59.98.', '$59.98'],
  ['You get $14.99 back.', '$14.99'],
  ['It cost €29.99.', '€29.99'],
  ['It cost 29.99 euros.', '29.99 euros'],
  ['It cost 2,999 dollars.', '2,999 dollars'],
  ['It cost $29.99 thousand.', '$29.99 thousand'],
  ['It cost $12345.', '$12345'],
  ['You got 20% off.', '20%'],
  ['You got 29.99% off.', '29.99%'],
  ['You got fifteen million points.', 'fifteen', 'million'],
  ['There are 3 items in it.', '3'],
  ['There are four items in it.', 'four'],
  ['It left at 17:06.', '17:06'],
  ['It left at 5 pm.', '5 pm'],
  ['It left at 5:05 am.', '5:05 am'],
  ['Call 1-800-555-0100.', '1-800-555-0100'],
  ['Write to refunds@shop.example.', 'refunds@shop.example'],
  ['Follow it at https://ups.example/track/1.', 'https://ups.example/track/1.'],
  ['It cost ２９.98.', '29.98'],
  ['It cost 2\u200b9.98.', '29.98'],
  ['It cost 1\u202f234,50.', '1234,50'],
  ['It cost ٢٩.', '٢٩'],
  ['Card ending in 4242.', '4242'],
  ['Placed in 2024.', '2024'],
  ['It cost seven dollars.', 'seven dollars'],
  ['You got two percent off.', 'two percent'],
  ['It cost one dollar.', 'one dollar'],
  ['It takes seven days.', 'seven'],
  ['It takes one business day.', 'one'],
  ['You get half of the amount.', 'half of the'],
  ['You get twice the amount, or half of $29.99.', 'twice the', 'half of'],
  ['It arrives next week, or in a week.', 'next week', 'in a week'],
  ['It arrives in a couple of days.', 'a couple of days'],
  ['ETA October twenty-first', 'October twenty-first'],
  ['ETA the third of October', 'third of October'],
  ['It arrives on Tue at noon.', 'Tue', 'noon'],
  ['Your refunds:\n250. That is all.', '250'],
  ['You get\n4. Done', '4'],
  ['1. Shirt\n1. October', '1. October'],
  ['1. Shirt at $4\n2. Socks at $5', '$4', '$5'],
  ['Gate 7B, seat 12C.', '7B', '12C'],
  ['Open 24/7.', '24/7'],
]

test('exactly the figures missing from the sources are found, in order', () => {
  assert.ok(FALSE_SENTENCES.length >= 40)
  for (const [text, ...made] of FALSE_SENTENCES) {
    assert.deepEqual(unsupportedFigures(text, SOURCES), made, text)
  }
})

test('without sources every figure is unsupported, and the customer’s own words are a source', () => {
  assert.deepEqual(unsupportedFigures('It cost $5 on May 3.', []), ['$5', 'May 3'])
  assert.deepEqual(unsupportedFigures('It cost $5 on May 3.', ['I paid 5 dollars on 3 May']), [])
  assert.deepEqual(unsupportedFigures('€5', [{ amount: 5, currency: 'EUR' }]), [])
  assert.deepEqual(unsupportedFigures('$5', [{ amount: 5, currency: 'EUR' }]), ['$5'])
  assert.deepEqual(unsupportedFigures('O-1 and O-2', [{ 'O-1': {} }]), ['O-2'])
  assert.deepEqual(unsupportedFigures('$5 back', [{ amount: -5 }]), [])
})

const amount = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => cents / 100)
const day = fc.record({
  year: fc.integer({ min: 2000, max: 2099 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
})
const two = (value: number): string => String(value).padStart(2, '0')

test('an amount of the data is supported in every notation, and no other amount is', () => {
  fc.assert(
    fc.property(amount, amount, (is, other) => {
      const fixed = is.toFixed(2)
      const grouped = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }).format(is)
      for (const said of [fixed, grouped, fixed.replace('.', ','), `$${fixed}`, `${fixed} USD`]) {
        assert.deepEqual(unsupportedFigures(`It is ${said}.`, [{ amount: is }]), [], said)
      }
      const found = unsupportedFigures(`It is $${other.toFixed(2)}.`, [{ amount: is }])
      assert.equal(found.length, other === is ? 0 : 1)
    }),
  )
})

test('a day of the data is supported in every notation, and no other day is', () => {
  const ways = ({ year, month, day: d }: { year: number; month: number; day: number }) => [
    `${year}-${two(month)}-${two(d)}`,
    `${MONTHS[month - 1]} ${d}`,
    `${MONTHS[month - 1]} ${d}, ${year}`,
    `${d} ${MONTHS[month - 1]} ${year}`,
    `${month}/${d}/${year}`,
  ]
  fc.assert(
    fc.property(day, day, (is, other) => {
      const [iso = ''] = ways(is)
      for (const said of ways(is)) assert.deepEqual(unsupportedFigures(said, [iso]), [], said)
      const [isoOther = '', inWords = ''] = ways(other)
      const isSame = is.month === other.month && is.day === other.day
      assert.equal(unsupportedFigures(inWords, [iso]).length, isSame ? 0 : 1)
      assert.equal(unsupportedFigures(isoOther, [iso]).length, isoOther === iso ? 0 : 1)
    }),
  )
})

test('any text supports itself, and any figures are found in linear time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      assert.deepEqual(unsupportedFigures(text, [text]), [])
    }),
    { numRuns: 500 },
  )
  const scraps =
    '1 12 2025 $ € % USD - . , / : @ a O- June October 20th pm two items Monday T'.split(' ')
  const scrap = fc.constantFrom(' ', ' ', ...scraps)
  fc.assert(
    fc.property(fc.array(scrap, { maxLength: 12 }), (all) => {
      assert.deepEqual(unsupportedFigures(all.join(''), [all.join('')]), [])
    }),
    { numRuns: 3000 },
  )
  const marks = ['1', 'a', '-', '.', ',', '/', ':', '@', ' ', '$', '%', 'Oct ', '1-', 'a.', '1,']
  for (const mark of marks) unsupportedFigures(mark.repeat(20_000), [mark.repeat(20_000)])
})

test('an unsupported word with a digit is found even beside supported ones', () => {
  const id = fc.stringMatching(/^[A-Z]{1,3}-\d{3,7}$/)
  fc.assert(
    fc.property(id, id, (mine, other) => {
      fc.pre(mine !== other)
      assert.deepEqual(unsupportedFigures(`${mine}, ${other}`, [{ order_id: mine }]), [other])
    }),
  )
})
