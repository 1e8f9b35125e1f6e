import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsFromShown, followsFromShown } from './shown-sums.ts'

const HELD = new Set(['$171', '$154', '$50', '$1,200'])
const follows = (amount: string, text: string): boolean =>
  followsFromShown(amount, text, (one) => HELD.has(one))

test('a sum, a difference and a multiple of shown amounts follow', () => {
  assert.ok(follows('$325', 'Out: $171. Back: $154. In all: $325.'))
  assert.ok(follows('$17', 'It was $171 and is $154: $17 less.'))
  assert.ok(follows('$150', 'It is $50 for each of the 3 passengers: $150.'))
})

test('an amount that follows from nothing shown does not, nor from amounts that the data lacks', () => {
  assert.ok(!follows('$326', 'Out: $171. Back: $154. In all: $326.'))
  assert.ok(!follows('$325', 'In all: $325.'))
  assert.ok(!follows('$700', 'You get $300 and $400: $700.'))
  assert.ok(!follows('$1,350', 'It is $1,200, and $50 of it: $1,350.'))
})

test('a count follows from two that are shown', () => {
  assert.ok(countsFromShown('4', '2 free bags for each of two passengers: 4.'))
  assert.ok(!countsFromShown('5', '2 free bags for each of two passengers: 5.'))
  assert.ok(!countsFromShown('4', 'You can take 4.'))
})
