import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readQuestion } from '../../in-tests.ts'

/** Stories in which every word is known but a number could be misread, by reason. */
const DOUBTFUL: Readonly<Record<string, readonly string[]>> = {
  'asks for what nothing is told of': [
    'A box holds 12 eggs. How many broken eggs are in 4 boxes?',
    'A jacket costs $80 and is 25% off. What is the old price?',
    'A book costs $8. How much do 5 books cost in cents?',
    'A train goes 240 miles in 4 hours. What is its return speed?',
    'A cat eats 3 cans of tuna a day. How many cans of beef does it eat in 4 days?',
    'A factory makes 30 cars a day. How many cars does it repair in 4 days?',
    'There are 6 rows of 8 seats. How many seats are there in a row?',
    'I bought 3 shirts for $20 each and 2 ties for $15 each. How much did I spend on ties?',
  ],
  'takes what belongs to somebody else': [
    'Tom has 12 apples. He eats 5 of her apples. How many apples does Tom have left?',
    "Tom has 12 apples, and eats 5 of Ann's apples. How many apples does Tom have left?",
    'Lisa has $50. She spends 20% of his money. How much does she have left?',
    'Pens cost $2 each. Tom buys 3 pens and Ann buys 4 pens. How much does Tom pay?',
    'Ruth has 26 books and Dan has 11 books. Ruth loses 2 books to Dan. How many books do they have together?',
  ],
  'tells of two times': [
    'Tom has 12 apples. He ate 5 apples. How many apples does Tom have?',
    'There were 15 birds on a tree. 6 flew away. How many birds were on the tree?',
    'A jacket costs $80. Its price was reduced by 20%. What is the price now?',
    'John earned $15 per hour and works 8 hours. How much does he earn?',
    'Tom is 12 years old. Ann is 3 years older than Tom. How old was Ann?',
    'Tom read 20 pages yesterday. How many pages did he read today?',
    'Tom has 12 apples. He will give 5 to Ann. How many apples does Tom have?',
  ],
  'adds what may be a part': [
    'Tom ate 12 apples. He ate 5 apples in the morning. How many apples did he eat?',
    'The shop sold 12 books, 5 of them on Monday. How many books did it sell?',
    'Tom has 12 apples. He has 5 apples in his bag. How many apples does he have?',
    'Tom caught 12 fish. He caught 5 big fish. How many fish did he catch?',
  ],
  'names a deed that may change nothing': [
    'Tom has 12 cars. He paints 5 cars. How many cars does he have now?',
    'Tom has 12 eggs. He bakes 5 eggs. How many eggs does he have?',
    'Tom has 12 games. He wins 5 games. How many games does he have?',
    'Tom has 12 cups. He uses 5 cups. How many cups does he have?',
    'Pens cost $2 each. Tom has $10. How many pens does he have?',
  ],
  'gives a price that may not hold': [
    'Muffins cost $2 each on Tuesdays. Tom buys 6 muffins. How much does he pay?',
    'Comics cost $12 each for children. Tom buys 11 comics for adults. How much does he pay?',
    'Toys cost 10 dollars each yesterday. How much do 3 toys cost?',
    'If Ann is a student, pens cost $2 each. Ann buys 9 pens. How much does she pay?',
    'A discounted jacket costs $80 and is 25% off. What is the sale price?',
  ],
  'compares things of different kinds': [
    'Tom has 5 more brown apples than Ann. Ann has 12 apples. How many apples does Tom have?',
    'Tom has 12 red apples. He eats 5 green apples. How many apples does Tom have left?',
    'Drawers are full. Greta has 5 drawers and 20 towels. How many towels are in each drawer?',
  ],
}

suite('[DD-8] a story is not read that', () => {
  for (const [why, stories] of Object.entries(DOUBTFUL)) {
    test(why, () => {
      for (const story of stories) assert.equal(readQuestion(story).kind, 'unknown', story)
    })
  }
})

test('[DD-8] plain variants of these stories are read', () => {
  for (const [story, value] of [
    ['A box holds 12 eggs. How many eggs are in 4 boxes?', 48],
    ['A jacket costs $80 and is 25% off. What is the sale price?', 60],
    ['Tom has 12 apples. He eats 5 apples. How many apples does Tom have left?', 7],
    ['Tom had 12 apples. He gave 5 to Ann. How many apples does Tom have now?', 7],
    ['Tom buys 3 pens at $2 each. How much does he pay?', 6],
    ['Tom has 5 more apples than Ann. Ann has 12 apples. How many apples does Tom have?', 17],
    ['Greta puts 20 towels equally in 5 drawers. How many towels are in each drawer?', 4],
    ['A train goes 240 miles in 4 hours. What is its speed in miles per hour?', 60],
  ] as const) {
    const claim = readQuestion(story)
    assert.equal(claim.kind === 'math' ? claim.value : claim, value, story)
  }
})
