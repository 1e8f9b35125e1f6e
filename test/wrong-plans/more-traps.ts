import type { Question } from './questions.ts'

/**
 * Traps written after the reader was corrected with the first ones. It misread 5 of these 62 at first and
 * was corrected again; `fresh-traps.ts` measures the result.
 */
export const MORE_TRAPS: readonly Question[] = [
  ['Tom had 12 apples. He gave 5 to Ann. Ann had 3 apples. How many apples does Ann have?', 8],
  ['Tom has 12 apples. Ann gave him 5 apples and took 2 back. How many apples does Tom have?', 15],
  ['A pen costs $2 more than a pencil. A pencil costs $1. How much does the pen cost?', 3],
  [
    'A bat and a ball cost $1.10 together. The bat costs $1 more than the ball. How much does the ball cost?',
    0.05,
  ],
  ['Tom has 5 boxes. He fills 3 boxes with 4 balls each. How many balls does he have?', 12],
  [
    'There are 20 students in a class. 5 students are absent. How many students are there in the class?',
    null,
  ],
  [
    'There are 20 students in a class. 5 boys joined the class. How many boys are there in the class?',
    null,
  ],
  [
    'A train has 8 cars. Each car has 50 seats. 120 seats are empty. How many seats are taken?',
    280,
  ],
  [
    'Sara had 30 stickers. She gave 4 stickers each to 5 friends. How many stickers does she have left?',
    10,
  ],
  [
    'Ben bought 3 packs of cards with 10 cards each and lost 4 cards. How many packs did he buy?',
    3,
  ],
  ['Ken has 3 sisters. Each sister has 2 dogs. How many sisters does Ken have?', 3],
  ['Joe saves $5 a week. He has $20. How many weeks does he need to save for a $50 game?', 6],
  [
    'Joe earns $8 an hour. He worked 5 hours on Monday and 3 hours on Tuesday. How much did he earn on Monday?',
    40,
  ],
  [
    'Max reads 10 pages a day. Lily reads 15 pages a day. How many pages do they read in 4 days?',
    100,
  ],
  ['A dog eats 2 cans a day. How many cans do 3 dogs eat in a day?', 6],
  ['A cat has 4 legs. A bird has 2 legs. How many legs do 3 cats have?', 12],
  ['A car travels 60 miles per hour. How far does it go in 30 minutes?', 30],
  ['Eve ran 5 km in 30 minutes. What is her speed in km per hour?', 10],
  ['A shirt costs $20. Buy 2 and get 1 free. How much do 3 shirts cost?', 40],
  ['A shirt costs $20. The second shirt is 50% off. How much do 2 shirts cost?', 30],
  ['A jacket costs $50 after a 20% discount. What was the original price?', 62.5],
  ['A coat costs $100. It is 20% off, and then 10% off. What is the price?', 72],
  ['A meal costs $40. The tip is 15%. How much is the tip?', 6],
  ['Amy has $40. A bag costs $25 and is 20% off. How much money does she have left?', null],
  ['Tom is twice as old as Ann. Ann is 6 years old. How old is Tom?', 12],
  ['Tom is 12 years old. He is twice as old as Ann. How old is Ann?', 6],
  ['Tom has 6 marbles more than Ann. Ann has 4 marbles. How many marbles does Tom have?', 10],
  [
    'Tom has 3 times more marbles than Ann. Ann has 4 marbles. How many marbles does Tom have?',
    null,
  ],
  ['Tom and Ann have 12 marbles together. Tom has 4 marbles. How many marbles does Ann have?', 8],
  ['Half of the 24 cookies are gone. How many cookies are left?', 12],
  ['A cake was cut into 12 pieces. 1/3 of the pieces were eaten. How many pieces are left?', 8],
  ['Tom ate 2/3 of the 12 slices. How many slices did he eat?', 8],
  ['Tom had 12 slices. He ate 2/3 of them. How many slices did he eat?', 8],
  ['Tom had 12 slices. He ate 2/3 of them. Ann ate 1 slice. How many slices are left?', 3],
  ['There are 6 shelves with 10 books each. 4 books are red. How many books are there?', 60],
  [
    'There are 30 books on a shelf. Tom puts 5 books on the shelf. How many books are on the shelf?',
    35,
  ],
  ['Tom puts 5 books on the shelf. How many books are on the shelf?', null],
  ['A farmer has 12 cows. He buys 3 cows and 5 pigs. How many animals does he have now?', 20],
  ['A farmer has 12 cows. He sold 3 cows for $400 each. How much money did he make?', 1200],
  [
    'Ann had 7 pens. She bought 3 more pens than Tom. Tom bought 4 pens. How many pens does Ann have now?',
    14,
  ],
  ['The sum of two numbers is 12. One of them is 5. What is the other number?', 7],
  ['I think of a number, double it and add 3. The result is 11. What is the number?', 4],
  ['A rectangle is 5 m long and 3 m wide. What is its area?', 15],
  ['A square has a side of 4 cm. What is its perimeter?', 16],
  ['How many minutes are there in 3 hours?', 180],
  ['How many legs do 3 cows have?', 12],
  ['How many days are in 2 weeks and 3 days?', 17],
  ['If a dozen eggs cost $6, how much do 3 eggs cost?', 1.5],
  [
    'Ann is 3 years older than Tom. Tom is 2 years older than Bob. Bob is 5 years old. How old is Ann?',
    10,
  ],
  ['A tank holds 100 liters. It has 30 liters. How many more liters does it need?', 70],
  ['Tom has 10 coins. He puts 3 coins in a box. How many coins does Tom have?', 10],
  [
    'A bus had 20 passengers. 5 passengers got off and 3 passengers got on. How many passengers got off?',
    5,
  ],
  [
    'Rosa bought 5 pounds of pears and 3 pounds of apples. Pears cost $2 a pound. How much did she pay?',
    null,
  ],
  ['Tom scored 12 points in 3 games. How many points did he score in each game?', null],
  ['Tom earns $10 an hour. He spends $3 a day. He works 5 hours. How much does he earn?', 50],
  ['A box has 5 red balls and 3 blue balls. Tom takes 2 balls. How many balls are left?', 6],
  ['Two pens cost $4. How much do 6 pens and a book cost?', null],
  ['Tom had $30. He bought a cap for $8. He earned $5. How much money does he have now?', 27],
  ['What is 3 more than half of 10?', 8],
  ['What is 12 divided by half?', 24],
  ['What is 50 percent of 40 percent of 200?', 40],
  ['What is 30 minus 20% of 50?', 20],
]
