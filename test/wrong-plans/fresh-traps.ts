import type { Question } from './questions.ts'

/** The last traps, written after the reader was corrected with the others; it was not corrected with these. */
export const FRESH_TRAPS: readonly Question[] = [
  ['Mia has 4 cats. Each cat has 3 toys. She gives away 1 cat. How many cats does she have?', 3],
  ['Dan has 4 bags with 5 apples each. He eats 2 apples. How many bags does he have?', 4],
  ['A shop had 50 cups. It sold 20 cups and bought 30 plates. How many cups are left?', 30],
  ['A shop had 50 cups. It sold 20 cups and bought 30 cups. How many cups did it sell?', 20],
  [
    'Lea had 40 beads. She used 12 beads and bought 20 beads. How many beads does she have left?',
    48,
  ],
  [
    'Lea has 40 beads and needs 60 beads. She buys 10 beads. How many more beads does she need?',
    10,
  ],
  [
    'Lea needs 60 beads for a chain. She has 40 beads. How many more beads does she need for 2 chains?',
    80,
  ],
  ['Gus walks 3 miles to school every day. How many miles does he walk in 2 weeks?', 42],
  ['A book costs $10. Gus has $45. How many books can he buy?', 4],
  ['A book costs $9. Gus has $45. How many books can he buy?', 5],
  ['A ticket costs $9 for adults and $5 for children. How much do 2 adults pay?', 18],
  ['Tickets cost $9 each. There are 4 adults and 3 children. How much do they pay?', 63],
  ['Ivy bought 2 cakes for $12 each and paid with a $50 bill. How much change did she get?', 26],
  ['Ivy sold 2 cakes for $12 each and bought a pan for $9. How much money does she have left?', 15],
  [
    'Ivy had $30. She sold 2 cakes for $12 each and bought a pan for $9. How much money does she have left?',
    45,
  ],
  ['Leo has 24 stamps in 4 equal rows. How many stamps are in each row?', 6],
  [
    'Leo has 24 stamps and 6 coins. He puts the stamps in 4 equal rows. How many stamps are in each row?',
    6,
  ],
  ['A bus travels 50 km in 1 hour. How far does it travel in 3 hours?', 150],
  [
    'A bus travels 50 km per hour. It stops for 2 hours and travels for 3 hours. How far does it go?',
    150,
  ],
  ['Una paints 4 walls in 2 hours. How many walls does she paint in 6 hours?', 12],
  [
    'Una works 8 hours a day. She works 5 days a week. How many hours does she work in 3 weeks?',
    120,
  ],
  ['Una works 8 hours a day for 5 days and earns $100. How much does she earn per hour?', 2.5],
  ['Ned is 4 years younger than Meg. Meg is 10 years old. How old will Ned be in 2 years?', 8],
  ['Ned has 7 more cards than Meg. Together they have 19 cards. How many cards does Meg have?', 6],
  [
    'Ned has 7 cards. Meg has 12 cards. Ned gives all his cards to Meg. How many cards does Meg have?',
    19,
  ],
  ['Ned gave Meg 7 cards. Meg had 12 cards. How many cards does Ned have?', null],
  ['Ned has 12 cards. 7 cards are old. How many cards does Ned have?', 12],
  ['There are 15 ducks and 6 geese on a pond. 4 birds fly away. How many birds are left?', 17],
  [
    'There are 15 ducks on a pond. 4 ducks flew away and 6 geese came. How many ducks are on the pond?',
    11,
  ],
  ['A jar has 40 sweets. 10% of the sweets are red. How many sweets are there?', 40],
  [
    'A jar has 40 sweets. 10% of the sweets are red and 20% are green. How many sweets are green?',
    8,
  ],
  ['A hat costs $20 and a scarf costs $15. Both are 20% off. How much do they cost in total?', 28],
  ['A hat costs $20. Sales tax is 10%. Bo pays with a $50 bill. How much change does he get?', 28],
  ['The rent is $800 a month. How much is the rent for a year?', 9600],
  ['A plant is 20 cm tall. It grows 3 cm a week. How tall is it after 4 weeks?', 32],
  ['A recipe uses 2 cups of sugar for 12 cookies. How many cups of sugar do 36 cookies need?', 6],
  ['5 workers build a wall in 6 days. How many days do 10 workers need?', 3],
  ['Each child gets 3 pencils. There are 24 pencils. How many children are there?', 8],
  ['There are 24 pencils in 3 boxes. How many pencils are in 5 boxes?', 40],
  [
    'Tia has 3 times as many pens as Ray. Ray has 5 pens and 2 books. How many pens does Tia have?',
    15,
  ],
]
