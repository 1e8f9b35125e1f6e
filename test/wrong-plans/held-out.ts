import type { Question } from './questions.ts'

/** Written together with `questions.ts` and never used to tune the reader: the honest measurement. */
export const HELD_OUT: readonly Question[] = [
  // Arithmetic in symbols and words.
  ['How much is 48 / (2 * 3)?', 8],
  ['What do you get when you multiply 19 by 6?', 114],
  ['Add 45 and 55.', 100],
  ['What is 9 to the power of 3?', 729],
  ['Find the value of 1000 - 250 - 125', 625],
  ['What is a third of 96?', 32],
  ['What is the mean of 10, 20 and 60?', 30],
  ['What is eleven squared minus one?', 120],
  ['Please calculate 0.25 * 64', 16],
  ['What is 8 less than twice 30?', 52],
  ['Divide 144 by 12 and subtract 5.', 7],
  ['What is two thousand three hundred plus seventeen?', 2317],
  // Percentages.
  ['What is 7.5% of 400?', 30],
  ['45 is what percentage of 60?', 75],
  ['A bike costs $300. It is discounted by 30%. How much does the bike cost now?', 210],
  ['A lamp costs $25 and is 20% off. How much do 4 lamps cost?', 80],
  ['A salary of $2000 is increased by 5%. What is the new salary?', 2100],
  ['A meal costs $30. The tip is 15%. What is the total cost?', 34.5],
  ['A farmer has 60 cows. 30% of the cows are brown. How many cows are brown?', 18],
  // Transfer.
  ['Peter had 41 balloons. 16 balloons popped. How many balloons does Peter have now?', 25],
  [
    'Grace had 18 flowers. She picked 9 more flowers and gave 6 flowers to her mother. How many flowers does Grace have now?',
    21,
  ],
  [
    'A library had 120 books. It bought 35 new books. How many books does the library have now?',
    155,
  ],
  [
    'Victor had 52 dollars. He spent 17 dollars on a toy and 11 dollars on lunch. How much money is left?',
    24,
  ],
  ['There were 14 ducks in a pond. 9 more ducks joined them. How many ducks are in the pond?', 23],
  ['Ruth has 36 beads. She gives 1/3 of them to Leo. How many beads does Ruth have left?', 24],
  ['Ivan has 13 coins. He wants 30 coins. How many more coins does he need?', 17],
  ['Kate had 72 photos. She deleted 25 photos. How many photos does she have left?', 47],
  [
    'Jill had some pears. She ate 4 pears and has 9 pears left. How many pears did Jill have at first?',
    13,
  ],
  // Combine.
  ['Noah has 14 green cars and 9 black cars. How many cars does Noah have altogether?', 23],
  [
    'Fay scored 18 points in the first game and 27 points in the second game. How many points did she score in total?',
    45,
  ],
  ['Leo has 11 fish, Mia has 6 fish and Zoe has 8 fish. How many fish do they have in all?', 25],
  ['A garden has 32 roses and 15 tulips. How many flowers are there altogether?', 47],
  // Compare.
  ['Hank has 31 cards. Gus has 12 cards. How many more cards does Hank have than Gus?', 19],
  ['Nora has 4 times as many coins as Pam. Pam has 13 coins. How many coins does Nora have?', 52],
  [
    'Uma has 9 fewer shells than Vic. Vic has 26 shells. How many shells do they have together?',
    43,
  ],
  ['Ed is 34 years old. Flo is 6 years younger than Ed. How old is Flo?', 28],
  ['A school has 210 boys and 185 girls. How many fewer girls than boys are there?', 25],
  [
    'Ty collected 16 cans. Bea collected 9 more cans than Ty. How many cans did they collect in all?',
    41,
  ],
  // Equal groups.
  [
    'A farmer packs 96 oranges into boxes. Each box holds 8 oranges. How many boxes does he need?',
    12,
  ],
  ['There are 7 tables and 6 chairs at each table. How many chairs are there in total?', 42],
  ['63 grapes are shared equally by 9 kids. How many grapes does each kid get?', 7],
  [
    'Zack has 8 jars. There are 25 buttons in each jar. He loses 30 buttons. How many buttons does he have left?',
    170,
  ],
  ['A box holds 24 cans. How many cans are in 5 boxes?', 120],
  [
    'Amy has 3 bags of 10 apples and 2 bags of 6 oranges. How many fruits does she have in all?',
    42,
  ],
  ['A baker has 84 rolls. She puts 12 rolls in each basket. How many baskets does she use?', 7],
  ['A tricycle has 3 wheels. How many wheels do 14 tricycles have?', 42],
  // Rates.
  ['A plane flies at 500 miles per hour. How far does it fly in 6 hours?', 3000],
  ['Abe reads 25 pages per day. How many days does it take him to read 300 pages?', 12],
  ['Bo earns $12 an hour. How much does he earn in 40 hours?', 480],
  ['A factory makes 150 chairs per day. How many chairs does it make in 2 weeks?', 2100],
  ['A bus drives 150 km in 3 hours. What is its average speed?', 50],
  ['Cal runs 5 km every morning. How many km does he run in 30 days?', 150],
  // Price and change.
  ['Pencils cost 25 cents each. How many cents do 8 pencils cost?', 200],
  ['Dee buys 2 hats for $11 each and a scarf for $9. How much does she spend?', 31],
  ['Gil buys 3 sandwiches for $5 each. He pays with a $20 bill. How much change does he get?', 5],
  ['A toy costs $7. How many toys can Hal buy with $63?', 9],
  ['Ira sold 15 cups of lemonade for $2 each. How much did he earn?', 30],
  ['8 bananas cost $4. What is the price of one banana?', 0.5],
  [
    'Ken has $80. He buys a jacket for $45 and 2 ties for $8 each. How much money does he have left?',
    19,
  ],
  // Traps.
  ['Ned has 9 hens and 4 goats. How many hens does Ned have?', 9],
  ['A shelf holds 20 books. How many shelves are needed for 45 books?', 3],
  [
    'Ola has 6 hats. Pat has 4 hats. Ola gives 1 hat to Pat. How many more hats does Ola have than Pat?',
    0,
  ],
  ['What is the square root of 16 plus 9?', null],
  ['Tess has 30 cents. How many apples can she buy?', null],
  ['Ana ate 2 slices of each of 3 pizzas. Each pizza had 8 slices. How many slices are left?', 18],
  [
    'A snail climbs 3 feet each day and slides back 2 feet each night. The wall is 10 feet high. How many days does it need?',
    8,
  ],
  [
    'Rob has 20 candies. He keeps 4 and shares the rest equally among 8 friends. How many candies does each friend get?',
    2,
  ],
  ['Sid sleeps 8 hours a day. How many hours is he awake in a week?', 112],
  ['Una has 15 pens. 5 of them are broken. Vera has 7 pens. How many pens work?', null],
  ['There are 5 cats. Each cat has 4 kittens. How many cats and kittens are there in all?', 25],
]
