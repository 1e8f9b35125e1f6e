import { deepEqual, equal } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { actionsOf, ask } from './ask-in-tests.ts'
import { readSecond } from './second-reading.ts'

const READ: Readonly<Record<string, string>> = {
  'Is 211 a prime number?': '211',
  'is 1,009 prime': '1009',
  'Is the number 91 prime or not?': '91',
  'Is it true that 91 is a prime number?': '91',
  'Please check whether ninety-one is prime.': '91',
  'Is -7 a prime number?': '-7',
  'Is 2.5 prime?': '2.5',
  'Is 211 a prime number? Think step by step and then answer "[Yes]" or "[No]".': '211',
  "Is 211 a prime number? Let's think step by step. Answer with yes or no.": '211',
}

suite('a question whether a number is prime', () => {
  for (const [question, number] of Object.entries(READ)) {
    test(question, () => {
      deepEqual(readSecond(question), { kind: 'prime', number })
      for (const model of ['small', 'big'] as const) {
        deepEqual(actionsOf(ask(model, question)), [`calculator(isPrime(${number}))`])
      }
    })
  }
  for (const question of [
    'Is 7 a prime factor of 21?',
    'Are 7 and 11 prime?',
    'Is 7 prime or composite?',
    'Is 3 dozen prime?',
    'Is $7 prime?',
    'Is 7 a prime number? Answer no if it is.',
    'What is the next prime after 7?',
  ]) {
    test(`is not: ${question}`, () => equal(readSecond(question), undefined))
  }
})

test('a request to think step by step does not change a calculation', () => {
  deepEqual(actionsOf(ask('small', 'What is 12 * 12? Think step by step.')), [
    'calculator(12 * 12)',
  ])
})
