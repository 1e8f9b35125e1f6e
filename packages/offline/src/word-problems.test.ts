import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, valueOf } from './ask-in-tests.ts'

/**
 * School word problems in three sets: forty written before any rule, thirty and twenty later. On first contact,
 * big solved 27, 15 and 9 of them, got 1, 0 and 0 wrong, and declined the rest; rules were widened after each.
 */
const HELD_OUT: readonly (readonly [string, number])[] = [
  [
    'Maria had 24 stickers. She gave 9 of them to her brother. How many stickers does she have now?',
    15,
  ],
  [
    'There are 6 shelves in the library corner. Each shelf holds 18 books. How many books are there altogether?',
    108,
  ],
  [
    'A farmer collected 84 eggs and packed them equally into 7 boxes. How many eggs are in each box?',
    12,
  ],
  ['Ben is 12 years old. His sister is 5 years younger. How old is his sister?', 7],
  ['A train travels at 80 kilometers per hour. How far does it go in 4 hours?', 320],
  ['A car drove 210 miles in 3 hours. What was its average speed in miles per hour?', 70],
  ['Lucy bought 4 notebooks at $3 each and a pen for $2. How much did she spend in total?', 14],
  ['Jack paid for a $13 book with a $20 bill. How much change did he get?', 7],
  [
    'Sara has 15 marbles. Tim has three times as many marbles as Sara. How many marbles do they have together?',
    60,
  ],
  [
    'The temperature was 18 degrees in the morning and rose by 7 degrees by noon. What was the temperature at noon?',
    25,
  ],
  ['A class has 28 students. 13 of them are boys. How many are girls?', 15],
  [
    'Mike read 45 pages on Monday, 30 pages on Tuesday and 27 pages on Wednesday. How many pages did he read in all?',
    102,
  ],
  ['A baker made 120 cookies and sold 3/4 of them. How many cookies are left?', 30],
  ['Emma scored 80, 90 and 100 on three tests. What is her average score?', 90],
  ['Five friends share a bill of $85 equally. How much does each pay?', 17],
  [
    'A bus had 32 passengers. At the first stop 8 got off and 5 got on. How many passengers are on the bus now?',
    29,
  ],
  ['Kate earns $12 an hour. She works 6 hours a day. How much does she earn in 5 days?', 360],
  [
    'Paul has 36 baseball cards, which is twice as many as Dan has. How many cards does Dan have?',
    18,
  ],
  ['A rope 48 meters long is cut into 6 equal pieces. How long is each piece?', 8],
  ['If 5 apples cost $10, how much do 8 apples cost?', 16],
  ['A rectangle is 12 cm long and 5 cm wide. What is its area?', 60],
  ['There were 50 balloons at a party. 17 popped and 12 flew away. How many were left?', 21],
  ['Olivia saves $15 every week. How much will she have saved after 8 weeks?', 120],
  ['A jacket costs $80. It is on sale for 30% off. What is the sale price?', 56],
  ['A restaurant bill is $60. They leave a 15% tip. How much do they pay in total?', 69],
  ['Out of 40 students, 10 are absent. What percent of the students are absent?', 25],
  ['Anna has 18 pencils. Peter has 7 fewer than Anna. How many pencils does Peter have?', 11],
  ['How many more apples does Leo have than Mia if Leo has 23 and Mia has 14?', 9],
  ['A box holds 8 crayons. How many boxes are needed for 72 crayons?', 9],
  [
    'Noah walks 2 miles to school and 2 miles back every day. How many miles does he walk in 5 days?',
    20,
  ],
  [
    'A farmer has 4 fields with 25 trees in each. Each tree gives 10 apples. How many apples does he get?',
    1000,
  ],
  [
    'Sophie had $50. She bought two books for $12 each and a $6 notebook. How much money does she have left?',
    20,
  ],
  ['In a school of 300 pupils, 60% are girls. How many boys are there?', 120],
  ['It takes 3 workers 8 days to build a wall. How many days would it take 6 workers?', 4],
  [
    'A tank contains 500 liters of water. It leaks 4 liters every hour. How much water is left after 24 hours?',
    404,
  ],
  ['Tom had some money. He spent $14 and had $9 left. How much money did he have at first?', 23],
  ['A dozen eggs cost $3.60. How much does one egg cost?', 0.3],
  [
    'Grandma baked 3 trays of muffins with 12 muffins on each tray. The children ate 10 muffins. How many muffins remain?',
    26,
  ],
  ['Lily is twice as old as her cousin, who is 9. How old is Lily?', 18],
  ['A phone costs $200 plus 8% tax. What is the final price?', 216],
  ['Carla picked 35 apples and 28 pears. How many pieces of fruit did she pick altogether?', 63],
  ['A cinema has 14 rows with 22 seats in each row. How many seats are there in the cinema?', 308],
  ['Ravi has $75. A game costs $48. How much money will he have left after buying the game?', 27],
  [
    'Oliver ran 5 km on Monday, 7 km on Wednesday and 4 km on Friday. How many kilometers did he run in total?',
    16,
  ],
  [
    'Mrs. Green divides 45 pencils equally among 9 pupils. How many pencils does each pupil receive?',
    5,
  ],
  ['Hana is 4 years younger than Yuki. Yuki is 15. How old is Hana?', 11],
  ['A cyclist rides at 18 km per hour. How long will it take her to ride 90 km?', 5],
  [
    'The bakery sells muffins for $3 each. It sold 25 muffins today. How much money did it make?',
    75,
  ],
  ['There were 96 birds in a tree. 38 flew away. How many birds stayed in the tree?', 58],
  [
    'Zoe bought a bag for $45 and shoes for $60. She paid with a $120 note. How much change did she receive?',
    15,
  ],
  ['Each pack contains 6 batteries. Leo needs 42 batteries. How many packs must he buy?', 7],
  [
    'Yesterday Sam had 17 toy cars. Today his uncle gave him 8 more. How many toy cars does Sam have now?',
    25,
  ],
  ['Grace earns $14 per hour and works 35 hours a week. How much does she earn in 4 weeks?', 1960],
  ['A laptop costs $900. The shop offers a discount of 15%. What is the new price?', 765],
  ['In a class of 30 children, 2/5 are boys. How many boys are there?', 12],
  ['A recipe for 4 people uses 6 eggs. How many eggs are needed for 10 people?', 15],
  [
    'Ian collected 120 shells. He gave a quarter of them to his sister. How many shells does he still have?',
    90,
  ],
  ['A swimming pool is 25 meters long and 10 meters wide. What is its area in square meters?', 250],
  [
    'Ella has 3 times as many books as Finn. Finn has 12 books. How many more books does Ella have than Finn?',
    24,
  ],
  ['Four tickets cost $52. What is the price of one ticket?', 13],
  ['Mia drinks 2 liters of water a day. How many liters does she drink in 30 days?', 60],
  [
    'Dad bought 3 kilograms of apples at $4 per kilogram and 2 kilograms of grapes at $6 per kilogram. How much did he pay?',
    24,
  ],
  ['A tree was 150 cm tall. It grew 25 cm each year for 3 years. How tall is it now?', 225],
  [
    'On Saturday 240 people visited the museum. On Sunday 310 people visited it. How many more people visited on Sunday than on Saturday?',
    70,
  ],
  ['The sum of two numbers is 50. One of them is 18. What is the other number?', 32],
  ['Mr. Lee has 50 chairs. He arranges them in rows of 10. How many rows are there?', 5],
  [
    'A truck carries 15 crates. Each crate weighs 40 kg. What is the total weight of the crates in kg?',
    600,
  ],
  ['Jane read 1/3 of a 240-page book. How many pages does she have left to read?', 160],
  [
    'Nick had 64 stickers. He lost half of them and then bought 10 more. How many stickers does he have now?',
    42,
  ],
  [
    'Two trains leave the same station in opposite directions at 60 mph and 80 mph. How far apart are they after 3 hours?',
    420,
  ],
  [
    'A gardener plants 9 rows of tulips with 14 tulips in each row. How many tulips does she plant?',
    126,
  ],
  [
    'Erik had 52 comics. He sold 18 comics and bought 7 new ones. How many comics does he have now?',
    41,
  ],
  ['Three sisters share 36 grapes equally. How many grapes does each sister get?', 12],
  ['A bottle of juice costs $2.50. How much do 6 bottles cost?', 15],
  ['A plane flies 1,800 miles in 4 hours. What is its speed in miles per hour?', 450],
  ['Nadia is twice as old as Omar. Omar is 7 years old. How old is Nadia?', 14],
  [
    'A school ordered 25 boxes of chalk. Each box has 12 sticks. How many sticks of chalk did the school order?',
    300,
  ],
  ['Ken has $18 and Lou has $27. How much more money does Lou have than Ken?', 9],
  ['At a farm there are 14 ducks and 23 hens. How many birds are there in all?', 37],
  [
    'Rosa earned $45 on Friday and $60 on Saturday. She spent $30. How much money does she have left?',
    75,
  ],
  ['A pair of jeans costs $60. They are 20% off. How much do they cost now?', 48],
  ['There are 365 pages in a book. Amy has read 140 pages. How many pages are left?', 225],
  ['It costs $5 to rent a bike for an hour. How much does it cost to rent it for 4 hours?', 20],
  ['A painter needs 3 cans of paint for each room. How many cans does he need for 8 rooms?', 24],
  [
    'Sam ran 4 laps on Monday, 6 laps on Tuesday, and 8 laps on Wednesday. What is the average number of laps he ran per day?',
    6,
  ],
  ['The sum of 12 and 30 is divided by 6. What is the result?', 7],
  ['Mia baked 48 cupcakes. She put them into boxes of 6. How many boxes did she fill?', 8],
  ['A car uses 5 gallons of gas every 150 miles. How many gallons does it use for 450 miles?', 15],
  ['Out of 80 votes, 20 were for Ann. What percent of the votes were for Ann?', 25],
  [
    'Jon had 30 stamps. He gave half of his stamps to Eve and a third of the rest to Max. How many stamps does he have left?',
    10,
  ],
]

/** Problems with a trap; `null` if only a refusal is correct. A refusal is never wrong. */
const TRAPS: readonly (readonly [string, number | null])[] = [
  ['Tom has 8 marbles and Ann has 5 marbles. How many more marbles does Ann have than Bob?', null],
  [
    'Tom has 5 apples. Yesterday he wanted to buy 3 apples but he did not. How many apples does he have?',
    null,
  ],
  ['Tom has 5 apples or 6 apples. How many apples does he have?', null],
  ['There are 12 eggs in a box. 2 boxes fell. How many eggs broke?', null],
  ['Sam is 10 years old. How old will he be in 5 years?', 15],
  ['Sam is 10 years old. How old was he 3 years ago?', 7],
  ['Tom bought 3 shirts for $20. How much does one shirt cost?', null],
  [
    'Ann had 20 sweets. She gave 3 sweets to each of her 4 friends. How many sweets does she have left?',
    8,
  ],
  ['A train travels 60 miles per hour for 30 minutes. How far does it go?', 30],
  ['Joe has 7 cats, 3 dogs and a bird. How many pets does he have altogether?', 11],
  ['Jim has 4 quarters and 3 dimes. How much money does he have?', null],
  ['Tom has 10 apples. He sells 4 apples for $2 each. How many apples does he have left?', 6],
  ['Tom has 10 apples. He sells 4 apples. How many apples did he sell?', 4],
  ['Eva has 3 sisters. Each sister has 2 brothers. How many brothers does Eva have?', null],
  ['A man is 40 years old. His son is half as old. How old is the son?', 20],
  [
    'If it takes 5 machines 5 minutes to make 5 widgets, how long would it take 100 machines to make 100 widgets?',
    null,
  ],
  [
    'A bat and a ball cost $1.10 in total. The bat costs $1.00 more than the ball. How much does the ball cost?',
    0.05,
  ],
  ['Tom had 10 apples. He ate 2 on Monday and twice as many on Tuesday. How many are left?', 4],
  ['Lena has 15 dollars and 5 euros. How much money does she have?', null],
  ['Tom walks 3 miles in 1 hour. Ann walks 4 miles in 1 hour. How far do they walk?', null],
  [
    'A shop has 40 shirts. It sold 10 in the morning and 10% of the rest in the afternoon. How many are left?',
    27,
  ],
  ['A price rises from $40 to $50. What is the percent increase?', 25],
  ['Tom had 20 pens. He lost 5 pens and found 2. How many pens did he lose?', 5],
  ['Kim has 5 red cars and 3 cars. How many red cars does Kim have?', 5],
  ['A farmer had 15 sheep, and all but 8 died. How many are left?', 8],
  ['A clerk sold 3 pens at $2 and 4 books. How much did he earn?', null],
  [
    'Bob has 3 boxes. Each box has 4 bags. Each bag has 5 marbles. How many marbles does Bob have?',
    60,
  ],
  ['Bob has $10. Ann gave $3 to Bob. How much does Ann have?', null],
  ['In a race, you overtake the person in 2nd place. What place are you in?', null],
  ['Tom has 5 apples. Ann has 3 apples. They eat 2 apples. How many apples are left?', 6],
  [
    'A ticket costs $8 for adults and $5 for children. How much do 2 adults and 3 children pay?',
    31,
  ],
  ['A book costs $12. Sam buys 3 books and pays with $50. How much change does he get?', 14],
  ['John is twice as old as Mary. Together they are 36. How old is John?', 24],
  ['A car uses 8 liters of fuel per 100 km. How many liters does it use for 250 km?', 20],
  ['Tom works from 9 to 5. How many hours does he work?', 8],
  ['Ann ate 1/2 of a pizza and Bob ate 1/4 of a pizza. How much pizza did they eat?', null],
  [
    'Bob bought 12 eggs and dropped 3 on the way. He cooked 4 of them. How many eggs does he have?',
    null,
  ],
  ['Tom has 12 apples, 5 are red. How many are green?', null],
  ['Tom has 12 apples. 5 of them are red and the rest are green. How many are green?', 7],
  ['There are 20 students. 12 play football and 10 play tennis. How many play both?', null],
  ['Ben has 4 bags of apples with 6 apples each. He eats 2 bags. How many apples are left?', 12],
  [
    'A tank has 100 liters. Each hour 5 liters flow in and 3 liters flow out. How much water is there after 4 hours?',
    null,
  ],
  ['Sue has $30. She wants a game for $45. How much more money does she need?', 15],
  ['A box has 24 chocolates. Tim eats 1/4 and Ann eats 1/3. How many are left?', 10],
  ['Tom bought 5 pens. Each pen costs $2. He paid with $20. How much change did he get?', 10],
  ['There are 5 cars. How many wheels do they have?', null],
  [
    'In January Ann read 5 books. In February she read 3 more than in January. How many books did she read?',
    13,
  ],
  ['Ann read 5 books and Bob read 7. How many books did Bob read?', 7],
  ['A shirt costs $20. A hat costs half as much as the shirt. How much do both cost?', 30],
  ['A class of 25 has 12 boys. How many girls are there?', 13],
  ["Tom's bag weighs 5 kg and Ann's bag weighs 3 kg. What is the difference?", 2],
  ['A shirt was $50. After a 20% discount and 10% tax, what is the price?', 44],
  ['Jim has 20 coins. 5 are gold. How many coins does he have?', null],
  ['A baker made 60 rolls. He sold 2/3 of them and gave 5 away. How many rolls are left?', 15],
  [
    'Sam has 12 cookies and eats 3. His mother eats 2 and bakes 6. How many cookies does his mother have?',
    null,
  ],
  ['Lucy has 10 candles. She lights 4 and blows out 2. How many are burning?', null],
  [
    'John has 10 dollars more than Jim. Jim has 20 dollars. How much money do they have together?',
    50,
  ],
  ['5 kids have 3 pencils each. They lose 4 pencils. How many pencils remain?', 11],
  ['A book costs $15 and a pen costs $3 less than the book. How much does the pen cost?', 12],
  ['Tom has 3 dozen eggs. He breaks 6. How many are left?', 30],
  ['Anna has 12 euros. How many dollars is that?', null],
  [
    'Nora spent $12. Then she got $5 from her aunt. Now she has $9. How much money did she have before?',
    16,
  ],
  ['Nora found 5 shells. She has 12 shells. How many shells does she have?', 12],
  [
    'Ravi paid $24 for a lamp with a 20% discount from the regular price. What was the regular price of the lamp?',
    30,
  ],
  [
    'Ravi bought a lamp for $24. This is with a 20% discount from the original price. What was the original price?',
    30,
  ],
  ['A cart rolls 6 kilometers in two hours. What is its speed in meters per minute?', 50],
  ['A cart runs 6 kilometers in two hours. What is its speed in meters per hour?', 3000],
  [
    'A crew loads 30 crates of green melons and 20 crates of yellow melons per day. How many crates of green melons does it load in 4 days?',
    120,
  ],
  ['Mr. Gray paid a fee with 4 $20 bills and 3 $5 bills. How much was the fee?', 95],
  ['Joe drove 120 miles in 90 minutes. What was his average speed in mph?', 80],
  ['A train leaves with 200 people. At each of 3 stops 20 people get off. How many are left?', 140],
  ['Nine hundred and ninety-nine minus what is 5?', 994],
  ['A cat has 4 legs. How many legs do 6 cats have?', 24],
  [
    'Bob is 3 times as old as Tim, and Tim is 2 years older than Sue. Sue is 5. How old is Bob?',
    21,
  ],
  ['A farmer has 10 cows and 20 chickens. How many legs are there?', 80],
  [
    'There are 100 tickets. 30% were sold on Monday and 40 were sold on Tuesday. How many tickets are left?',
    30,
  ],
  ['Ann buys 2 pizzas for $10 each with a 10% discount. How much does she pay?', 18],
  ['Tom saves $10 a week. A bike costs $150. How many weeks must he save?', 15],
  ['Tom has 15 marbles, 5 more than Jim. How many marbles does Jim have?', 10],
  ['How many apples does Tom have if he had 10 apples and gave away 4?', 6],
  ['A pen costs $2. Ann has $11. How many pens can she buy?', null],
  ['A boat sails at 20 miles per hour. How long will 50 miles take?', 2.5],
  [
    'Ann picked 12 flowers. Bob picked 8 flowers. They put them equally into 4 vases. How many flowers are in each vase?',
    5,
  ],
  ['Tom ran 3 miles on Monday and twice as far on Tuesday. How many miles did he run?', 9],
  ['A pack of 12 pens costs $6. How much does each pen cost?', 0.5],
  ['Mary has 10 sheets of paper and cuts each into 4 pieces. How many pieces does she have?', 40],
  ['Tom has 8 apples. Ann takes 3 of them. How many apples does Tom have now?', 5],
  ['Jack is 6. In 4 years he will be twice as old as Jill. How old is Jill?', 1],
  [
    'There were 20 kids in the pool. After an hour 5 more kids came and then half of the kids left. How many kids are in the pool?',
    null,
  ],
  ['Tom ate 3 cookies and lost 4 cookies. How many cookies did he eat?', 3],
  ['Ann bought 3 pears and picked 5 pears. How many pears did she buy?', 3],
  ['Out of 40 students, 10 are absent. What percent of the students are present?', 75],
  ['Ann bought 3 pears and picked 5 pears. How many pears does she have now?', 8],
  ['Tom found 3 coins and Ann found 4 coins. How many coins did they find?', 7],
  ['Ann sold 3 cakes for $4 each and bought a cup for $2. How much did she earn?', 12],
  ['Ann spent $5 on tea and lost $3. How much did she spend?', 5],
  ['A class has 20 pupils. 4 are ill and 6 are on a trip. How many are ill?', 4],
  ['Tom had 9 cards. He gave 2 to Ann and Ann gave him 5. How many cards does Tom have?', 12],
  ['There are 3 red cars and 4 blue cars. How many red cars are there?', 3],
  ['Tom has 10 books. He reads 3. How many books does he have?', 10],
  ['Tom is 10 years old. Ann is 4 years old. How old is Tom?', 10],
  ['A box weighs 5 kg. A bag weighs 2 kg. How much do 3 boxes weigh?', 15],
  ['A boy has 4 apples and a girl has 5 apples. How many apples does the boy have?', 4],
  ['Tom has 4 apples. How many apples does Ann have?', null],
  ['Tom works 5 days a week and earns $100 a day. How much does he earn in a year?', null],
  ['Sam paid $12 for 3 pens. How much does one pen cost?', 4],
  [
    'Sam has 3 bags with 5 coins each and 4 boxes with 2 coins each. How many coins does he have?',
    23,
  ],
  ['Jo reads 10 pages a day. How many days does she need for 120 pages?', 12],
  ['Jo had 120 pages to read. She read 30 pages a day. How many days did it take?', 4],
]

function tally(problems: readonly (readonly [string, number | null])[]): Record<string, string[]> {
  const found: Record<'right' | 'wrong' | 'declined', string[]> = {
    right: [],
    wrong: [],
    declined: [],
  }
  for (const [problem, expected] of problems) {
    const value = valueOf(ask('big', problem))
    const close = value !== null && expected !== null && Math.abs(value - expected) < 1e-9
    const verdict = value === expected || close ? 'right' : value === null ? 'declined' : 'wrong'
    found[verdict].push(`${problem} → ${value}`)
  }
  return found
}

test('big solves three of four school word problems, and none wrongly', (t) => {
  const { right = [], wrong = [], declined = [] } = tally(HELD_OUT)
  t.diagnostic(`right ${right.length}, wrong ${wrong.length}, declined ${declined.length}`)
  assert.deepEqual(wrong, [])
  assert.ok(right.length >= 0.75 * HELD_OUT.length, `declined:\n${declined.join('\n')}`)
})

test('big falls into no trap', (t) => {
  const { right = [], wrong = [], declined = [] } = tally(TRAPS)
  t.diagnostic(`right ${right.length}, wrong ${wrong.length}, declined ${declined.length}`)
  assert.deepEqual(wrong, [])
})

test('small solves no word problem', () => {
  for (const [problem] of HELD_OUT) assert.equal(valueOf(ask('small', problem)), null, problem)
})
