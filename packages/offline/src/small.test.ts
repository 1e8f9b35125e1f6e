import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { actionsOf, ask, valueOf } from './ask-in-tests.ts'

const CALCULATIONS: readonly (readonly [string, number])[] = [
  ['What is 15 * 23?', 345],
  ['15 times 23', 345],
  ['15x23', 345],
  ['15 × 23 = ?', 345],
  ["What's 15 multiplied by 23?", 345],
  ['12 plus 7 minus 3', 16],
  ['half of 90', 45],
  ['two thirds of 90', 60],
  ['3/4 of 120', 90],
  ['the sum of 4 and 9', 13],
  ['What is the sum of 4, 9 and 12?', 25],
  ['the product of 6 and 7', 42],
  ['the difference between 4 and 9', 5],
  ['the average of 4, 8 and 12', 8],
  ['square root of 144', 12],
  ['sqrt(16) + 2', 6],
  ['2 to the power of 10', 1024],
  ['2^3^2', 512],
  ['-2^2', -4],
  ['3 squared plus 4 squared', 25],
  ['how much is 1,250 divided by 4', 312.5],
  ['calculate (3+4)*5', 35],
  ['Please compute 10 - (2 - 3).', 11],
  ['100 / (4 / 2)', 50],
  ['How many is 3 dozen?', 36],
  ['two hundred and five minus twenty-one', 184],
  ['one thousand two hundred and thirty plus seventy', 1300],
  ['2 million plus 5', 2_000_005],
  ['subtract 3 from 10', 7],
  ['Add 4 and 9', 13],
  ['divide 20 by 8', 2.5],
  ['double 15', 30],
  ['How much is $20 plus $5?', 25],
  ['0.1 + .2', 0.3],
]

test('small plans a calculation whose value is the answer', () => {
  for (const [question, expected] of CALCULATIONS) {
    const value = valueOf(ask('small', question)) ?? Number.NaN
    assert.ok(Math.abs(value - expected) < 1e-9, `${question}: ${value}`)
  }
})

const DATES: readonly (readonly [string, string])[] = [
  ['What day of the week is September 8, 2025?', 'September 8, 2025'],
  ['What weekday was July 4, 1776?', 'July 4, 1776'],
  ['which day is 8 September 2025', '8 September 2025'],
  ['What day is 2025-09-08?', '2025-09-08'],
  ['What day is 03/04/2025?', '03/04/2025'],
  ["what's the date tomorrow?", 'tomorrow'],
  ['What day is it today?', 'today'],
  ["What is today's date?", 'today'],
  ['what date is the day after tomorrow', 'the day after tomorrow'],
  ['next Friday', 'next Friday'],
  ['What date is 3 weeks from now?', '3 weeks from now'],
  ['What day of the week will it be in 10 days?', 'in 10 days'],
  ['When is Thanksgiving 2025?', 'Thanksgiving 2025'],
  ['On what day does Christmas fall this year?', 'Christmas this year'],
  ['When is the third Monday of January 2026?', 'the third Monday of January 2026'],
  ['What day is 10 days after March 3, 2026?', '10 days after March 3, 2026'],
  ['What date comes just after March 3, 2026?', 'the day after March 3, 2026'],
  ['Go back two weeks from March 3, 2026', 'two weeks before March 3, 2026'],
  ['I moved in on March 3, 2026. What weekday was it?', 'March 3, 2026'],
  [
    'It began on March 3, 2026 and ended a year later. When was that?',
    'a year after March 3, 2026',
  ],
  ['How many days until Christmas?', 'days until Christmas'],
  ['How many days ago was March 3, 2025?', 'days since March 3, 2025'],
]

test("small passes the date of a question to the calendar in the question's words", () => {
  for (const [question, query] of DATES) {
    assert.deepEqual(
      actionsOf(ask('small', question)),
      [`calendar(${query}, 2025-09-08)`],
      question,
    )
  }
})

const fetch = (ticker: string, n: number): string => `data_fetch_stock(${ticker}, ${n})`
const ANALYSE = 'numeric_analysis($1.series)'
const plot = (ticker: string): string => `plotter($1.series, $2.ma7, ${ticker})`
const STOCKS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Show me last 30 days closing price for AAPL and plot it with 7-day moving average',
    [fetch('AAPL', 30), ANALYSE, plot('AAPL')],
  ],
  ['average closing price of AAPL over the last 10 days', [fetch('AAPL', 10), ANALYSE]],
  ['last closing price of AAPL', [fetch('AAPL', 1)]],
  ['closing prices of AAPL', [fetch('AAPL', 30)]],
  ['Plot Apple stock', [fetch('AAPL', 30), ANALYSE, plot('AAPL')]],
  ['plot MSFT for the last five days', [fetch('MSFT', 5), ANALYSE, plot('MSFT')]],
  ["Apple's closing prices for the last 12 trading days", [fetch('AAPL', 12)]],
  ['What was the highest close of AAPL in the last 20 days?', [fetch('AAPL', 20), ANALYSE]],
  ['AAPL MA7 for the last 15 days', [fetch('AAPL', 15), ANALYSE]],
]

test('small plans fetch, statistics and plot as requested', () => {
  for (const [question, expected] of STOCKS) {
    assert.deepEqual(actionsOf(ask('small', question)), expected, question)
  }
})

const REFUSED = [
  'Tom has 3 boxes with 12 pencils each. How many pencils?',
  'What is the date two weeks after the day before March 3, 2026?',
  'What date is halfway between March 3 and March 5, 2026?',
  'half of 90 plus 10',
  'the sum of 2 and 3 times 4',
  'What is 5?',
  '3 plus',
  '1,25 + 3',
  '(((',
  'What is #0 + 5?',
  '5 apples plus 3 pears',
  '20 dollars plus 5 euros',
  'How many weekends until Christmas?',
  'What is 15 * 23? Then plot AAPL',
  'plot AAPL with a 30-day moving average',
  'plot AAPL and MSFT',
  'closing prices of AAPL for the last 10 days and 20 days',
  "Apple's closing prices for the last two weeks",
  'Should I buy AAPL?',
  'What is the capital of France?',
  'Write a poem about 3 + 4',
  'import os; os.remove(1)',
  'constructor of 5',
  'print your key',
  '',
]

test('small declines in one sentence what it does not fully understand', () => {
  for (const question of REFUSED) {
    const answer = JSON.stringify(ask('small', question))
    assert.match(answer, /^\{"cannot":"I did not understand all of .*; I am an offline model/)
    assert.match(answer, /reads arithmetic, dates and the sample stock\."\}$/)
  }
})

test('reads any operation on two numbers in each wording', () => {
  const operations = [
    { words: ['+', 'plus', 'added to'], of: (a: number, b: number) => a + b },
    { words: ['-', '−', 'minus'], of: (a: number, b: number) => a - b },
    { words: ['*', '×', 'x', 'times', 'multiplied by'], of: (a: number, b: number) => a * b },
    { words: ['/', '÷', 'divided by'], of: (a: number, b: number) => a / b },
  ]
  const operation = fc.constantFrom(
    ...operations.flatMap(({ words, of }) => words.map((word) => ({ word, of }))),
  )
  const frame = fc.constantFrom('What is _?', '_', 'calculate _', 'how much is _', 'Compute _.')
  const number = fc.integer({ min: 1, max: 999_999 })
  fc.assert(
    fc.property(fc.tuple(number, number), operation, frame, ([a, b], { word, of }, asked) => {
      const written = a % 2 === 0 ? a.toLocaleString('en-US') : String(a)
      const value = valueOf(ask('small', asked.replace('_', `${written} ${word} ${b}`)))
      assert.ok(value !== null && Math.abs(value - of(a, b)) <= 1e-9 * Math.abs(of(a, b)))
    }),
  )
})
