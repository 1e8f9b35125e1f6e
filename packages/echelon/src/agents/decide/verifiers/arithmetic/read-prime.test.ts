import { equal } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { tokenise } from '../english/token.ts'
import { readPrime } from './read-prime.ts'

const READ: Readonly<Record<string, string>> = {
  'Is 211 a prime number?': '211',
  'is 211 prime': '211',
  'Is 1,009 a prime?': '1009',
  'Is the number 91 prime or not?': '91',
  'Is it true that 91 is a prime number?': '91',
  'Could you check whether 91 is prime, please?': '91',
  'Tell me if ninety-one is a prime number.': '91',
  'Is -7 a prime number?': '-7',
  'Is minus 7 prime?': '-7',
  'Is 2.50 prime?': '2.5',
  'Is 211 a prime number? Think step by step and then answer "[Yes]" or "[No]".': '211',
  "Is 211 a prime number? Let's think step by step. Answer with yes or no only.": '211',
}

const NOT_READ: readonly string[] = [
  'Is 7 a prime factor of 21?',
  'Is 7 not a prime number?',
  'Is 17 a prime number greater than 10?',
  'Are 7 and 11 prime?',
  'Is 7 prime or composite?',
  'Is 7 the next prime number?',
  'Is 3 + 4 prime?',
  'Is 12% prime?',
  'Is $7 prime?',
  'Is 7 a prime number? Answer no if it is.',
  'Is 7 a prime number? And is 9?',
  'What is the 7th prime number?',
  'Is prime 7?',
]

suite('[DD-8] a question whether a number is prime', () => {
  for (const [question, number] of Object.entries(READ)) {
    test(question, () => equal(readPrime(tokenise(question)), number))
  }
  for (const question of NOT_READ) {
    test(`is not: ${question}`, () => equal(readPrime(tokenise(question)), undefined))
  }
})
