import type { Item, Reading } from './item.ts'

const value = (n: number): Reading => ({ type: 'value', value: n })
const date = (iso: string): Reading => ({ type: 'date', iso })
const ambiguous = (why: string): Reading => ({ type: 'ambiguous', why })

const QUESTIONS: readonly (readonly [text: string, reading: Reading])[] = [
  [
    'The parcel was sent on March 3, 2025 and arrived 5 days later. What date was it sent?',
    date('2025-03-03'),
  ],
  [
    'The party is on March 3, 2025. The dinner is two days later. What date is the party?',
    date('2025-03-03'),
  ],
  [
    'I was born on 17 Nov 1988 and my sister exactly two years later. What day of the week was I born?',
    date('1988-11-17'),
  ],
  ['Ann buys 3 pens for $6. How much does she pay?', value(6)],
  ['Tom bought 5 tickets for $60. How much did he pay in total?', value(60)],
  ['What is half of 90 increased by 10?', ambiguous('55 or 50')],
  ['What is 5% of 400 less than 100?', ambiguous('80 or -15')],
  ['Increase 50 by 10 and increase 20 by 5.', ambiguous('two orders')],
  [
    'The concert was on March 3, 2025, one week later than the match. What date was the match?',
    date('2025-02-24'),
  ],
  ['tax day two years ago', ambiguous('the calendar knows no tax day')],
  ['$12 December 27', ambiguous('money is not a day')],
  ['What is 1/2 divided by 1/4?', value(2)],
  ['1/2 divided by 1/4', value(2)],
  ['What is twice 15 less than 70?', ambiguous('40 or 110')],
  ["The company's founding day was when?", ambiguous('nobody knows that day')],
  [
    'Pens cost $2 each on Mondays. Ann buys 3 pens on Tuesday. How much does she pay?',
    ambiguous('another day'),
  ],
  [
    'Tickets cost $5 for children. How much do 3 tickets for adults cost?',
    ambiguous('other people'),
  ],
  ['Pens cost $2 each yesterday. How much do 3 pens cost today?', ambiguous('another day')],
  ['Tom has 10 marbles. He will buy 5 marbles. How many marbles does he have now?', value(10)],
  ['Tom has 10 marbles. He can win 5 marbles. How many marbles does he have now?', value(10)],
  ['Ann buys 3 pens for $2 each. How much does Ben pay?', ambiguous('another person buys')],
]

/** The questions that the defect report names, word for word, and one of each class it names. */
export const ISSUE_EXAMPLES: readonly Item[] = QUESTIONS.map(([text, reading]) => ({
  kind: 'reported',
  text,
  reading,
  control: false,
}))
