import { equal, throws } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { evaluate } from './evaluate.ts'

suite('isPrime', () => {
  test('agrees with a sieve up to 5,000', () => {
    const isPrime = sieve(5000)
    for (let n = 0; n <= 5000; n += 1) {
      equal(evaluate(`isPrime(${n})`), isPrime[n] === true ? 'yes' : 'no', String(n))
    }
  })

  const ANSWERS: Readonly<Record<string, string>> = {
    '-7': 'no',
    '2.5': 'no',
    '7.0': 'yes',
    '1/3': 'no',
    '2^31 - 1': 'yes',
    'sqrt(49)': 'yes',
    '561': 'no',
    '3215031751': 'no',
    '3825123056546413051': 'no',
    '318665857834031151167461': 'no',
    '18446744073709551557': 'yes',
    '1e400': 'no',
  }
  for (const [number, answer] of Object.entries(ANSWERS)) {
    test(`${number}: ${answer}`, () => equal(evaluate(`isPrime(${number})`), answer))
  }

  const REFUSED: Readonly<Record<string, RegExp>> = {
    'isPrime(3317044064679887385961981)': /up to 24 digits/,
    'isPrime(10^400 + 1)': /up to 24 digits/,
    'isPrime(pi)': /needs an exact number/,
    'isPrime(2, 3)': /takes 1 argument/,
    'isPrime(2) + 1': /cannot be part of a calculation/,
    'isPrime(isPrime(2))': /cannot be part of a calculation/,
    'isPrime(1/0)': /./,
  }
  for (const [expr, reason] of Object.entries(REFUSED)) {
    test(`${expr} is refused`, () => throws(() => evaluate(expr), reason))
  }
})

function sieve(limit: number): readonly boolean[] {
  const isPrime = Array.from({ length: limit + 1 }, (_, n) => n >= 2)
  for (let n = 2; n * n <= limit; n += 1) {
    for (let multiple = n * n; isPrime[n] === true && multiple <= limit; multiple += n) {
      isPrime[multiple] = false
    }
  }
  return isPrime
}
