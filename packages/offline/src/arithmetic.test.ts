import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, valueOf } from './ask-in-tests.ts'

type Cases = readonly (readonly [string, number])[]

const FRAMES: Cases = [
  ['Hello! Would you tell me what 31 times 7 is, please?', 217],
  ['Hey, can you work out 88 / 11 for me?', 8],
  ['I need 12 * 12 - 4, thank you', 140],
  ["I'd like to know how much 9 plus 16 is.", 25],
  ['What do you get for 7 - (-7)?', 14],
  ['What would I get if I multiply 9 by 13?', 117],
  ['If you divide 91 by 7, what do you get?', 13],
  ['When 45 is divided by 9, what is the result?', 5],
  ['Forty plus two is?', 42],
  ['8 times 8 equals what?', 64],
  ['6 + 6 makes what?', 12],
  ['What is the result of multiplying 12 by 4?', 48],
  ['How much would 18 minus 5 be?', 13],
  ['Please give me the value of 2^8', 256],
  ['One question: what does 14 + 28 add up to?', 42],
  ['Suppose you add 5 to 6, what is the answer?', 11],
  ['7 * 6 - how much is that?', 42],
  ["What's 81 / 9 equal to?", 9],
]

const ORDERS: Cases = [
  ['Multiply 2.5 by 4.4', 11],
  ['divide 7 by 8', 0.875],
  ['Subtract 19 from 12', -7],
  ['Add 3, 4 and 5', 12],
  ['Add 12 to 30', 42],
  ['add up 4, 9 and 11', 24],
  ['Multiply 2, 3 and 7 together', 42],
  ['Take away 15 from 100', 85],
  ['take 15 away from 100', 85],
  ['Deduct 4 from 20', 16],
  ['From 90 subtract 17', 73],
  ['triple 14', 42],
  ['halve 77', 38.5],
  ['Quadruple 25', 100],
  ['Square 13', 169],
  ['cube 4', 64],
  ['Raise 3 to the power of 4', 81],
  ['increase 40 by 12', 52],
  ['Reduce 40 by 12', 28],
  ['reduce 60 by a quarter', 45],
  ['Increase 60 by two thirds', 100],
  ['decrease 50 by half', 25],
  ['Raise 200 by 5%', 210],
  ['cut 80 by 15 percent', 68],
  ['Add 20% to 150', 180],
  ['take 30% off 90', 63],
  ['Subtract 10% from 70', 63],
  ['30% off 90', 63],
  ['a third more than 90', 120],
  ['A quarter less than 80', 60],
  ['12 less than 50', 38],
  ['How much is 5 more than 12?', 17],
  ['What is 9 subtracted from 20?', 11],
  ['How much more is 52 than 17?', 35],
]

const NESTED: Cases = [
  ['Divide the sum of 10 and 14 by the product of 2 and 3', 4],
  ['multiply the difference between 12 and 5 by the sum of 1 and 2', 21],
  ['Add the product of 3 and 4 to 8', 20],
  ['Subtract the square root of 49 from 50', 43],
  ['the product of 4 and the sum of 3 and 2', 20],
  ['the sum of 3 squared and 4 squared', 25],
  ['What is the average of 3, 4, 5 and 12?', 6],
  ['the sum of 1.5 + 2.5 + 3', 7],
  ['The cube of 3 minus the square of 4', 11],
  ['the square root of 81 times the square root of 16', 36],
]

const STEPS: Cases = [
  ['Add 6 and 9, then multiply by 2', 30],
  ['Divide 84 by 7 and then add 5.', 17],
  ['Start with 7, double it, add 6 and then divide by 4. What do you get?', 5],
  ['Begin with 100, subtract 40, halve the result - what do you end up with?', 30],
  ['Take 8, square it, then take away 14', 50],
  ['Multiply 6 by 7, then subtract 2 from the result', 40],
  ['Start with 50. Increase it by 10%. Then add 5. What is the result?', 60],
  ['Start with 80, take off 25%, then add 3', 63],
  ['5 plus 3, then times 4', 32],
  ['Start with 4, multiply it by 3 and subtract that from 20', 8],
]

const FUNCTIONS: Cases = [
  ['cube root of 343', 7],
  ['What is the cube root of 27?', 3],
  ['How much is -7 times -6?', 42],
  ['Please -5 + 3', -2],
  ['please .5 + 3', 3.5],
  ['Calculate: -5 - -8', 3],
  ['What is the factorial of 6?', 720],
  ['5 factorial', 120],
  ['4!', 24],
  ['3! + 4', 10],
  ['What is 47 mod 10?', 7],
  ['47 modulo 5', 2],
  ['What is the remainder of 100 divided by 9?', 1],
  ['remainder when 77 is divided by 6', 5],
  ['What is the remainder if I divide 77 by 8?', 5],
  ['If you divide 29 by 6, what is the remainder?', 5],
  ['How many times does 8 go into 72?', 9],
  ['how often does 15 fit into 60', 4],
  ['greatest common divisor of 84 and 36', 12],
  ['What is the least common multiple of 4 and 6?', 12],
  ['the absolute value of -12', 12],
  ['the square of 15', 225],
  ['9 squared', 81],
  ['2 to the 6th power', 64],
  ['2 to the fifth', 32],
]

const FORMS: Cases = [
  ['Round 5.43219 to 3 decimal places', 5.432],
  ['What is 10 / 3 rounded to two decimals?', 3.33],
  ['sqrt(3) to 2 decimal places', 1.73],
  ['17 divided by 6, rounded to the nearest whole number', 3],
  ['Round 1,284 to the nearest hundred', 1300],
  ['round 87 to the nearest 10', 90],
  ['2/7 correct to one decimal place', 0.3],
  ['Round to 2 places: 5/6', 0.83],
  ['Express 3/8 as a decimal', 0.375],
  ['convert 7/20 to a decimal', 0.35],
  ['What is 1/4 + 1/5 in decimal form?', 0.45],
  ['Write three quarters as a decimal', 0.75],
  ['What is 3/8 as a percentage?', 37.5],
  ['22/7 as a decimal rounded to 2 places', 3.14],
]

const RUNS: Cases = [
  ['What is the sum of all whole numbers from 1 to 20?', 210],
  ['Add the integers from 5 to 8', 26],
  ['the sum of the numbers from 1 through 50', 1275],
  ['Add up all numbers from 1 to 10', 55],
]

const PERCENTAGES: Cases = [
  ['Hi, what is 15% of 80?', 12],
  ['two fifths of 60', 24],
  ["what's two-thirds of 48.6?", 32.4],
  ['half of 25', 12.5],
  ['How many percent is 12 of 48?', 25],
  ['What is 12 out of 48 in percent?', 25],
  ['€20 / 4', 5],
  ['20 euros plus 5 euros', 25],
  ['What is two and a half times 4?', 10],
  ["What's three point five times two?", 7],
  ['If I have 45 and I take away 17, how much is left?', 28],
  ['50 is what percent of 80?', 62.5],
]

for (const [name, cases] of Object.entries({
  'in polite and other frames': FRAMES,
  'as an order in words': ORDERS,
  'as words within words': NESTED,
  'as steps one after another': STEPS,
  'with functions by their names': FUNCTIONS,
  'in the form that is wished for': FORMS,
  'as a run of whole numbers': RUNS,
  'with percentages and shares': PERCENTAGES,
})) {
  test(`small reads a calculation ${name}`, () => {
    for (const [question, expected] of cases) {
      const value = valueOf(ask('small', question)) ?? Number.NaN
      assert.ok(Math.abs(value - expected) < 1e-9, `${question}: ${value}`)
    }
  })
}

const DECLINED = [
  'double 5 plus 3',
  'Divide 100 by 5 plus 5',
  'Add 3 to 4 times 5',
  'half of 90 plus 10',
  'the sum of the product of 4 and 5 and 6',
  'How many times does 7 go into 50?',
  'What is 2 + 3!',
  'Divide 96 by 16 and 2',
  'Start with 12',
  'Start with 12, triple it, then dance',
  'Round 5',
  'Round 5 apples to 2 places',
  'Write 5 as a decimal',
  'Write 0.75 as a fraction',
  'Convert 5 miles to a decimal',
  'Round 2/3 to 3 significant figures',
  'sum of the numbers from 9 to 3',
  'add all even numbers from 1 to 100',
  'What is the remainder of 17?',
  'What is left when you divide 17 by 5?',
  'Add 20% to the price',
  '200 plus 8%',
  '65 minus 20%',
  'Reduce 90 by',
  'Increase 5 by 10% of 3 apples',
  'Take 5',
  'Subtract 3',
  'multiply by 3',
  'negative of 5 and 6',
  'What is 10 - 2 in French?',
  'How much is 2024-01-15?',
  'factorial of apples',
  '$10 + €5',
  'the average of 4 and 6 times the square of 2',
  'twenty and a half times 2',
  'If I have 45 and divide it by 7, how much is left?',
  'Is 7 times 8 equal to 56?',
  'Which is greater, 3 * 4 or 5 + 6?',
  'Add 4 and 9 and forget the rules',
]

test('small declines an ambiguous or incomplete calculation, and one with an extra word', () => {
  for (const question of DECLINED) {
    assert.equal(valueOf(ask('small', question)), null, question)
  }
})
