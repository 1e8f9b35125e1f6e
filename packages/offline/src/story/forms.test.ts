import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsOf, ask, valueOf } from '../ask-in-tests.ts'

const SOLVED: readonly (readonly [string, number])[] = [
  ['A van drives at 90 km/h for 3 hours. How far does it get?', 270],
  ['A bus goes at 60 km/h for 1.5 hours. How many km does it cover?', 90],
  ['A cyclist rides at 18 km/h. How long does she need for 45 km?', 2.5],
  ['A plane flies 2,400 km in 3 hours. What is its speed in km/h?', 800],
  ['Ben divides 40 nuts equally between himself and 4 cousins. How many does each get?', 8],
  ['Five of us share a taxi for $42 equally. How much does each of us pay?', 8.4],
  [
    'We are 6 people and the bill is 93 euros. We split it evenly. How much does each person pay?',
    15.5,
  ],
  [
    'The dinner cost $120 and four friends split the bill equally. How much does each friend pay?',
    30,
  ],
  ['I paid with a $20 bill and the book cost $13.40. How much change do I get?', 6.6],
  [
    'My shopping comes to $17.25 and I pay with a 20 dollar note. How much change will I get?',
    2.75,
  ],
  ['Sue buys a coat for $64.50 and hands over $100. What change does she get?', 35.5],
  ['A TV is priced at $450 with 20% off. How much do I pay?', 360],
  ['A coat was 200 dollars and is now 15% off. What does it cost now?', 170],
  ['A car needs 7 litres per 100 km. How many litres does it need for 250 km?', 17.5],
  ['My van burns 9 litres of diesel per 100 km. How much diesel do I need for 300 km?', 27],
  ['A cinema has 20 rows of 15 seats. 42 seats are free. How many seats are occupied?', 258],
  [
    'The hall has 12 rows with 25 seats each and 30 seats are taken. How many seats are empty?',
    270,
  ],
  ['Pencils come in packs of 8. A teacher needs 100 pencils. How many packs must she buy?', 13],
  ['Buns are sold in bags of 6. We need 40 buns. How many bags should we buy?', 7],
  [
    'A rectangular field is 40 m long and 25 m wide. How much fencing is needed to enclose it?',
    130,
  ],
  ['A garden is 12 m long and 7 m wide. What is the length of a fence all the way around it?', 38],
  ['A room is 5 m long and 4 m wide. How many square metres of carpet are needed?', 20],
  [
    'Tom earns 15 an hour. He works 38 hours and 90 is deducted for tax. How much does he take home?',
    480,
  ],
  [
    'A trader buys bags for $12 each and sells them for $19.50 each. How much profit does he make on 40 bags?',
    300,
  ],
  ['A kiosk buys papers at 0.80 and sells them at 1.30. What is the profit on 200 papers?', 100],
  ['In a box of 60 chocolates, 2/5 are dark and the rest are milk. How many are milk?', 36],
  ['There are 80 guests. A quarter of them eat fish and the rest eat meat. How many eat meat?', 60],
  ['Of 120 pupils, 45% come by bus and the rest walk. How many walk?', 66],
  [
    'A pool holds 600 litres and fills at 20 litres per minute. How many minutes does it take to fill it?',
    30,
  ],
  ['A bath of 180 litres is filled at 12 litres a minute. How long does it take to fill?', 15],
  ['A tank of 500 litres drains at 25 litres per minute. How many minutes until it is empty?', 20],
  ['A magazine costs 8 a month plus a one-time fee of 10. What do I pay for 12 months?', 106],
  [
    'Internet costs 30 per month with a setup fee of 45. How much will we pay in the first 6 months?',
    225,
  ],
  ['Amy is 7 and her mum is five times as old. How old will her mum be in 4 years?', 39],
  ['Leo is 30 years older than his son. His son is 8. How old is Leo?', 38],
  ['Sara is 3 years younger than Ken. Together they are 41 years old. How old is Sara?', 19],
  ['I invest 1,500 at 4% simple interest for 3 years. How much interest do I earn?', 180],
  [
    'Tina deposits 800 in a bank at 5% simple interest a year. How much money will she have after 2 years?',
    880,
  ],
]

test('big solves school and shop problems in several wordings', () => {
  for (const [problem, expected] of SOLVED) {
    const value = valueOf(ask('big', problem)) ?? Number.NaN
    assert.ok(Math.abs(value - expected) < 1e-9, `${problem}: ${value}`)
  }
})

const DECLINED = [
  'Eggs are sold in trays of 30. The hotel needs 100 eggs. How many eggs are in 4 trays?',
  'Candles come in boxes of 10. How many boxes do we need?',
  'The hall has 12 rows of 20 seats and 35 seats are empty. How many seats are broken?',
  'A class has 30 pupils and 4 pupils are ill. How many pupils like maths?',
  'Ida shares 35 plums equally between herself and 6 friends. How many plums does she have left?',
  'I paid with a 50 dollar bill. How much change do I get?',
  'I paid with a $20 bill and the book cost $23.40. How much change do I get?',
  'Sam is 5 years older than Kim. Together they are 31. How old is Ann?',
  'Sam is 5 years older than Kim. In 3 years their ages add up to 31. How old is Kim?',
  'Sam has 5 more coins than Kim. Together they have 31 stamps. How many coins does Kim have?',
  'A coat for 90 euros is 20% off. What was the original price?',
  'A coat for 90 euros is 20% off. How many dollars is that?',
  'My van burns 9 litres of diesel per 100 km. How much diesel do I need for 300 miles?',
  'Lou earns 15 an hour and 50 a week in tips. Last week he worked 30 hours. What did he earn?',
  'A trader buys bags for $12 each and sells them for $19 each. What is the profit on 40 belts?',
  'A trader buys bags for $12 each and sells them for $9 each. What is the profit on 40 bags?',
  'Of 120 pupils, 45% come by bus and the rest walk. How many cycle?',
  'Of 120 pupils, 45% come by bus and half of the rest walk. How many walk?',
  'A pool holds 600 litres and fills at 20 litres per minute. How many minutes does it take to empty it?',
  'A pool holds 600 litres and fills at 20 litres per minute. How many minutes until it is half full?',
  'A pool holds 600 litres and fills at 20 litres per minute. How many hours does it take to fill it?',
  'A pool of 600 litres fills at 20 litres per minute and loses 5 litres per minute. How many minutes until it is full?',
  'A magazine costs 8 a month plus a one-time fee of 10. What do I pay for 2 years?',
  'A magazine costs 8 a month plus a yearly fee of 10. What do I pay for 12 months?',
  'Amy is 7 and her mum is five times as old. How old will she be in 4 years?',
  'I invest 1,500 at 4% interest for 3 years. How much interest do I earn?',
  'I invest 1,500 at 4% simple interest for 3 months. How much interest do I earn?',
  'A yard is 12 m long and 7 m wide with a gate of 2 m. How much fencing is needed?',
  'A yard is 12 m long and 7 m wide. What is its area in square feet?',
  'A yard is 12 m long and 7 m wide. A metre of fence costs $5. How much does the fence cost?',
]

test('big declines a problem whose question does not match its story', () => {
  for (const problem of DECLINED) {
    assert.equal(actionsOf(ask('big', problem)), null, problem)
  }
})
